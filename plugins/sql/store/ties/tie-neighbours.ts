import { flatMapped, grouped, type Tie } from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { listsOf } from '../tables/in-list';
import { createTexts } from '../tables/kept-texts';
import { placeholders } from '../tables/match-sql';
import { fixedIn } from '../tables/ties-of-row';
import type { TieTable } from './tie-table';

/** Lists that one statement looks at, by two parts each, of which SQLite takes five hundred. */
const listsAtOnce = 128;

/** Looks at the places of one target in long lists, and changes them, without reading the lists. */
export function createTieNeighbours(dialect: Dialect) {
  const textOf = createTexts();
  return (connection: Connection, kept: TieTable) => neighboursIn(kept, { connection, dialect, textOf });
}

interface Asking {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly textOf: ReturnType<typeof createTexts>;
}

function neighboursIn(kept: TieTable, { connection, dialect, textOf }: Asking) {
  const { id, literal } = dialect;
  const table = id(kept.table);
  const column = (alias: string, name: string): string => `${alias}.${id(name)}`;
  const own = (alias: string): string => column(alias, kept.own);
  const target = (alias: string): string => column(alias, kept.target);
  /** Nulls come first. */
  const order = (alias: string): string => `coalesce(${column(alias, kept.order!)},-1)`;
  const spelt = fixedIn(dialect, kept);
  const fixed = (alias: string): string =>
    kept.fixed.map(([name, value]) => ` and ${spelt(column(alias, name))}=${literal(value)}`).join('');

  /** What stands before a target in one list: of what has a number the nearest, and of what has none. */
  function ahead(next: () => string, most: number): string {
    const uid = kept.uidColumn === undefined ? literal(kept.uid!) : column('l', kept.uidColumn);
    const [there, here] = [column('l', kept.order!), column('a', kept.order!)];
    const earlier = `${column('l', 'id')}<${column('a', 'id')}`;
    // Ranges and orders that the index of a list has, so that its end alone is read.
    const nearest = (condition: string, sorted: string): string =>
      `select ${own('l')} o,${target('l')} t,${uid} u,${order('l')} p,${column('l', 'id')} i from ${table} a join ${table} l on ${own('l')}=${own('a')} where ${own('a')}=${next()} and ${target('a')}=${next()}${fixed('a')}${fixed('l')} and ${condition} order by ${sorted}${column('l', 'id')} desc limit ${most}`;
    const numbered = nearest(
      `${there}<=${here} and (${there}<${here} or ${earlier})`,
      `${dialect.order(there, true)},`,
    );
    const bare = nearest(`${there} is null and (${here} is not null or ${earlier})`, '');
    return `select * from (${numbered}) x union all select * from (${bare}) y`;
  }

  /** Of each owner's list what stands before a target, the nearest first. */
  async function before(owners: readonly number[], row: number, most: number): Promise<Tie[]> {
    if (kept.order === undefined) return [];
    const found: Tie[] = [];
    for (const list of listsOf(owners, listsAtOnce)) {
      const sql = textOf(`${kept.table} ${kept.own} ${kept.fixed} ${most} ${list.length}`, () => {
        const next = placeholders(dialect);
        return list.map(() => ahead(next, most)).join(' union all ');
      });
      const rows = await connection.rows(
        { sql },
        flatMapped(list, (owner) => [owner, row, owner, row]),
      );
      const told = new Map(
        rows.map(([owner, other, type, place, id]) => [
          Number(id),
          { owner: Number(owner), target: Number(other), uid: String(type), place: Number(place), id: Number(id) },
        ]),
      );
      const sorted = [...told.values()].sort((one, other) => other.place - one.place || other.id - one.id);
      for (const ties of grouped(sorted, ({ owner }) => owner).values())
        found.push(...ties.slice(0, most).map(({ owner, target: other, uid }) => ({ owner, target: other, uid })));
    }
    return found;
  }

  async function rowIn(owner: number, row: number): Promise<{ id: number; order: number } | undefined> {
    const next = placeholders(dialect);
    const sql = `select ${column('l', 'id')},${order('l')} from ${table} l where ${own('l')}=${next()} and ${target('l')}=${next()}${fixed('l')}`;
    const [found] = await connection.rows({ sql }, [owner, row]);
    return found && { id: Number(found[0]), order: Number(found[1]) };
  }

  /** The order of what follows a place; undefined at the end of the list. */
  async function followerOf(
    owner: number,
    row: number,
    anchor: { id: number; order: number } | undefined,
  ): Promise<number | undefined> {
    const next = placeholders(dialect);
    const others = `${own('l')}=${next()} and ${target('l')}<>${next()}${fixed('l')}`;
    const behind = anchor
      ? ` and (${order('l')}>${next()} or (${order('l')}=${next()} and ${column('l', 'id')}>${next()}))`
      : '';
    const sql = `select min(${order('l')}) from ${table} l where ${others}${behind}`;
    const values = anchor ? [owner, row, anchor.order, anchor.order, anchor.id] : [owner, row];
    const [found] = await connection.rows({ sql }, values);
    return found?.[0] === null || found === undefined ? undefined : Number(found[0]);
  }

  /**
   * Puts a target behind another of the same list, or at its start. Answers false where the numbers leave no room
   * between the neighbours.
   */
  async function place(owner: number, row: number, after: number | undefined): Promise<boolean> {
    if (kept.order === undefined) return true;
    const tie = await rowIn(owner, row);
    const anchor = after === undefined ? undefined : await rowIn(owner, after);
    if (!tie || (after !== undefined && !anchor)) return false;
    const from = anchor?.order ?? 0;
    const until = await followerOf(owner, row, anchor);
    const between = until === undefined ? from + 1 : (from + until) / 2;
    if (!(between > from && (until === undefined || between < until))) return false;
    const next = placeholders(dialect);
    const sql = `update ${table} set ${id(kept.order)}=${next()} where ${id('id')}=${next()}`;
    await connection.post({ sql }, [between, tie.id]);
    return true;
  }

  return { before, place };
}
