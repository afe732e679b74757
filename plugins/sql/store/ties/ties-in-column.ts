import { grouped, type HandedOver, type Retied, type RowMatch, type Tie, type Tying } from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import type { Place } from '../../layout/places';
import { listsOf } from '../tables/in-list';
import { conditionOf, placeholders, valuesOf } from '../tables/match-sql';
import type { TypeTable } from '../tables/type-table';

/** Ties held by a column of the own rows, or of the rows that they are tied to. */
export interface TieColumn {
  /** The table that has the column, quoted. */
  readonly table: string;
  readonly column: string;
  readonly side: 'own' | 'target';
  /** Holds the type of what the column's number is about, where there are several. */
  readonly typeColumn?: string;
  /** The target's type, where there is one. */
  readonly uid?: string;
  /** On the target's side: the type of the own rows, as the type column says it. */
  readonly ownUid?: string;
  /** On the own side: one row's target is no other's. */
  readonly exclusive?: boolean | undefined;
}

export function tieColumnOf(place: Place, ownTable: string, { id }: Dialect): TieColumn | undefined {
  if (place.in === 'joinColumn') {
    const { column, target: uid, exclusive } = place;
    return { table: ownTable, column, side: 'own', uid, exclusive };
  }
  if (place.in === 'inverseJoinColumn')
    return { table: id(place.targetTable), column: place.column, side: 'target', uid: place.target };
  if (place.in === 'morphColumns')
    return { table: ownTable, column: place.idColumn, side: 'own', typeColumn: place.typeColumn };
  if (place.in === 'inverseMorph' && place.via.in === 'morphColumns') {
    const { idColumn: column, typeColumn } = place.via;
    return { table: id(place.targetTable), column, side: 'target', typeColumn, uid: place.target, ownUid: place.type };
  }
  return undefined;
}

/** Reads and writes the ties that a column holds. */
export function tiesInColumn(connection: Connection, dialect: Dialect, kept: TieColumn) {
  const { id, literal } = dialect;
  const isOwn = kept.side === 'own';
  const [own, target] = isOwn ? ['id', kept.column] : [kept.column, 'id'];
  const typed = kept.typeColumn === undefined || isOwn ? '' : ` and ${id(kept.typeColumn)}=${literal(kept.ownUid!)}`;

  async function selected(column: string, rows: readonly number[], more = ''): Promise<Tie[]> {
    const uid = kept.uid === undefined ? id(kept.typeColumn!) : literal(kept.uid);
    const found: Tie[] = [];
    for (const list of listsOf(rows)) {
      const next = placeholders(dialect);
      const sql = `select ${id(own!)},${id(target!)},${uid} from ${kept.table} where ${id(column)} in (${list.map(next).join(',')}) and ${id(kept.column)} is not null${typed}${more} order by ${id(own!)},${id('id')}`;
      for (const [owner, row, type] of await connection.rows({ sql }, list))
        found.push({ owner: Number(owner), target: Number(row), uid: String(type) });
    }
    return found;
  }

  async function set(row: number, value: number | null, type: string | null): Promise<void> {
    const next = placeholders(dialect);
    const columns = kept.typeColumn === undefined ? [kept.column] : [kept.column, kept.typeColumn];
    const settings = columns.map((column) => `${id(column)}=${next()}`).join(',');
    const sql = `update ${kept.table} set ${settings} where ${id('id')}=${next()}`;
    await connection.post({ sql }, [value, ...(kept.typeColumn === undefined ? [] : [type]), row]);
  }

  /** Takes a target from the other rows that hold it, as far as these match. */
  async function take(owners: TypeTable, owner: number, row: number, rivals: RowMatch | undefined): Promise<void> {
    const next = placeholders(dialect);
    const held = `${id(kept.column)}=${next()} and ${id('id')}<>${next()}`;
    const isRival = rivals ? ` and ${conditionOf(rivals, owners, dialect, next)}` : '';
    const sql = `update ${kept.table} set ${id(kept.column)}=null where ${held}${isRival}`;
    await connection.post({ sql }, [row, owner, ...(rivals ? valuesOf(rivals, owners, dialect) : [])]);
  }

  async function tieOwn(owners: TypeTable, tyings: readonly Tying[]): Promise<void> {
    for (const { owner, targets, rivals } of tyings) {
      const last = targets.at(-1);
      if (last && kept.exclusive) await take(owners, owner, last.target, rivals);
      await set(owner, last?.target ?? null, last?.uid ?? null);
    }
  }

  /** Lets go of rows before others get them: two owners may exchange theirs. */
  async function tieTargets(tyings: readonly Tying[]): Promise<void> {
    const rows = tyings.map(({ owner }) => owner);
    const held = grouped(await selected(own!, rows), ({ owner }) => owner);
    const changes = tyings.map(({ owner, targets }) => {
      const before = new Set(held.get(owner)?.map(({ target }) => target));
      const wanted = new Set(targets.map(({ target }) => target));
      return {
        owner,
        gone: [...before].filter((row) => !wanted.has(row)),
        added: [...wanted].filter((row) => !before.has(row)),
      };
    });
    for (const { gone } of changes) for (const row of gone) await set(row, null, null);
    for (const { owner, added } of changes) for (const row of added) await set(row, owner, kept.ownUid ?? null);
  }

  return {
    ties: (owners: readonly number[]): Promise<Tie[]> => selected(own!, owners),
    tiesTo: async (uid: string, targets: readonly number[]): Promise<Tie[]> => {
      if (kept.uid !== undefined && kept.uid !== uid) return [];
      return selected(target!, targets, kept.uid === undefined ? ` and ${id(kept.typeColumn!)}=${literal(uid)}` : '');
    },
    tie: (owners: TypeTable, tyings: readonly Tying[]): Promise<void> =>
      isOwn ? tieOwn(owners, tyings) : tieTargets(tyings),
    async retie({ uid, from, to }: Retied): Promise<void> {
      // A column of the target's own is copied with it.
      if (!isOwn || (kept.uid !== undefined && kept.uid !== uid)) return;
      const next = placeholders(dialect);
      const isOf = kept.uid === undefined ? ` and ${id(kept.typeColumn!)}=${literal(uid)}` : '';
      const sql = `update ${kept.table} set ${id(kept.column)}=${next()} where ${id(kept.column)}=${next()}${isOf}`;
      await connection.post({ sql }, [to, from]);
    },
    /** What others hold stays with them, even if it can be one row's only: another version may share it. */
    async handOver({ from, to }: HandedOver): Promise<void> {
      if (isOwn) {
        const [held] = await selected(own!, [from]);
        if (!held) return;
        await set(from, null, null);
        return set(to, held.target, held.uid);
      }
      const next = placeholders(dialect);
      const sql = `update ${kept.table} set ${id(kept.column)}=${next()} where ${id(kept.column)}=${next()}${typed}`;
      await connection.post({ sql }, [to, from]);
    },
  };
}
