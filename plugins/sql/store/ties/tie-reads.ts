import { chunksOf, flatMapped } from '../../../../core';
import type { Connection } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { listsOf } from '../tables/in-list';
import { createTexts } from '../tables/kept-texts';
import { placeholders } from '../tables/match-sql';
import { fixedIn, typeIn } from '../tables/ties-of-row';
import type { KeptTie } from './tie-changes';
import type { TieTable } from './tie-table';

/** Ties that are looked for in one table, from one of its ends. */
export interface SoughtInTable {
  readonly kept: TieTable;
  readonly by: 'own' | 'target';
  readonly rows: readonly number[];
  /** Only those that lead to this type; to any, where it is undefined. */
  readonly uid: string | undefined;
}

/** Parts of one statement: with the longest lists still fewer values than any database takes. */
const partsAtOnce = 60;

interface Part {
  readonly sought: SoughtInTable;
  /** Whose ties it finds. */
  readonly at: number;
  readonly list: readonly number[];
}

const before = (one: number | null, other: number | null): number =>
  (one ?? Number.NEGATIVE_INFINITY) - (other ?? Number.NEGATIVE_INFINITY);

/** By owner and order; what has no order comes first. */
export const inOrder = (one: KeptTie, other: KeptTie): number =>
  one.owner - other.owner || before(one.order, other.order) || one.id - other.id;

/** Reads ties out of however many tables with one statement. */
export function createTieReads(dialect: Dialect) {
  const { id, literal } = dialect;
  const textOf = createTexts();
  // PostgreSQL takes what is null everywhere for text.
  const [noText, noNumber] = dialect.name === 'postgres' ? ['null::text', 'null::float8'] : ['null', 'null'];

  function partSql({ sought: { kept, by, uid }, list }: Part, place: number, next: () => string): string {
    const [own, target] = [id(kept.own), id(kept.target)];
    const number = (column: string | undefined): string => (column === undefined ? noNumber : id(column));
    const type = kept.uidColumn === undefined ? literal(kept.uid!) : id(kept.uidColumn);
    const shownBy = kept.shownBy === undefined ? noText : id(kept.shownBy);
    const columns = [place, id('id'), own, target, type, number(kept.order), number(kept.back), shownBy].join(',');
    const spelt = fixedIn(dialect, kept);
    const fixed = kept.fixed.map(([column, value]) => ` and ${spelt(id(column))}=${literal(value)}`);
    const isOf =
      uid === undefined || kept.uidColumn === undefined
        ? ''
        : ` and ${typeIn(dialect, kept)(id(kept.uidColumn))}=${literal(uid)}`;
    const among = `${by === 'own' ? own : target} in (${list.map(next).join(',')})`;
    return `select ${columns} from ${id(kept.table)} where ${among} and ${target} is not null and ${own} is not null${fixed.join('')}${isOf}`;
  }

  const keyOf = ({ sought: { kept, by, uid = '' }, list }: Part): string =>
    `${kept.seenAs} ${by} ${uid} ${list.length}`;

  /** Those of each that is sought, by owner and order. */
  return async function read(connection: Connection, all: readonly SoughtInTable[]): Promise<KeptTie[][]> {
    const found: KeptTie[][] = all.map(() => []);
    const parts = flatMapped(all, (sought, at) => listsOf(sought.rows).map((list): Part => ({ sought, at, list })));
    for (const some of chunksOf(parts, partsAtOnce)) {
      const sql = textOf(some.map(keyOf).join(), () => {
        const next = placeholders(dialect);
        return some.map((part, place) => partSql(part, place, next)).join(' union all ');
      });
      const values = flatMapped(some, ({ list }) => list);
      for (const [place, row, owner, target, uid, order, back, shownBy] of await connection.rows({ sql }, values))
        found[some[Number(place)]!.at]!.push({
          id: Number(row),
          owner: Number(owner),
          target: Number(target),
          uid: String(uid),
          order: order === null ? null : Number(order),
          back: back === null ? undefined : Number(back),
          shownBy: shownBy === null ? undefined : String(shownBy),
        });
    }
    for (const ties of found) ties.sort(inOrder);
    return found;
  };
}

export type TieReads = ReturnType<typeof createTieReads>;
