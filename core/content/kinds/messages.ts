import type { Refusal } from './kind';

/** A value as messages print it: strings in quotes, structures as JSON in which every leaf is itself printed. */
export function printed(value: unknown, quoteStrings = true): string {
  const leaf = printedLeaf(value, quoteStrings);
  return leaf ?? JSON.stringify(value, (_key, inner) => printedLeaf(inner, quoteStrings) ?? inner, 2);
}

function printedLeaf(value: unknown, quoteStrings: boolean): string | undefined {
  if (typeof value === 'string') return quoteStrings ? `"${value}"` : value;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  return typeof value === 'object' && value !== null ? undefined : String(value);
}

/** The value's type is wrong; `given` is told when the value was cast before it failed. */
export function wrongType(label: string, type: string, value: unknown, given: unknown = value): Refusal {
  const cast = Object.is(value, given) ? '' : ` (cast from the value \`${printed(given)}\`)`;
  const shown = typeof value === 'number' && !Number.isFinite(value) ? null : value;
  return {
    message: `${label} must be a \`${type}\` type, but the final value was: \`${printed(value)}\`${cast}.`,
    value: shown,
  };
}

export const missing = (label: string): Refusal => ({ message: `${label} must be defined.` });
export const noNull = (label: string, type: string): Refusal => wrongType(label, type, null);
