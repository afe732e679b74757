import type { Bound, ReadPlan } from '../../../../core';
import type { Connection, Database, Rows, Watch, Watched } from '../../database/database';
import type { BoundStatement } from '../select/read-sql';
import { firstNumber, keyOf, type Totals } from './totals';

/** Milliseconds of a count from which on it is asked first whether the last one still holds. */
const dear = 1;

/** How many documents a page shows. */
export interface Counted {
  readonly count: number;
}

/** The total of a list, where a page that is not full is its end. */
export function toldByPage(
  { start, limit, after }: ReadPlan,
  bound: readonly Bound[],
  { count }: Counted,
): number | undefined {
  const first = Number(bound[start]);
  const isEnd = !after && count < Number(bound[limit]) && (count > 0 || first === 0);
  return isEnd ? first + count : undefined;
}

/** How many there are at least, of which a page shows some. */
export const leastOf = ({ start, after }: ReadPlan, bound: readonly Bound[], { count }: Counted): number =>
  after || count === 0 ? count : Number(bound[start]) + count;

/** How a page was read. */
export interface PageRead {
  /** The transaction in which it was read. */
  readonly inside: Connection | undefined;
  /** The version of the data that it was read from, where the database tells. */
  readonly version: string | undefined;
  /** What a look saw that was asked for with the page, and begins once that is sent. */
  readonly seen: Promise<Watched | undefined> | undefined;
}

interface Shown extends PageRead {
  /** How many the page shows that there are. */
  readonly least: number;
}

/** How many documents match a list: counted, or known since nothing was written after it was counted. */
export interface ListTotal {
  /** Looks beside the page whether the last total still holds, where lists of this kind asked for that. */
  look(): Promise<Watched | undefined> | undefined;
  /** To be called where a page told the total itself, so that the next one is not looked at in vain. */
  unasked(): void;
  of(bound: readonly Bound[], shown: Shown): number | Promise<number>;
}

export function prepareTotal(
  count: BoundStatement,
  tables: () => readonly string[],
  database: Database,
  totals: Totals,
): ListTotal {
  const { watch } = database;
  let lastTook = 0;
  let isLookedAt = false;

  async function timed(values: readonly unknown[]): Promise<number> {
    const begun = performance.now();
    const total = firstNumber(await database.rows(count, values));
    lastTook = performance.now() - begun;
    return total;
  }

  /** The order matters: a total belongs to a version that was at rest before it was counted. */
  async function watched({ look, sees }: Watch, values: readonly unknown[], shown: Shown): Promise<number> {
    isLookedAt = lastTook >= dear;
    const seen = isLookedAt ? await (shown.seen ?? look()) : undefined;
    if (!seen) return timed(values);
    const key = keyOf(count, values);
    const known = totals.get(key, seen.version);
    // The page may have been read later than the look, and show more.
    if (known !== undefined && known >= shown.least) return known;
    const isSeen = seen.isAtRest && (await sees(tables()));
    const total = await timed(values);
    if (isSeen) totals.set(key, seen.version, total);
    return total;
  }

  /** What was told over the connections that there are. */
  const versionOf = (told: unknown): string | undefined =>
    told === undefined ? undefined : `${database.opened?.() ?? 0}:${told}`;

  /** The version is told by what was read. */
  function versioned({ version, least }: Shown, values: readonly unknown[]): number | Promise<number> {
    const key = keyOf(count, values);
    const known = totals.get(key, versionOf(version));
    if (known !== undefined && known >= least) return known;
    const counted = (found: Rows): number => {
      const total = firstNumber(found);
      totals.set(key, versionOf(found[0]?.[1]), total);
      return total;
    };
    const found = database.rows(count, values);
    return found instanceof Promise ? found.then(counted) : counted(found);
  }

  return {
    look: () => (isLookedAt ? watch?.look() : undefined),
    unasked() {
      isLookedAt = false;
    },
    of(bound, shown) {
      const values = count.parameters.values(bound);
      // What a transaction wrote itself has no version that others could see: its totals are its own.
      if (shown.inside) return Promise.resolve(shown.inside.rows(count, values)).then(firstNumber);
      return watch ? watched(watch, values, shown) : versioned(shown, values);
    },
  };
}
