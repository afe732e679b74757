import { type ContentType, grouped, type Row, type RowMatch, type ScalarStorage, type Tie } from '../../../../core';
import type { TypeTable } from '../tables/type-table';
import { type AddedTie, type KeptTie, untold } from './tie-changes';
import type { AddedTies } from './tie-lists';
import { inOrder, type SoughtInTable } from './tie-reads';
import type { TieTable } from './tie-table';

/** A row of a table of ties. */
interface TieRow {
  /** The side that it was added from: the other one has the columns the other way round. */
  readonly kept: TieTable;
  readonly tie: AddedTie;
}

/** What a row has in a column. Its place in the target's own list is told once the row is sent. */
function valueIn({ kept, tie }: TieRow, column: string): unknown {
  switch (column) {
    case kept.own:
      return tie.owner;
    case kept.target:
      return tie.target;
    case kept.order:
      return tie.order;
    case kept.back:
      return tie.back;
    case kept.uidColumn:
      return tie.uid;
    case kept.shownBy:
      return tie.shownBy;
    default:
      return kept.fixed.find(([name]) => name === column)?.[1];
  }
}

/**
 * What a transaction has added itself, and not changed since: it need not be read. New rows can be tied by nothing but what
 * was added with them, so of them all ties are known, too, as long as those of their table were only added to.
 */
export interface Added {
  rows(table: TypeTable, ids: readonly number[], rows: readonly Row[]): void;
  ties(all: readonly AddedTies[]): void;
  /** The rows of a type that match were changed. */
  changed(type: ContentType, match: RowMatch): void;
  /** Ties of a table were changed or removed. */
  retied(table: string): void;
  /** Rows were removed, and what was tied to them with them. */
  removed(): void;
  /** The rows that match, as far as that can be told; undefined where it has to be read. */
  rowsOf(type: ContentType, match: RowMatch, names: readonly string[] | undefined): Row[] | undefined;
  /**
   * What stands right before a row in each owner's list, as it was when the row came there; undefined where that has to be
   * read, as of ties that are yet to be sent.
   */
  before(kept: TieTable, owners: readonly number[], row: number): Tie[] | undefined;
  /** Where they stand in their targets' own lists is told unless it need not be. */
  tiesOf(type: string, sought: SoughtInTable, needsNoPlaces?: boolean): KeptTie[] | undefined;
}

const numbers = (id: RowMatch['id']): readonly number[] => (typeof id === 'number' ? [id] : (id ?? []));

/** Whether the database may tell it otherwise than it was given: rounded, or shorter. */
const isRespelt = (value: unknown, storage: ScalarStorage): boolean =>
  value !== null && (storage === 'time' || (storage === 'decimal' && Number(Number(value).toFixed(2)) !== value));

/** What a row was given when it was added. */
interface GivenRow {
  readonly table: TypeTable;
  readonly given: Row;
}

/**
 * A row with what is asked for of all that its type has, of values that mean what is read, though they may be spelt otherwise:
 * JSON, which PostgreSQL sorts. Undefined where more than that may differ.
 */
function told({ table, given }: GivenRow, id: number, names: Iterable<string>): Row | undefined {
  const row: Record<string, Row[string]> = {};
  for (const name of names) {
    const value = name === 'id' ? id : (given[name] ?? null);
    if (isRespelt(value, table.storage(table.type.attributes.get(name)!))) return undefined;
    row[name] = value;
  }
  return row;
}

/** How many rows are kept in mind: what adds more reads what it needs of them, and does not keep it all in memory. */
const mostKept = 10_000;

