import type { RowMatch, Tie, Tying } from '../../../core';
import type { Connection } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { chunksOf, listsOf } from './in-list';
import { matchSql, placeholders } from './match-sql';
import { type AddedTie, changesOf, type KeptTie } from './tie-changes';
import { tieNeighbours } from './tie-neighbours';
import type { TieTable } from './tie-table';
import type { TypeTable } from './type-table';

/** Rows of one insert and of one update. */
const insertedAtOnce = 500;
const updatedAtOnce = 100;

/** Reads and writes the ties that a table holds. */
export function tiesInTable(connection: Connection, dialect: Dialect, kept: TieTable) {
  const { id } = dialect;
  const table = id(kept.table);
  const neighbours = tieNeighbours(connection, dialect, kept);
  const isFixed = kept.fixed
    .map(([column, value]) => ` and ${dialect.unindexed(id(column))}=${dialect.literal(value)}`)
    .join('');

  async function selected(column: string, rows: readonly number[], more = ''): Promise<KeptTie[]> {
    const orNull = (name: string | undefined): string => (name === undefined ? 'null' : id(name));
    const uid = kept.uidColumn === undefined ? dialect.literal(kept.uid!) : id(kept.uidColumn);
    const columns = [
      id('id'),
      id(kept.own),
      id(kept.target),
      uid,
      orNull(kept.order),
      orNull(kept.back),
      orNull(kept.shownBy),
    ].join(',');
    const order = kept.order === undefined ? '' : `,${dialect.order(id(kept.order), false)}`;
    const ties: KeptTie[] = [];
    for (const list of listsOf(rows)) {
      const next = placeholders(dialect);
      const among = `${id(column)} in (${list.map(next).join(',')})`;
      const sql = `select ${columns} from ${table} where ${among} and ${id(kept.target)} is not null and ${id(kept.own)} is not null${isFixed}${more} order by ${id(kept.own)}${order},${id('id')}`;
      for (const [row, owner, target, type, place, back, shownBy] of await connection.rows({ sql }, list))
        ties.push({
          id: Number(row),
          owner: Number(owner),
          target: Number(target),
          uid: String(type),
          order: place === null ? null : Number(place),
          ...(back !== null && { back: Number(back) }),
          ...(shownBy !== null && { shownBy: String(shownBy) }),
        });
    }
    return ties;
  }

  async function run(list: readonly number[], statement: (among: string) => string): Promise<void> {
    for (const ids of listsOf(list)) {
      const next = placeholders(dialect);
      await connection.run({ sql: statement(`(${ids.map(next).join(',')})`) }, ids);
    }
  }

  /** Takes targets that can have one owner from their owners, as far as these match. */
  async function take(
    owner: number,
    targets: readonly number[],
    owners: TypeTable,
    rivals: RowMatch | undefined,
  ): Promise<void> {
    for (const list of listsOf(targets)) {
      const next = placeholders(dialect);
      const among = `${id(kept.target)} in (${list.map(next).join(',')}) and ${id(kept.own)}<>${next()}`;
      const match = rivals && matchSql(rivals, owners, dialect, next);
      const isRival = match
        ? ` and ${id(kept.own)} in (select ${id('id')} from ${owners.name} where ${match.sql})`
        : '';
      await connection.run({ sql: `delete from ${table} where ${among}${isRival}` }, [
        ...list,
        owner,
        ...(match?.values ?? []),
      ]);
    }
  }

  /** The last place in the lists of these targets. */
  async function endsOf(targets: readonly number[]): Promise<Map<number, number>> {
    const ends = new Map<number, number>();
    if (kept.back === undefined) return ends;
    for (const list of listsOf(targets)) {
      const next = placeholders(dialect);
      const sql = `select ${id(kept.target)},max(${id(kept.back)}) from ${table} where ${id(kept.target)} in (${list.map(next).join(',')})${isFixed} group by ${id(kept.target)}`;
      for (const [target, end] of await connection.rows({ sql }, list)) ends.set(Number(target), Number(end ?? 0));
    }
    return ends;
  }

  async function insert(added: readonly AddedTie[]): Promise<void> {
    const ends = await endsOf([...new Set(added.filter(({ back }) => back === undefined).map(({ target }) => target))]);
    const places = added.map(({ target, back }) => {
      if (back !== undefined) return back;
      ends.set(target, (ends.get(target) ?? 0) + 1);
      return ends.get(target)!;
    });
    const columns = [kept.own, kept.target, kept.order, kept.back, kept.uidColumn, kept.shownBy].filter(
      (name) => name !== undefined,
    );
    const all = [...columns, ...kept.fixed.map(([column]) => column)].map(id).join(',');
    const rows = added.map(({ owner, target, uid, order, shownBy }, index) => [
      owner,
      target,
      ...(kept.order === undefined ? [] : [order]),
      ...(kept.back === undefined ? [] : [places[index]!]),
      ...(kept.uidColumn === undefined ? [] : [uid]),
      ...(kept.shownBy === undefined ? [] : [shownBy ?? null]),
    ]);
    const literals = kept.fixed.map(([, value]) => `,${dialect.literal(value)}`).join('');
    for (const chunk of chunksOf(rows, insertedAtOnce)) {
      const next = placeholders(dialect);
      const values = chunk.map((row) => `(${row.map(next).join(',')}${literals})`).join(',');
      await connection.run({ sql: `insert into ${table} (${all}) values ${values}` }, chunk.flat());
    }
  }

  /** Takes over ties that are there and that no attribute of this side shows; answers those that are missing. */
  async function adopted(added: readonly AddedTie[], empty: string): Promise<AddedTie[]> {
    const missing: AddedTie[] = [];
    const others = kept.fixed.filter(([column]) => column !== empty);
    const [, name] = kept.fixed.find(([column]) => column === empty)!;
    for (const tie of added) {
      const next = placeholders(dialect);
      const setting = `update ${table} set ${id(empty)}=${dialect.literal(name)},${id(kept.order!)}=${next()}`;
      const same = `${id(kept.own)}=${next()} and ${id(kept.target)}=${next()} and ${id(empty)} is null`;
      const isOfType = others.map(([column, value]) => ` and ${id(column)}=${dialect.literal(value)}`).join('');
      const values = [tie.order, tie.owner, tie.target];
      if ((await connection.run({ sql: `${setting} where ${same}${isOfType}` }, values)).changes === 0)
        missing.push(tie);
    }
    return missing;
  }

  async function move(column: string | undefined, places: readonly (readonly [number, number])[]): Promise<void> {
    if (column === undefined) return;
    // PostgreSQL would take the numbers of a CASE for texts.
    const [asId, asPlace] = dialect.name === 'postgres' ? ['::integer', '::float8'] : ['', ''];
    for (const chunk of chunksOf(places, updatedAtOnce)) {
      const next = placeholders(dialect);
      const cases = chunk.map(() => `when ${next()}${asId} then ${next()}${asPlace}`).join(' ');
      const sql = `update ${table} set ${id(column)}=case ${id('id')} ${cases} end where ${id('id')} in (${chunk.map(next).join(',')})`;
      await connection.run({ sql }, [...chunk.flat(), ...chunk.map(([row]) => row)]);
    }
  }

  async function tie(tyings: readonly Tying[], owners: TypeTable): Promise<void> {
    const current = new Map<number, KeptTie[]>(tyings.map(({ owner }) => [owner, []]));
    for (const each of await selected(kept.own, [...current.keys()])) current.get(each.owner)!.push(each);
    const changes = tyings.map((tying) => changesOf(tying, current.get(tying.owner)!));
    await run(
      changes.flatMap(({ removed }) => removed),
      (among) => `delete from ${table} where ${id('id')} in ${among}`,
    );
    if (kept.exclusive)
      for (const [index, { owner, rivals }] of tyings.entries())
        await take(
          owner,
          changes[index]!.added.map(({ target }) => target),
          owners,
          rivals,
        );
    await move(
      kept.order,
      changes.flatMap(({ ordered }) => ordered),
    );
    await move(
      kept.back,
      changes.flatMap(({ turned }) => turned),
    );
    const added = changes.flatMap((each) => each.added);
    const fresh = kept.adopts === undefined ? added : await adopted(added, kept.adopts);
    if (fresh.length > 0) await insert(fresh);
  }

  const isOf = (uid: string): string =>
    kept.uidColumn === undefined ? '' : ` and ${id(kept.uidColumn)}=${dialect.literal(uid)}`;

  return {
    ties: (owners: readonly number[]): Promise<Tie[]> => selected(kept.own, owners),
    tiesTo: async (uid: string, targets: readonly number[]): Promise<Tie[]> =>
      kept.uid !== undefined && kept.uid !== uid ? [] : selected(kept.target, targets, isOf(uid)),
    tie,
    async retie(uid: string, from: number, to: number): Promise<void> {
      if (kept.uid !== undefined && kept.uid !== uid) return;
      const next = placeholders(dialect);
      // Behind another select, for MariaDB and MySQL don't read the table that they change.
      const setting = `update ${table} set ${id(kept.target)}=${next()} where ${id(kept.target)}=${next()}${isFixed}${isOf(uid)}`;
      const has = `select ${id(kept.own)} o from ${table} where ${id(kept.target)}=${next()}${isFixed}${isOf(uid)} and ${id(kept.own)} is not null`;
      await connection.run({ sql: `${setting} and ${id(kept.own)} not in (select o from (${has}) x)` }, [to, from, to]);
    },
    before: neighbours.before,
    async place(owner: number, target: number, after: number | undefined, owners: TypeTable): Promise<void> {
      if (await neighbours.place(owner, target, after)) return;
      const list = await selected(kept.own, [owner]);
      const targets = list.filter((each) => each.target !== target);
      const moved = list.find((each) => each.target === target);
      if (!moved) return;
      targets.splice(targets.findIndex((each) => each.target === after) + 1, 0, moved);
      await tie([{ owner, targets }], owners);
    },
  };
}
