import type { Connection } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { chunksOf } from './in-list';
import { createTexts } from './kept-texts';
import type { Locks } from './locks';
import { placeholders } from './match-sql';
import type { AddedTie } from './tie-changes';
import type { TieTable } from './tie-table';

const insertedAtOnce = 500;
const endsAtOnce = 64;

/** Ties that are added to one table, as one attribute has them. */
export interface AddedTies {
  readonly kept: TieTable;
  readonly added: readonly AddedTie[];
}

/** A target's own list, which the column `back` of its ties orders. */
interface OwnList {
  readonly kept: TieTable;
  readonly target: number;
  /** Whether ties are added to its end. */
  readonly isOpen: boolean;
}

/** The end of such a list. */
interface End {
  readonly place: number;
  /** What stands there, null where nothing does; undefined where that is not known. */
  readonly last: number | null | undefined;
}

const emptyEnd: End = { place: 0, last: null };

/** The other side of a table orders its lists by the column that is `order` on this one. */
const listKey = ({ table }: TieTable, column: string, row: number): string => `${table} ${column} ${row}`;

/**
 * The lists that ties are added to, by their keys: attribute by attribute, and in the order of their rows, as all find them
 * who write the same.
 */
function listsOf(all: readonly AddedTies[]): Map<string, OwnList> {
  const lists = new Map<string, OwnList>();
  for (const { kept, added } of all) {
    if (kept.back === undefined) continue;
    for (const { target, back } of [...added].sort((one, other) => one.target - other.target)) {
      const key = listKey(kept, kept.back, target);
      lists.set(key, { kept, target, isOpen: back === undefined || (lists.get(key)?.isOpen ?? false) });
    }
  }
  return lists;
}

/** Ties that one statement can add. Those of one table keep their order, in which lists are where no other is given. */
function alike(all: readonly AddedTies[]): AddedTies[][] {
  const groups: AddedTies[][] = [];
  const last = new Map<string, AddedTies[]>();
  for (const each of all) {
    const { table, columns } = each.kept;
    const group = last.get(table);
    // The other side of a table has its columns the other way round.
    if (group && String(group[0]!.kept.columns) === String(columns)) group.push(each);
    else {
      const made = [each];
      groups.push(made);
      last.set(table, made);
    }
  }
  return groups;
}

/** Adds ties of however many attributes, with one statement for each table. */
export function createTieInserts(dialect: Dialect, locks: Locks) {
  const { id } = dialect;
  const insertText = createTexts();
  const endText = createTexts();

  /** The end of each list; each is looked up by itself, for an index has it. */
  async function endsOf(connection: Connection, lists: ReadonlyMap<string, OwnList>): Promise<Map<string, End>> {
    const ends = new Map<string, End>();
    for (const some of chunksOf([...lists], endsAtOnce)) {
      const sql = endText(some.map(([, { kept }]) => `${kept.table} ${kept.target}`).join(), () => {
        const next = placeholders(dialect);
        // PostgreSQL would look for a maximum in the index of all places, past those of other targets.
        // A subquery tells one value: the place and what stands there are one text. Ties of nothing stand nowhere.
        const end = ({ table, own, target, back }: TieTable): string =>
          `(select ${dialect.concat([`coalesce(${id(back!)},0)`, dialect.literal(' '), id(own)])} from ${id(table)} where ${id(target)}=${next()} and ${id(own)} is not null order by ${dialect.order(id(back!), true)},${id('id')} desc limit 1)`;
        return `select ${some.map(([, { kept }]) => end(kept)).join(',')}`;
      });
      const values = some.map(([, { target }]) => target);
      const [found] = await connection.rows({ sql }, values);
      for (const [index, [key]] of some.entries()) {
        const [place, last] = String(found![index] ?? '').split(' ');
        ends.set(key, last === undefined ? emptyEnd : { place: Number(place), last: Number(last) });
      }
    }
    return ends;
  }

  /** Gives ties their places at the ends of lists, behind those that are added before them. */
  async function place(
    connection: Connection,
    all: readonly AddedTies[],
    lists: ReadonlyMap<string, OwnList>,
  ): Promise<void> {
    const ends = await endsOf(connection, new Map([...lists].filter(([, { isOpen }]) => isOpen)));
    /** Notes a place that was given: what is as far behind as the end stands behind it, for it came later. */
    const raise = (key: string, place: number): void => {
      const end = ends.get(key);
      if (end && place >= end.place) ends.set(key, { place, last: undefined });
    };
    const append = (key: string, tie: AddedTie): void => {
      const { place, last } = ends.get(key)!;
      tie.back = place + 1;
      tie.ahead = last;
      ends.set(key, { place: tie.back, last: tie.owner });
    };
    for (const { kept, added } of all)
      for (const tie of added) {
        if (kept.back !== undefined) {
          const key = listKey(kept, kept.back, tie.target);
          if (tie.back === undefined) append(key, tie);
          else raise(key, tie.back);
        }
        if (kept.order !== undefined) raise(listKey(kept, kept.order, tie.owner), tie.order);
      }
  }

  /**
   * Who else adds to these lists waits from now on until the transaction ends: where a tie comes to stand among others is
   * for one writer at a time to say.
   */
  async function addToLists(
    connection: Connection,
    all: readonly AddedTies[],
    lists: ReadonlyMap<string, OwnList>,
  ): Promise<void> {
    await locks.lockLists(connection, [...lists.keys()]);
    await place(connection, all, lists);
    await insert(connection, all);
  }

  function rowsOf({ kept, added }: AddedTies): unknown[][] {
    return added.map(({ owner, target, uid, order, back, shownBy }) => {
      const row: unknown[] = [owner, target];
      if (kept.order !== undefined) row.push(order);
      if (kept.back !== undefined) row.push(back);
      if (kept.uidColumn !== undefined) row.push(uid);
      if (kept.shownBy !== undefined) row.push(shownBy ?? null);
      for (const [, value] of kept.fixed) row.push(value);
      return row;
    });
  }

  function insertSql({ table, columns }: TieTable, count: number): string {
    return insertText(`${table} ${columns} ${count}`, () => {
      const next = placeholders(dialect);
      const values = Array.from({ length: count }, () => `(${columns.map(next).join(',')})`).join(',');
      return `insert into ${id(table)} (${columns.map(id).join(',')}) values ${values}`;
    });
  }

  function insert(connection: Connection, all: readonly AddedTies[]): void | Promise<void> {
    const statements = alike(all).flatMap((group) =>
      chunksOf(group.flatMap(rowsOf), insertedAtOnce).map((rows) => ({ kept: group[0]!.kept, rows })),
    );
    const insertFrom = (first: number): void | Promise<void> => {
      for (let at = first; at < statements.length; at++) {
        const { kept, rows } = statements[at]!;
        const posted = connection.post({ sql: insertSql(kept, rows.length) }, rows.flat());
        if (posted) return posted.then(() => insertFrom(at + 1));
      }
    };
    return insertFrom(0);
  }

  return {
    /**
     * Adds ties where they are to stand, with as few statements as their order allows. Answers later where the connection
     * does, or where some come to stand in lists of what they lead to.
     */
    send(connection: Connection, all: readonly AddedTies[]): void | Promise<void> {
      const lists = listsOf(all);
      return lists.size === 0 ? insert(connection, all) : addToLists(connection, all, lists);
    },
  };
}

export type TieInserts = ReturnType<typeof createTieInserts>;
