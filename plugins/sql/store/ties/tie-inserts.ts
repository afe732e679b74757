import { chunksOf, flatMapped } from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { inTurn } from '../locks/in-turn';
import type { Locks } from '../locks/locks';
import { createTexts } from '../tables/kept-texts';
import { placeholders } from '../tables/match-sql';
import { createListEnds, endsAtOnce } from './list-ends';
import type { AddedTie } from './tie-changes';
import {
  type AddedTies,
  createNoteNames,
  givePlaces,
  listsOf,
  type NotedPlace,
  type OwnList,
  placesBehind,
} from './tie-lists';
import type { TieTable } from './tie-table';

const insertedAtOnce = 500;

/** A row that is added. What orders its target's list is counted from the note of that list's end, where one is named. */
interface NewRow {
  readonly values: readonly unknown[];
  readonly end: string | undefined;
}

type Places = ReadonlyMap<AddedTie, NotedPlace>;
const noPlaces: Places = new Map();

/** Ties that one statement can add. Those of one table keep their order, in which lists are where no other is given. */
function alike(all: readonly AddedTies[]): AddedTies[][] {
  const groups: AddedTies[][] = [];
  const last = new Map<string, AddedTies[]>();
  for (const each of all) {
    const { table } = each.kept;
    const group = last.get(table);
    // The other side of a table has its columns the other way round.
    if (group && group[0]!.kept.addedAs === each.kept.addedAs) group.push(each);
    else {
      const made = [each];
      groups.push(made);
      last.set(table, made);
    }
  }
  return groups;
}

/** Ties of tables in which ties come to lists, and those of all others: ties of one table keep their order. */
function apart(all: readonly AddedTies[]): { listed: AddedTies[]; others: AddedTies[] } {
  const tables = new Set(all.filter(({ kept }) => kept.back !== undefined).map(({ kept }) => kept.table));
  const isListed = ({ kept }: AddedTies): boolean => tables.has(kept.table);
  return { listed: all.filter(isListed), others: all.filter((each) => !isListed(each)) };
}

/** Takes what will be told: where ties came to stand that are sent. */
export type Telling = (told: Promise<void>) => void;

/** Adds ties of however many attributes, with one statement for each table. */
export function createTieInserts(dialect: Dialect, locks: Locks) {
  const { id, notes } = dialect;
  const ends = createListEnds(dialect);
  const namesOf = createNoteNames();
  const insertText = createTexts();

  function rowsOf({ kept, added }: AddedTies, places: Places): NewRow[] {
    return added.map((tie) => {
      const { owner, target, uid, order, back, shownBy } = tie;
      const noted = places.get(tie);
      const values: unknown[] = [owner, target];
      if (kept.order !== undefined) values.push(order);
      if (kept.back !== undefined) values.push(noted ? noted.behind : back);
      if (kept.uidColumn !== undefined) values.push(uid);
      if (kept.shownBy !== undefined) values.push(shownBy ?? null);
      for (const [, value] of kept.fixed) values.push(value);
      return { values, end: noted?.end };
    });
  }

  function insertSql({ table, columns, back, addedAs }: TieTable, rows: readonly NewRow[]): string {
    const places = rows.some(({ end }) => end !== undefined) ? ` ${rows.map(({ end }) => end)}` : '';
    return insertText(`${addedAs} ${rows.length}${places}`, () => {
      const next = placeholders(dialect);
      const cell = (column: string, end: string | undefined): string =>
        column === back && end !== undefined ? `${notes!.number(end)}+${next()}` : next();
      const values = rows.map(({ end }) => `(${columns.map((column) => cell(column, end)).join(',')})`).join(',');
      return `insert into ${id(table)} (${columns.map(id).join(',')}) values ${values}`;
    });
  }

  function insert(connection: Connection, all: readonly AddedTies[], places: Places): void | Promise<void> {
    const statements = flatMapped(alike(all), (group) =>
      chunksOf(
        flatMapped(group, (each) => rowsOf(each, places)),
        insertedAtOnce,
      ).map((rows) => ({ kept: group[0]!.kept, rows })),
    );
    return inTurn(statements, ({ kept, rows }) =>
      connection.post(
        { sql: insertSql(kept, rows) },
        flatMapped(rows, ({ values }) => values),
      ),
    );
  }

  async function addOnceFound(
    connection: Connection,
    all: readonly AddedTies[],
    open: readonly (readonly [string, OwnList])[],
  ): Promise<void> {
    givePlaces(all, await ends.find(connection, open));
    await insert(connection, all, noPlaces);
  }

  /**
   * Who else adds to these lists waits from now on until the transaction ends: where a tie comes to stand among others is
   * for one writer at a time to say.
   */
  function addToLists(
    connection: Connection,
    all: readonly AddedTies[],
    lists: ReadonlyMap<string, OwnList>,
    telling: Telling,
  ): void | Promise<void> {
    const open = [...lists].filter(([, { isOpen }]) => isOpen);
    function add(): void | Promise<void> {
      if (open.length === 0) return insert(connection, all, noPlaces);
      const names = notes && open.length <= endsAtOnce ? namesOf(open) : undefined;
      const places = names && placesBehind(all, names);
      if (!places) return addOnceFound(connection, all, open);
      telling(ends.note(connection, open, [...names!.values()]).then((found) => givePlaces(all, found)));
      return insert(connection, all, places);
    }
    const locking = locks.lockLists(connection, [...lists.keys()]);
    return locking ? locking.then(add) : add();
  }

  return {
    /**
     * Adds ties where they are to stand, with as few statements as their order allows; those that come to lists behind all
     * others, for which nobody need be kept from the lists. Answers later where the connection
     * does, or where what they stand behind has to be found first; where that is noted, `telling` is handed when it is told.
     */
    send(connection: Connection, all: readonly AddedTies[], telling: Telling): void | Promise<void> {
      const lists = listsOf(all);
      if (lists.size === 0) return insert(connection, all, noPlaces);
      const { listed, others } = apart(all);
      const before = insert(connection, others, noPlaces);
      const add = () => addToLists(connection, listed, lists, telling);
      return before ? before.then(add) : add();
    },
  };
}

export type TieInserts = ReturnType<typeof createTieInserts>;
