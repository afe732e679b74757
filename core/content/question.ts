import type { Bound } from './store';

/** Longer ones are asked once in a lifetime. */
const longest = 4_000;

/** The same text for the same plan with the same values alone; undefined where that would be too long. */
export function questionOf(plan: number, values: readonly Bound[]): string | undefined {
  let text = `${plan} `;
  for (const value of values)
    text += typeof value === 'string' ? `"${value.length}:${value}` : `,${typeof value}:${value}`;
  return text.length > longest ? undefined : text;
}
