import { createHash } from 'node:crypto';
import { Lru } from '../../../../core';
import type { Rows, Statement } from '../../database/database';

interface Known {
  readonly total: number;
  readonly version: string;
}

const keptTotals = 5_000;
/** Characters in all their keys. */
const keptText = 5_000_000;

/**
 * Exact totals that are not counted again while nothing was written: each is kept with the version of the data it was
 * counted in, and holds for as long as the database still shows that version.
 */
export interface Totals {
  get(key: string, version: string | undefined): number | undefined;
  set(key: string, version: string | undefined, total: number): void;
}

export function createTotals(): Totals {
  const known = new Lru<Known>(keptTotals, keptText);
  return {
    get(key, version) {
      const found = known.get(key);
      return found && found.version === version ? found.total : undefined;
    },
    set(key, version, total) {
      if (version !== undefined) known.set(key, { total, version });
    },
  };
}

export const firstNumber = (rows: Rows): number => Number(rows[0]?.[0] ?? 0);

/** Longer ones are kept by their checksum, so that no request fills the memory with its values. */
const longestValues = 1_000;

/** Values that JSON has no words for. */
const spelt = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    ? { value: String(value) }
    : value;

/** What a statement answers is kept under its text and its values. */
export function keyOf({ sql }: Statement, values: readonly unknown[]): string {
  if (values.length === 0) return sql;
  const given = JSON.stringify(values, spelt);
  return `${sql}\n${given.length > longestValues ? createHash('sha256').update(given).digest('base64') : given}`;
}
