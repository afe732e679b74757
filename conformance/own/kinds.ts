import type { Json } from '../runner/row';
import type { Attribute } from './schemas';

interface Kind {
  /** What a value looks like in an answer, where it is not null. */
  looksLike: Json;
  /** Whether it can be compared for equality, and whether order means the same on every database. */
  filters: boolean;
  sorts: boolean;
  /** A valid value; the text stands for the mark of the row. */
  example?: (attribute: Attribute, text: string) => Json | undefined;
}

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);

/** Within the bounds that the attribute sets, near its lower end. */
const numeric = ({ min, max }: Attribute): number => number(min, Math.min(7, number(max, 7)));

/** How long the mark of a row is that `{{row}}` stands for; a change of a text adds one to it. */
export const markLength = { least: 17, most: 20 };

/** Undefined where the attribute wants a form that can't be guessed, or has no room for the mark. */
function textual({ regex, minLength, maxLength }: Attribute, text: string): string | undefined {
  const padding = Math.max(0, number(minLength, 0) - markLength.least);
  if (regex !== undefined || markLength.most + 1 + padding > number(maxLength, Number.POSITIVE_INFINITY))
    return undefined;
  return text + 'x'.repeat(padding);
}

const words: Kind = { looksLike: '$string', filters: true, sorts: false, example: textual };
const long: Kind = { ...words, filters: false };
const moment: Kind = { looksLike: '$iso', filters: true, sorts: true, example: () => '2024-02-29T10:20:30.000Z' };

/** The kinds whose values are returned by default. */
const kinds: Readonly<Record<string, Kind>> = {
  string: words,
  uid: words,
  text: long,
  richtext: long,
  email: { ...words, example: (_, text) => `${text}@example.com` },
  enumeration: {
    ...words,
    example: ({ enum: values }) => (Array.isArray(values) ? (values[0] as Json) : undefined),
  },
  integer: { looksLike: '$integer', filters: true, sorts: true, example: numeric },
  biginteger: {
    looksLike: { $matches: '^-?\\d+$' },
    filters: true,
    sorts: false,
    example: (attribute) => String(numeric({ ...attribute, min: Number(attribute['min'] ?? 7) })),
  },
  float: { looksLike: '$number', filters: false, sorts: true, example: numeric },
  decimal: { looksLike: '$number', filters: false, sorts: true, example: numeric },
  boolean: { looksLike: '$boolean', filters: true, sorts: false, example: () => true },
  date: { looksLike: { $matches: '^\\d{4}-\\d\\d-\\d\\d$' }, filters: true, sorts: true, example: () => '2024-02-29' },
  time: {
    looksLike: { $matches: '^\\d\\d:\\d\\d:\\d\\d\\.\\d{3}$' },
    filters: true,
    sorts: true,
    example: () => '10:20:30.000',
  },
  datetime: moment,
  timestamp: { ...moment, looksLike: '$any', filters: false, sorts: false, example: undefined },
  json: { looksLike: '$any', filters: false, sorts: false, example: () => ({ a: [1, true] }) },
  // Taken, and never told again.
  password: {
    looksLike: { $absent: true },
    filters: false,
    sorts: false,
    example: (attribute) => textual(attribute, '{{row}}'),
  },
  blocks: {
    looksLike: { $each: { $partial: { type: '$string' } } },
    filters: false,
    sorts: false,
    example: (_, text) => [{ type: 'paragraph', children: [{ type: 'text', text }] }],
  },
};

export const kindOf = ({ type }: Attribute): Kind | undefined => (Object.hasOwn(kinds, type) ? kinds[type] : undefined);

export const isPrivate = (attribute: Attribute): boolean => attribute['private'] === true;

/** What no answer tells. */
export const isSecret = (attribute: Attribute): boolean => isPrivate(attribute) || attribute.type === 'password';

/** Kinds that are returned only where `populate` asks for them. */
export const isPopulated = ({ type }: Attribute): boolean =>
  ['relation', 'media', 'component', 'dynamiczone'].includes(type);

export const isList = (attribute: Attribute): boolean =>
  attribute.type === 'dynamiczone' ||
  attribute['repeatable'] === true ||
  attribute['multiple'] === true ||
  /(ToMany|toMany|Many)$/.test(String(attribute['relation'] ?? ''));
