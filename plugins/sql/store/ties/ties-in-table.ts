import { chunksOf, flatMapped, grouped, type RowMatch, type Tying } from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { listsOf } from '../tables/in-list';
import { conditionOf, placeholders, valuesOf } from '../tables/match-sql';
import type { TypeTable } from '../tables/type-table';
import type { Added } from './added';
import type { LateTies } from './late-ties';
import { type AddedTie, changesOf, type KeptTie, type TieChanges, untold } from './tie-changes';
import type { TieReads } from './tie-reads';
import type { TieTable } from './tie-table';

/** Rows of one update. */
const updatedAtOnce = 100;

/** What the rows of one type are to be tied to in one table. */
export interface TableTyings {
  readonly kept: TieTable;
  readonly owners: TypeTable;
  readonly tyings: readonly Tying[];
}

/** Whether the caller knows what an owner is tied to now, and by which rows of the table. */
const isTold = ({ current }: Tying): boolean =>
  current !== undefined && (current as readonly KeptTie[]).every(({ id }) => id !== untold);

const isMore = ({ removed, ordered, turned }: TieChanges): boolean =>
  removed.length + ordered.length + turned.length > 0;

/** Whether ties of the table may change or go, beside those that are added. */
const touchesOthers = ({ exclusive, adopts }: TieTable, changes: readonly TieChanges[]): boolean =>
  changes.some((each) => isMore(each) || (each.added.length > 0 && (exclusive || adopts !== undefined)));

interface Tools {
  readonly read: TieReads;
  readonly memory: Added;
  readonly late: LateTies;
}

/** Changes the ties that tables hold. */
export function tiesInTables(connection: Connection, dialect: Dialect, { read, memory, late }: Tools) {
  const { id } = dialect;

  /** Takes targets that can have one owner from their owners, as far as these match. */
  async function take(
    { kept, owners }: TableTyings,
    owner: number,
    targets: readonly number[],
    rivals: RowMatch | undefined,
  ): Promise<void> {
    for (const list of listsOf(targets)) {
      const next = placeholders(dialect);
      const among = `${id(kept.target)} in (${list.map(next).join(',')}) and ${id(kept.own)}<>${next()}`;
      // Asked of each tie, of which there are few: a list of all rivals is as long as the table.
      const isRival = rivals
        ? ` and exists (select 1 from ${owners.name} where ${id('id')}=${id(kept.table)}.${id(kept.own)} and ${conditionOf(rivals, owners, dialect, next)})`
        : '';
      await connection.post({ sql: `delete from ${id(kept.table)} where ${among}${isRival}` }, [
        ...list,
        owner,
        ...(rivals ? valuesOf(rivals, owners, dialect) : []),
      ]);
    }
  }

  /** Takes over ties that are there and that no attribute of this side shows; answers those that are missing. */
  async function adopted(kept: TieTable, added: readonly AddedTie[], empty: string): Promise<AddedTie[]> {
    const missing: AddedTie[] = [];
    const others = kept.fixed.filter(([column]) => column !== empty);
    const [, name] = kept.fixed.find(([column]) => column === empty)!;
    for (const tie of added) {
      const next = placeholders(dialect);
      const setting = `update ${id(kept.table)} set ${id(empty)}=${dialect.literal(name)},${id(kept.order!)}=${next()}`;
      const same = `${id(kept.own)}=${next()} and ${id(kept.target)}=${next()} and ${id(empty)} is null`;
      const isOfType = others.map(([column, value]) => ` and ${id(column)}=${dialect.literal(value)}`).join('');
      const values = [tie.order, tie.owner, tie.target];
      if ((await connection.run({ sql: `${setting} where ${same}${isOfType}` }, values)).changes === 0)
        missing.push(tie);
    }
    return missing;
  }

  async function move(
    table: string,
    column: string | undefined,
    places: readonly (readonly [number, number])[],
  ): Promise<void> {
    if (column === undefined) return;
    // PostgreSQL would take the numbers of a CASE for texts.
    const [asId, asPlace] = dialect.name === 'postgres' ? ['::integer', '::float8'] : ['', ''];
    for (const chunk of chunksOf(places, updatedAtOnce)) {
      const next = placeholders(dialect);
      const cases = chunk.map(() => `when ${next()}${asId} then ${next()}${asPlace}`).join(' ');
      const sql = `update ${id(table)} set ${id(column)}=case ${id('id')} ${cases} end where ${id('id')} in (${chunk.map(next).join(',')})`;
      await connection.post({ sql }, [...chunk.flat(), ...chunk.map(([row]) => row)]);
    }
  }

  /** What must change for each owner. What the caller knows of its ties is not read again. */
  async function changesFor(all: readonly TableTyings[]): Promise<TieChanges[][]> {
    const unknown = all.map(({ kept, tyings }) => ({
      kept,
      by: 'own' as const,
      rows: tyings.filter((each) => !isTold(each)).map(({ owner }) => owner),
      uid: undefined,
    }));
    const isAllTold = unknown.every(({ rows }) => rows.length === 0);
    const found = isAllTold ? [] : await read(connection, unknown);
    return all.map(({ tyings }, at) => {
      const lists = grouped(found[at] ?? [], ({ owner }) => owner);
      // What `ties` told is what it read here.
      const current = (each: Tying): readonly KeptTie[] =>
        isTold(each) ? (each.current as KeptTie[]) : (lists.get(each.owner) ?? []);
      return tyings.map((each) => changesOf(each, current(each)));
    });
  }

  async function remove(all: readonly TableTyings[], changes: readonly TieChanges[][]): Promise<void> {
    const removed = new Map<string, number[]>();
    for (const [at, { kept }] of all.entries()) {
      const gone = flatMapped(changes[at]!, (each) => each.removed);
      if (gone.length > 0) removed.set(kept.table, [...(removed.get(kept.table) ?? []), ...gone]);
    }
    for (const [table, ids] of removed) {
      for (const list of listsOf(ids)) {
        const next = placeholders(dialect);
        await connection.post(
          { sql: `delete from ${id(table)} where ${id('id')} in (${list.map(next).join(',')})` },
          list,
        );
      }
    }
  }

  /** Ties the rows of several attributes, none of which shows what another one does. */
  return async function tieAll(all: readonly TableTyings[]): Promise<void> {
    const changes = await changesFor(all);
    for (const [at, { kept }] of all.entries()) if (touchesOthers(kept, changes[at]!)) memory.retied(kept.table);
    if (changes.some((own) => own.some(isMore))) await remove(all, changes);
    const added: { kept: TieTable; added: AddedTie[] }[] = [];
    for (const [at, each] of all.entries()) {
      const { kept, tyings } = each;
      const own = changes[at]!;
      if (kept.exclusive)
        for (const [index, { owner, rivals }] of tyings.entries()) {
          const taken = own[index]!.added.map(({ target }) => target);
          await take(each, owner, taken, rivals);
        }
      if (own.some(isMore)) {
        await move(
          kept.table,
          kept.order,
          flatMapped(own, ({ ordered }) => ordered),
        );
        await move(
          kept.table,
          kept.back,
          flatMapped(own, ({ turned }) => turned),
        );
      }
      const wanted = flatMapped(own, (each) => each.added);
      const fresh = kept.adopts === undefined ? wanted : await adopted(kept, wanted, kept.adopts);
      if (fresh.length > 0) added.push({ kept, added: fresh });
    }
    await late.add(added);
    memory.ties(added);
  };
}
