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

/** The last places in targets' own lists, as far as they were looked up. */
type Ends = ReadonlyMap<TieTable, Map<number, number>>;

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
export function createTieInserts(dialect: Dialect) {
  const { id } = dialect;
  const insertText = createTexts();
  const endText = createTexts();

  /** The last place in the lists of targets; each is looked up by itself, for an index has its end. */
  async function endsOf(connection: Connection, all: readonly AddedTies[]): Promise<Ends> {
    const ends: Ends = new Map(all.map(({ kept }) => [kept, new Map()]));
    const sought = all.flatMap(({ kept, added }) => {
      const open = kept.back === undefined ? [] : added.filter(({ back }) => back === undefined);
      const targets = [...new Set(open.map(({ target }) => target))];
      return listsOf(targets, endsAtOnce).flatMap((list) => list.map((target) => ({ kept, target })));
    });
    for (const list of chunksOf(sought, endsAtOnce)) {
      const key = list.map(({ kept }) => `${kept.table} ${kept.target}`).join();
      const sql = endText(key, () => {
        const next = placeholders(dialect);
        // PostgreSQL would look for a maximum in the index of all places, past those of other targets.
        const end = ({ table, target, back }: TieTable): string =>
          `(select ${id(back!)} from ${id(table)} where ${id(target)}=${next()} order by ${dialect.order(id(back!), true)} limit 1)`;
        return `select ${list.map(({ kept }) => end(kept)).join(',')}`;
      });
      const [found] = await connection.rows(
        { sql },
        list.map(({ target }) => target),
      );
      for (const [index, { kept, target }] of list.entries()) ends.get(kept)!.set(target, Number(found![index] ?? 0));
    }
    return ends;
  }

  /** Ties with where each comes to stand in its target's own list. */
  async function placed(connection: Connection, all: readonly AddedTies[]): Promise<AddedTies[]> {
    const ends = await endsOf(connection, all);
    return all.map(({ kept, added }) => {
      const own = ends.get(kept)!;
      const places = added.map((tie) => {
        if (tie.back !== undefined || kept.back === undefined) return tie;
        const back = own.get(tie.target)! + 1;
        own.set(tie.target, back);
        const { owner, target, uid, order, shownBy } = tie;
        return { owner, target, uid, order, back, shownBy };
      });
      return { kept, added: places };
    });
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

  return {
    /** The same ties, with the places that they are to have. */
    placed: (connection: Connection, all: readonly AddedTies[]): Promise<AddedTies[]> =>
      placed(
        connection,
        all.filter(({ added }) => added.length > 0),
      ),

    /** Adds them with as few statements as their order allows. Answers later where the connection does. */
    send(connection: Connection, all: readonly AddedTies[]): void | Promise<void> {
      const statements = alike(all).flatMap((group) =>
        chunksOf(group.flatMap(rowsOf), insertedAtOnce).map((rows) => ({ kept: group[0]!.kept, rows })),
      );
      const sendFrom = (first: number): void | Promise<void> => {
        for (let at = first; at < statements.length; at++) {
          const { kept, rows } = statements[at]!;
          const posted = connection.post({ sql: insertSql(kept, rows.length) }, rows.flat());
          if (posted) return posted.then(() => sendFrom(at + 1));
        }
      };
      return sendFrom(0);
    },
  };
}

export type TieInserts = ReturnType<typeof createTieInserts>;
