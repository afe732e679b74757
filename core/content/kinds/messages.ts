import type { Refusal } from './kind';

const mostDepth = 50;
const mostParts = 2_000;
const mostText = 10_000;
const cutMark = '…';

/** Copies a value while a number of parts lasts; undefined where it is small enough to be shown as it is. */
function shortened(value: unknown): unknown {
  let left = mostParts;
  let isCut = false;
  const copied = (part: unknown, depth: number): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (depth === 0 || left <= 0) {
      isCut = true;
      return cutMark;
    }
    const keys = Object.keys(part);
    const shown = keys.slice(0, left);
    left -= keys.length;
    isCut ||= shown.length < keys.length;
    const entries = shown.map((key) => [key, copied((part as Record<string, unknown>)[key], depth - 1)] as const);
    return Array.isArray(part) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
  };
  const copy = copied(value, mostDepth);
  return isCut ? copy : undefined;
}

/** A value that can be spelt and sent: what is nested deeper, or has more parts, than anybody means is left out. */
export const bounded = (value: unknown): unknown => shortened(value) ?? value;

/** A text that can be sent. */
export const cut = (text: string): string => (text.length > mostText ? `${text.slice(0, mostText)}${cutMark}` : text);

/** A value as messages print it: strings in quotes, structures as JSON in which every leaf is itself printed. */
export function printed(value: unknown, quoteStrings = true): string {
  const leaf = printedLeaf(value, quoteStrings);
  const spell = (_key: string, inner: unknown): unknown => printedLeaf(inner, quoteStrings) ?? inner;
  return cut(leaf ?? JSON.stringify(bounded(value), spell, 2));
}

function printedLeaf(value: unknown, quoteStrings: boolean): string | undefined {
  if (typeof value === 'string') return quoteStrings ? `"${value}"` : value;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return typeof value === 'object' && value !== null ? undefined : String(value);
}

/** The value's type is wrong; `given` is told when the value was cast before it failed. */
export function wrongType(label: string, type: string, value: unknown, given: unknown = value): Refusal {
  const cast = Object.is(value, given) ? '' : ` (cast from the value \`${printed(given)}\`)`;
  const shown = typeof value === 'number' && !Number.isFinite(value) ? null : bounded(value);
  return {
    message: `${label} must be a \`${type}\` type, but the final value was: \`${printed(value)}\`${cast}.`,
    value: shown,
  };
}

export const missing = (label: string): Refusal => ({ message: `${label} must be defined.` });

/** A null where none may be: it is no number, no text, no list. Where the kind has no name for its type, it is no value. */
export function noNull(label: string, type: string | undefined, isNew: boolean): Refusal {
  if (type === undefined)
    return isNew ? { ...missing(label), value: null } : { message: `${label} cannot be null.`, value: null };
  return wrongType(label, type, type === 'number' ? Number.NaN : null);
}
