import { grouped, together } from '../../../core';
import type { Connection } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { chunksOf, listsOf } from './in-list';
import { createTexts } from './kept-texts';
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

const columnsOf = ({ own, target, order, back, uidColumn, shownBy, fixed }: TieTable): string[] =>
  [own, target, order, back, uidColumn, shownBy, ...fixed.map(([column]) => column)].filter(
    (column) => column !== undefined,
  );

/** Adds ties of however many attributes, with one statement for each table. */
export function createTieInserts(dialect: Dialect) {
  const { id } = dialect;
  const insertText = createTexts();
  const endText = createTexts();

  /** The last place in the lists of these targets; each is looked up by itself, for an index has its end. */
  async function endsOf(
    connection: Connection,
    { table, target, back }: TieTable,
    targets: readonly number[],
  ): Promise<Map<number, number>> {
    const ends = new Map<number, number>();
    for (const list of listsOf(targets, endsAtOnce)) {
      const sql = endText(`${table} ${target} ${list.length}`, () => {
        const next = placeholders(dialect);
        const end = (): string => `(select max(${id(back!)}) from ${id(table)} where ${id(target)}=${next()})`;
        return `select ${list.map(end).join(',')}`;
      });
      const [found] = await connection.rows({ sql }, list);
      for (const [index, row] of list.entries()) ends.set(row, Number(found![index] ?? 0));
    }
    return ends;
  }

  /** Where each comes to stand in its target's own list. */
  async function backsOf(connection: Connection, { kept, added }: AddedTies): Promise<(number | undefined)[]> {
    if (kept.back === undefined) return [];
    const open = new Set(added.filter(({ back }) => back === undefined).map(({ target }) => target));
    const ends = open.size > 0 ? await endsOf(connection, kept, [...open]) : new Map<number, number>();
    return added.map(({ target, back }) => {
      if (back !== undefined) return back;
      const end = (ends.get(target) ?? 0) + 1;
      ends.set(target, end);
      return end;
    });
  }

  async function rowsOf(connection: Connection, ties: AddedTies): Promise<unknown[][]> {
    const { kept, added } = ties;
    const backs = await backsOf(connection, ties);
    return added.map(({ owner, target, uid, order, shownBy }, index) => {
      const row: unknown[] = [owner, target];
      if (kept.order !== undefined) row.push(order);
      if (kept.back !== undefined) row.push(backs[index]);
      if (kept.uidColumn !== undefined) row.push(uid);
      if (kept.shownBy !== undefined) row.push(shownBy ?? null);
      for (const [, value] of kept.fixed) row.push(value);
      return row;
    });
  }

  return async function insert(connection: Connection, all: readonly AddedTies[]): Promise<void> {
    const some = all.filter(({ added }) => added.length > 0);
    const rows = new Map(await together(some.map(async (ties) => [ties, await rowsOf(connection, ties)] as const)));
    for (const group of grouped(some, ({ kept }) => [kept.table, ...columnsOf(kept)].join()).values()) {
      const { kept } = group[0]!;
      const columns = columnsOf(kept);
      const added = group.flatMap((ties) => rows.get(ties)!);
      for (const chunk of chunksOf(added, insertedAtOnce)) {
        const sql = insertText(`${kept.table} ${columns} ${chunk.length}`, () => {
          const next = placeholders(dialect);
          const values = chunk.map(() => `(${columns.map(next).join(',')})`).join(',');
          return `insert into ${id(kept.table)} (${columns.map(id).join(',')}) values ${values}`;
        });
        await connection.post({ sql }, chunk.flat());
      }
    }
  };
}

export type TieInserts = ReturnType<typeof createTieInserts>;
