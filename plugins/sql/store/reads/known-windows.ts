import type { Bound } from '../../../../core';
import type { Dialect } from '../../dialects/dialect';
import type { BoundStatement } from '../select/read-sql';

/**
 * How many kinds of first pages and of others are written out, of those that are asked for first: clients ask for few sizes,
 * and servers keep what was prepared for each text.
 */
const mostKinds = { first: 4, behind: 8 };

/** Where a statement speaks of a part of a list: the slots of its start, if it may begin elsewhere, and of its size. */
interface Window {
  readonly start?: number;
  readonly limit: number;
}

/** What is written into a text of one part of a list: its size, and within how many rows it is if it begins behind the first. */
interface Written {
  readonly size: number;
  readonly within?: number;
}

const leastBound = 128;
const greatestBound = 2 ** 15;

/** Pages that begin anywhere share few texts, each planned for no more than four times the rows it looks at, or the least. */
function boundOf(rows: number): number {
  let bound = leastBound;
  while (bound < rows) bound *= 4;
  return bound;
}

/** Nothing for what is no size, and behind so many rows that planning costs little beside going through them. */
function written(bound: readonly Bound[], window: Window): Written | undefined {
  const size = Number(bound[window.limit]);
  const start = window.start === undefined ? 0 : Number(bound[window.start]);
  if (!Number.isSafeInteger(size)) return undefined;
  if (start === 0) return { size };
  return size + start <= greatestBound ? { size, within: boundOf(size + start) } : undefined;
}

export interface StatementFor {
  /** With parameters only. */
  readonly general: BoundStatement;
  /** Characters of it, and of one that is written out. */
  readonly size: number;
  of(bound: readonly Bound[]): BoundStatement;
}

/**
 * Statements for what is bound: if the database plans by how many rows are looked at, with the sizes of their pages written
 * out, and with a bound of rows that a page behind the first is within; else with parameters.
 */
export function forWindows(dialect: Dialect, make: (dialect: Dialect) => BoundStatement): StatementFor {
  const { windowWithin } = dialect;
  if (!windowWithin) {
    const general = make(dialect);
    return { general, size: general.sql.length, of: () => general };
  }
  const windows: Window[] = [];
  const general = make({
    ...dialect,
    window(select, start, limit, parameters) {
      windows.push({ start, limit });
      return dialect.window(select, start, limit, parameters);
    },
    oneMore(limit, parameters) {
      windows.push({ limit });
      return dialect.oneMore(limit, parameters);
    },
  });
  const byKind = { first: new Map<string, BoundStatement>(), behind: new Map<string, BoundStatement>() };

  return {
    general,
    size: 2 * general.sql.length,
    of(bound) {
      const kinds = windows.map((window) => written(bound, window));
      if (kinds.length === 0 || !kinds.every((kind) => kind !== undefined)) return general;
      const key = kinds.map(({ size, within }) => `${size}/${within}`).join(' ');
      const place = kinds.every(({ within }) => within === undefined) ? 'first' : 'behind';
      const known = byKind[place].get(key);
      if (known || byKind[place].size >= mostKinds[place]) return known ?? general;
      const made = make({
        ...dialect,
        window(select, start, limit, parameters, order) {
          const { size, within } = written(bound, { start, limit })!;
          return within === undefined
            ? `${select} limit ${size}`
            : windowWithin(select, within, size, start, parameters, order);
        },
        oneMore: (limit) => `limit ${Number(bound[limit]) + 1}`,
      });
      byKind[place].set(key, made);
      return made;
    },
  };
}
