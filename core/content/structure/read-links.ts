import { textOf } from '../../text-of';
import type { ContentRegistry, ContentType } from '../content-type';
import { isPart, type Nested } from '../nested';
import type { LinkChange } from './link-change';
import { readLink } from './link-input';
import type { LinkInput } from './row-input';

type Data = Readonly<Record<string, unknown>>;

/** The links of a body and of its components, read once. */
export interface BodyLinks {
  /** In the order of the body. */
  readonly all: readonly LinkInput[];
  /** What one object of the body says about a link. */
  changeIn(data: object, nested: Nested): LinkChange | undefined;
}

/** The type of a component in a body; undefined where there is none that could stand there. */
export function partTypeOf(
  { storage, targets }: Nested,
  part: Data,
  { types }: ContentRegistry,
): ContentType | undefined {
  const uid = storage === 'zone' ? textOf(part['__component']) : targets[0];
  const type = types.get(uid ?? '');
  return type?.modelKind === 'component' ? type : undefined;
}

export const partsIn = (value: unknown): Data[] =>
  (Array.isArray(value) ? value : [value]).filter(
    (part): part is Data => typeof part === 'object' && part !== null && !Array.isArray(part),
  );

export function readLinks(type: ContentType, data: Data, registry: ContentRegistry): BodyLinks {
  const all: LinkInput[] = [];
  const changes = new Map<object, Map<Nested, LinkChange>>();

  function read(inside: ContentType, part: Data, path: string): void {
    const own = new Map<Nested, LinkChange>();
    changes.set(part, own);
    for (const [name, value] of Object.entries(part)) {
      const nested = inside.nested.get(name);
      if (!nested || nested.system) continue;
      const label = path + name;
      if (isPart(nested)) {
        for (const each of partsIn(value)) {
          const partType = partTypeOf(nested, each, registry);
          if (partType) read(partType, each, `${label}.`);
        }
        continue;
      }
      const change = readLink(nested, value, label);
      if (!change) continue;
      own.set(nested, change);
      all.push({ nested, change });
    }
  }

  if (type.nested.size > 0) read(type, data, '');
  return { all, changeIn: (inside, nested) => changes.get(inside)?.get(nested) };
}
