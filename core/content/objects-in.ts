import type { ContentType } from './content-type';
import type { ShownDocument } from './hooks';

/**
 * Where an object of an answer may tell the uid of its type. Other keys that begin with it stand for no attribute: what they
 * hold is tied to the document in a way of its own, or is the same document once more.
 */
export const typeKey = '\u0000';

const isObject = (value: unknown): value is ShownDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a document or component shows and all that stands in it, at any depth: each object with its type. */
export function* objectsIn(
  type: ContentType,
  shown: ShownDocument,
  types: ReadonlyMap<string, ContentType>,
): Generator<readonly [ContentType, ShownDocument]> {
  yield [type, shown];
  for (const [key, value] of Object.entries(shown)) {
    const nested = type.nested.get(key);
    if (!nested && !key.startsWith(typeKey)) continue;
    for (const inner of [value].flat()) {
      if (!isObject(inner)) continue;
      const uid = inner[typeKey] ?? inner['__component'] ?? inner['__type'] ?? nested?.targets[0] ?? type.uid;
      const innerType = types.get(String(uid));
      if (innerType) yield* objectsIn(innerType, inner, types);
    }
  }
}
