import {
  type ContentType,
  flatMapped,
  grouped,
  type Nested,
  type NestedTyings,
  type SoughtTies,
  type StoreTransaction,
  type Tie,
} from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import type { Locks } from '../locks/locks';
import type { TypeTable } from '../tables/type-table';
import type { Added } from './added';
import { createLateTies, type LateTies } from './late-ties';
import { createReties } from './retie';
import { createTieInserts } from './tie-inserts';
import { createTieNeighbours } from './tie-neighbours';
import { createTieReads, type SoughtInTable } from './tie-reads';
import { type TieTable, tieTableOf } from './tie-table';
import { type TieColumn, tieColumnOf, tiesInColumn } from './ties-in-column';
import { type TableTyings, tiesInTables } from './ties-in-table';

type TieMethods = Pick<
  StoreTransaction,
  'ties' | 'tiesTo' | 'tiesOf' | 'tie' | 'tieAll' | 'retie' | 'handOver' | 'before' | 'place'
>;

/** What a transaction does with ties, and those that it has still to add. */
interface TiesOfTransaction {
  readonly late: LateTies;
  readonly methods: TieMethods;
}

/** Where ties are kept: in a table of their own, or in a column. */
interface Held {
  readonly table?: TieTable;
  readonly column?: TieColumn;
}

/** What can be changed together: of a table that shows the same ties from two sides, one side. */
function roundsOf(all: readonly TableTyings[]): TableTyings[][] {
  const rounds: TableTyings[][] = [];
  let sides = new Map<string, string>();
  for (const each of all) {
    const { table, own } = each.kept;
    const isOther = sides.has(table) && sides.get(table) !== own;
    if (isOther || rounds.length === 0) {
      rounds.push([]);
      sides = new Map();
    }
    sides.set(table, own);
    rounds.at(-1)!.push(each);
  }
  return rounds;
}

/** What ties rows together, wherever the layout keeps it. */
export function createTies(dialect: Dialect, tableOf: (type: ContentType) => TypeTable, locks: Locks) {
  const read = createTieReads(dialect);
  const inserts = createTieInserts(dialect, locks);
  const neighboursIn = createTieNeighbours(dialect);
  const reties = createReties(dialect);
  const held = new WeakMap<TypeTable, Map<Nested, Held>>();

  function heldBy(type: ContentType, nested: Nested): Held {
    const own = tableOf(type);
    const known = held.get(own) ?? new Map<Nested, Held>();
    held.set(own, known);
    const found = known.get(nested);
    if (found) return found;
    const place = own.place(nested);
    const made = { table: tieTableOf(place), column: tieColumnOf(place, own.name, dialect) };
    if (!made.table && !made.column) throw new Error(`${type.uid}.${nested.name} ties nothing`);
    known.set(nested, made);
    return made;
  }

  return (bare: Connection, memory: Added): TiesOfTransaction => {
    const late = createLateTies(bare, inserts);
    const { connection } = late;
    const tieInTables = tiesInTables(connection, dialect, { read, memory, late });
    const inColumn = (column: TieColumn | undefined) => tiesInColumn(connection, dialect, column!);

    async function tiesOf(all: readonly SoughtTies[]): Promise<Tie[][]> {
      const found: Tie[][] = all.map(() => []);
      const inTables: SoughtInTable[] = [];
      const from: number[] = [];
      const look = (at: number, rowsOf: string, sought: SoughtInTable): void => {
        const known = memory.tiesOf(rowsOf, sought, all[at]!.needsNoPlaces);
        if (known) found[at] = known;
        else from.push(at) && inTables.push(sought);
      };
      for (const [at, sought] of all.entries()) {
        const { table, column } = heldBy(sought.type, sought.nested);
        if ('owners' in sought) {
          if (table) look(at, sought.type.uid, { kept: table, by: 'own', rows: sought.owners, uid: undefined });
          else found[at] = await inColumn(column).ties(sought.owners);
        } else {
          const { uid, targets } = sought;
          if (!table) found[at] = await inColumn(column).tiesTo(uid, targets);
          else if (table.uid === undefined || table.uid === uid)
            look(at, uid, { kept: table, by: 'target', rows: targets, uid });
        }
      }
      for (const [index, ties] of (await read(connection, inTables)).entries()) found[from[index]!] = ties;
      return found;
    }

    async function tieAll(all: readonly NestedTyings[]): Promise<void> {
      const inTables: TableTyings[] = [];
      for (const { type, nested, tyings } of all) {
        const { table, column } = heldBy(type, nested);
        const owners = tableOf(type);
        if (table) inTables.push({ kept: table, owners, tyings });
        else await inColumn(column).tie(owners, tyings);
      }
      for (const round of roundsOf(inTables)) await tieInTables(round);
    }

    const methods: TieMethods = {
      tiesOf,
      ties: async (type, nested, owners) => (await tiesOf([{ type, nested, owners }]))[0]!,
      tiesTo: async (type, nested, uid, targets) => (await tiesOf([{ type, nested, uid, targets }]))[0]!,
      tieAll,
      tie: (type, nested, tyings) => tieAll([{ type, nested, tyings }]),
      retie(type, nested, change) {
        const { table, column } = heldBy(type, nested);
        if (table) memory.retied(table.table);
        return table ? reties.retie(connection, table, change) : inColumn(column).retie(change);
      },
      async handOver(type, through, change) {
        const held = through.map((nested) => heldBy(type, nested));
        const tables = flatMapped(held, ({ table }) => (table ? [table] : []));
        for (const [table, those] of grouped(tables, ({ table }) => table)) {
          memory.retied(table);
          await reties.handOver(connection, those, change);
        }
        for (const { column } of held) if (column) await inColumn(column).handOver(change);
      },
      async before(type, nested, owners, target, most) {
        // Lists that a column keeps have no order but that of their rows.
        const { table } = heldBy(type, nested);
        if (!table) return [];
        // Of what was added, no more is known than the nearest.
        if (most === 1) {
          await late.told();
          const known = memory.before(table, owners, target);
          if (known) return known;
        }
        return neighboursIn(connection, table).before(owners, target, most);
      },
      async place(type, nested, owner, target, after) {
        const { table } = heldBy(type, nested);
        if (table) memory.retied(table.table);
        if (!table || (await neighboursIn(connection, table).place(owner, target, after))) return;
        const [list] = (await tiesOf([{ type, nested, owners: [owner] }])) as [Tie[]];
        const moved = list.find((each) => each.target === target);
        if (!moved) return;
        const targets = list.filter((each) => each.target !== target);
        const before = targets.findIndex((each) => each.target === after);
        // What it is to stand behind is gone.
        if (after !== undefined && before < 0) return;
        targets.splice(before + 1, 0, moved);
        await tieAll([{ type, nested, tyings: [{ owner, targets, current: list }] }]);
      },
    };
    return { late, methods };
  };
}
