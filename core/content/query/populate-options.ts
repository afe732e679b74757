/** What stands for yes, and for no, where an attribute is populated. */
export const yes = new Set<unknown>(['true', 't', '1', true]);
export const no = new Set<unknown>(['false', 'f', '0', false, undefined]);
/** The words that an object may hold beside names. */
export const options = new Set(['fields', 'filters', 'sort', 'populate', 'on', 'count']);
export const identifiers = new Set(['id', 'documentId']);
/** Where something stands in a list that is written as an object. */
export const isPlace = (key: string): boolean => /^\d{1,2}$/.test(key);

export type Options = Readonly<Record<string, unknown>>;

/** What is asked of one nested attribute: all of it, or with options. */
export type Node = true | Options;

export const isRecord = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
