import { type ContentType, type Nested, textOf, validationError } from '../../../core';
import { wordName } from '../names';
import { wordsOf } from '../schema/fields';

type Data = Readonly<Record<string, unknown>>;
export type TypeOf = (uid: string) => ContentType | undefined;

const isRecord = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

const suffix = '_relation';

/** The link that a key changes, where it is a key for that. */
function changedLink(type: ContentType, key: string): Nested | undefined {
  if (!key.endsWith(suffix) || type.attributes.has(key) || type.nested.has(key)) return undefined;
  const nested = type.nested.get(key.slice(0, -suffix.length));
  return nested?.storage === 'link' ? nested : undefined;
}

const contradiction = (name: string, at: string) =>
  validationError(`Invalid relation ${at}: "${name}" and "${name}${suffix}" can not stand beside each other`, {
    key: `${name}${suffix}`,
    source: 'body',
  });

/** Documents are named by texts; a text of digits only is the number of a row. */
function named(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(named);
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/** The value that a word's name stands for. */
function wordFor(words: readonly string[], value: unknown): unknown {
  return words.find((word) => wordName(word) === value) ?? value;
}

const isKnown = (type: ContentType, key: string): boolean =>
  key === '__component' || type.attributes.has(key) || type.nested.has(key) || changedLink(type, key) !== undefined;

/**
 * A write's input as operations take it: words by their own spelling, changes of links where the links are. No schema
 * describes what stands in a zone, where clients send back what they read: names that mean nothing there are left out.
 */
export function dataFrom(type: ContentType, data: Data, typeOf: TypeOf, isInZone = false): Data {
  const part = (nested: Nested, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => part(nested, one));
    if (!isRecord(value)) return value;
    const inner = typeOf(textOf(value['__component'] ?? nested.targets[0]));
    return inner ? dataFrom(inner, value, typeOf, isInZone || nested.storage === 'zone') : value;
  };

  const given = Object.entries(data).filter(([key]) => !isInZone || isKnown(type, key));
  const entries = given.map(([key, value]): [string, unknown] => {
    const link = changedLink(type, key);
    if (link) {
      if (Object.hasOwn(data, link.name)) throw contradiction(link.name, link.name);
      return [link.name, value === null ? undefined : value];
    }
    const attribute = type.attributes.get(key);
    const words = attribute && wordsOf(attribute);
    if (words) return [key, wordFor(words, value)];
    const nested = type.nested.get(key);
    if (nested?.storage === 'link' || nested?.storage === 'attached') return [key, named(value)];
    if (nested && (nested.storage === 'component' || nested.storage === 'zone')) return [key, part(nested, value)];
    return [key, typeof value === 'bigint' ? String(value) : value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(entries);
}