export function createAdded(): Added {
  const rows = new Map<string, Map<number, GivenRow | undefined>>();
  const ties = new Map<string, TieRow[]>();
  const retied = new Set<string>();
  let isKnown = true;
  let inMind = 0;

  function forget(): void {
    isKnown = false;
    rows.clear();
    ties.clear();
  }

  /** Whether more can be kept in mind. */
  function takes(more: number): boolean {
    inMind += more;
    if (inMind > mostKept) forget();
    return isKnown;
  }

  return {
    rows(table, ids, given) {
      if (!takes(ids.length)) return;
      const { uid } = table.type;
      const own = rows.get(uid) ?? new Map<number, GivenRow | undefined>();
      rows.set(uid, own);
      for (const [at, id] of ids.entries()) own.set(id, { table, given: given[at]! });
    },
    ties(all) {
      for (const { kept, added } of all) {
        if (!takes(added.length)) return;
        const known = ties.get(kept.table) ?? [];
        ties.set(kept.table, known);
        for (const tie of added) known.push({ kept, tie });
      }
    },
    changed({ uid }, { id }) {
      const own = rows.get(uid);
      if (!own) return;
      for (const changed of id === undefined ? own.keys() : numbers(id))
        if (own.has(changed)) own.set(changed, undefined);
    },
    retied: (table) => void retied.add(table),
    removed: forget,

    rowsOf({ uid, attributes }, match, names) {
      const own = rows.get(uid);
      if (!isKnown || !own || match.id === undefined || Object.keys(match).length > 1) return undefined;
      const found: Row[] = [];
      for (const id of [...new Set(numbers(match.id))].sort((one, other) => one - other)) {
        const row = own.get(id);
        const known = row && told(row, id, names ?? attributes.keys());
        if (!known) return undefined;
        found.push(known);
      }
      return found;
    },
    before({ table, own, target, order, uid }, owners, row) {
      if (!isKnown || retied.has(table) || uid === undefined) return undefined;
      const asked = new Set<unknown>(owners);
      const inLists = (ties.get(table) ?? []).filter((each) => asked.has(valueIn(each, own)));
      const lists = grouped(inLists, (each) => valueIn(each, own) as number);
      if (lists.size < asked.size) return undefined;
      const found: Tie[] = [];
      for (const [owner, list] of lists) {
        const tied = list.find((each) => valueIn(each, target) === row);
        // All were added from the other side, to the end of this list: none can have come between.
        if (!tied || !list.every(({ kept: { back }, tie }) => back === order && tie.ahead !== undefined))
          return undefined;
        const { ahead } = tied.tie;
        if (typeof ahead === 'number') found.push({ owner, target: ahead, uid });
      }
      return found;
    },
    tiesOf(type, { kept, by, rows: ids, uid }, needsNoPlaces = false) {
      const own = rows.get(type);
      if (!isKnown || retied.has(kept.table) || !own || !ids.every((id) => own.has(id))) return undefined;
      const inTable = ties.get(kept.table);
      if (!inTable) return [];
      const sought = new Set<unknown>(ids);
      const found = inTable.filter(
        (row) =>
          sought.has(valueIn(row, by === 'own' ? kept.own : kept.target)) &&
          kept.fixed.every(([column, value]) => valueIn(row, column) === value) &&
          (uid === undefined || kept.uidColumn === undefined || valueIn(row, kept.uidColumn) === uid),
      );
      const isPlaced = ({ kept: { back }, tie }: TieRow): boolean =>
        back === undefined || tie.back !== undefined || (needsNoPlaces && back === kept.back);
      if (!found.every(isPlaced)) return undefined;
      const tieIn = (row: TieRow): KeptTie => {
        const value = <T>(column: string | undefined): T | undefined =>
          column === undefined ? undefined : (valueIn(row, column) as T | undefined);
        return {
          id: untold,
          owner: value<number>(kept.own)!,
          target: value<number>(kept.target)!,
          uid: value<string>(kept.uidColumn) ?? kept.uid!,
          order: value<number>(kept.order) ?? null,
          back: value<number>(kept.back),
          shownBy: value<string>(kept.shownBy),
        };
      };
      return found.map(tieIn).sort(inOrder);
    },
  };
}
