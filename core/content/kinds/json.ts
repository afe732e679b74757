import { z } from 'zod';
import { isDeeperThan, mostBodyLevels } from '../../levels';
import { type AttributeKind, UnfitValue } from './kind';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A text that spells JSON other than a text stands for what it spells, unless that is deeper than a body may be. */
export function unwrapped(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  const once = parsed(given);
  const twice = typeof once === 'string' && once !== given ? parsed(once) : once;
  return typeof twice === 'string' || isDeeperThan(twice, mostBodyLevels) ? given : twice;
}

/** JSON is kept as text, spelt as `JSON.stringify` does. */
export function toStoredJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

export function jsonFilter(given: unknown): string {
  if (typeof given === 'object') throw new UnfitValue('A filter on JSON takes its text.');
  return String(given);
}

export const json: AttributeKind = {
  name: 'json',
  storage: 'json',
  options: z.object({ default: z.unknown().optional() }),
  check: () => (given) => ({ value: toStoredJson(unwrapped(given)) }),
  toFilter: jsonFilter,
};

/** A list of texts or numbers, kept as JSON. */
export const array: AttributeKind = { ...json, name: 'array' };
