import type { Bound } from '../../../core';
import type { Dialect } from '../dialects/dialect';
import type { BoundStatement } from './read-sql';

/**
 * How many sizes of pages are written out, of those that are asked for first: clients ask for one or two, and servers keep
 * what was prepared for each text.
 */
const mostSizes = 4;

/** Where a statement speaks of a part of a list: the slots of its start, if it may begin elsewhere, and of its size. */
interface Window {
  readonly start?: number;
  readonly limit: number;
}

export interface StatementFor {
  /** With parameters only. */
  readonly general: BoundStatement;
  of(bound: readonly Bound[]): BoundStatement;
}

/**
 * Statements for what is bound: with the sizes of their pages written out where these begin at the start, if the database
 * plans by that, else with parameters.
 */
export function forWindows(dialect: Dialect, make: (dialect: Dialect) => BoundStatement): StatementFor {
  if (!dialect.plansByWindow) {
    const general = make(dialect);
    return { general, of: () => general };
  }
  const windows: Window[] = [];
  const general = make({
    ...dialect,
    window(start, limit, parameters) {
      windows.push({ start, limit });
      return dialect.window(start, limit, parameters);
    },
    oneMore(limit, parameters) {
      windows.push({ limit });
      return dialect.oneMore(limit, parameters);
    },
  });
  const bySizes = new Map<string, BoundStatement>();

  return {
    general,
    of(bound) {
      const sizes = windows.map(({ limit }) => Number(bound[limit]));
      const areWritten = windows.every(({ start }) => start === undefined || Number(bound[start]) === 0);
      if (windows.length === 0 || !areWritten || !sizes.every(Number.isSafeInteger)) return general;
      const key = sizes.join(' ');
      const known = bySizes.get(key);
      if (known || bySizes.size >= mostSizes) return known ?? general;
      const made = make({
        ...dialect,
        window: (_, limit) => `limit ${Number(bound[limit])}`,
        oneMore: (limit) => `limit ${Number(bound[limit]) + 1}`,
      });
      bySizes.set(key, made);
      return made;
    },
  };
}
