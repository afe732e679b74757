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

function walk(value: unknown, values: unknown[]): string {
  if (value === null || value === undefined) return '~';
  if (typeof value !== 'object') {
    values.push(value);
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
