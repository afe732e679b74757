/**
 * Splits what a request asks into its shape, which decides the plan, and its values, which are bound to it. Two
 * requests of one shape differ only in scalars; null, and the truth given to `$null` and `$notNull`, belong to the
 * shape because they change the condition.
 */
export interface Shaped {
  readonly shape: string;
  readonly values: readonly unknown[];
}

const falsy = new Set<unknown>([null, undefined, '', '0', 'f', 'false', 0, false]);
const plainKey = /^[\w$]+$/;

/** How the operators `$null` and `$notNull` read their value. */
export const meansYes = (value: unknown): boolean => !falsy.has(value);

export const isNullOperator = (key: string): boolean => key === '$null' || key === '$notNull';

/** A moment that code filters by, as a request would write it; one that is none is left to whoever reads it. */
export const dateText = (date: Date): string => (Number.isNaN(date.getTime()) ? String(date) : date.toISOString());

function walk(value: unknown, values: unknown[]): string {
  if (value === null || value === undefined) return '~';
  if (typeof value !== 'object' || value instanceof Date) {
    values.push(value instanceof Date ? dateText(value) : value);
    return '?';
  }
  if (Array.isArray(value)) return `[${value.map((item) => walk(item, values)).join()}]`;
  let text = '{';
  for (const [key, child] of Object.entries(value)) {
    text += plainKey.test(key) ? key : JSON.stringify(key);
    text += isNullOperator(key) ? (meansYes(child) ? '+,' : '-,') : `:${walk(child, values)},`;
  }
  return `${text}}`;
}

export function shapeOf(filters: unknown): Shaped {
  const values: unknown[] = [];
  return { shape: walk(filters, values), values };
}
