import type { Bound, ReadPlan } from '../../../core';
import type { Connection, Database, Rows, Watch } from '../database/database';
import type { BoundStatement } from './read-sql';
import { firstNumber, keyOf, type Totals } from './totals';

/** Milliseconds of a count from which on it is asked first whether the last one still holds. */
const dear = 1;

/** The total of a list, where a page that is not full is its end. */
export function toldByPage(
  { start, limit, after }: ReadPlan,
  bound: readonly Bound[],
  { count }: { readonly count: number },
): number | undefined {
  const first = Number(bound[start]);
  const isEnd = !after && count < Number(bound[limit]) && (count > 0 || first === 0);
  return isEnd ? first + count : undefined;
}

/** What was read with a page. */
interface Shown {
  /** The transaction in which it was read. */
  readonly inside: Connection | undefined;
  /** The version of the data that it was read from, where the database tells. */
  readonly version: string | undefined;
}

/** How many documents match a list: counted, or known since nothing was written after it was counted. */
export function prepareTotal(
  count: BoundStatement,
  tables: () => readonly string[],
  database: Database,
  totals: Totals,
): (bound: readonly Bound[], shown: Shown) => number | Promise<number> {
  const { watch } = database;
  let lastTook = 0;

  async function timed(values: readonly unknown[]): Promise<number> {
    const begun = performance.now();
    const total = firstNumber(await database.rows(count, values));
    lastTook = performance.now() - begun;
    return total;
  }

  /** The order matters: a total belongs to a version that was at rest before it was counted. */
  async function watched({ look, sees }: Watch, values: readonly unknown[]): Promise<number> {
    const seen = lastTook < dear ? undefined : await look();
    if (!seen) return timed(values);
    const key = keyOf(count, values);
    const known = totals.get(key, seen.version);
    if (known !== undefined) return known;
    const isSeen = seen.isAtRest && (await sees(tables()));
    const total = await timed(values);
    if (isSeen) totals.set(key, seen.version, total);
    return total;
  }

  /** The version is told by what was read. */
  function versioned({ version }: Shown, values: readonly unknown[]): number | Promise<number> {
    const key = keyOf(count, values);
    const known = totals.get(key, version);
    if (known !== undefined) return known;
    const counted = (found: Rows): number => {
      const total = firstNumber(found);
      totals.set(key, found[0]?.[1] as string | undefined, total);
      return total;
    };
    const found = database.rows(count, values);
    return found instanceof Promise ? found.then(counted) : counted(found);
  }

  return (bound, shown) => {
    const values = count.parameters.values(bound);
    // What a transaction wrote itself has no version that others could see: its totals are its own.
    if (shown.inside) return Promise.resolve(shown.inside.rows(count, values)).then(firstNumber);
    return watch ? watched(watch, values) : versioned(shown, values);
  };
}
