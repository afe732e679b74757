import type { Dialect } from '../../dialects/dialect';
import { ascending, byId, type OrderValue, spelledOrder } from './order-value';
import { idAt, type RowAt, type Scope } from './scope';

/** Where ties stand in a table of their own. */
export interface TiePlace {
  readonly table: string;
  readonly ownColumn: string;
  readonly orderColumn?: string;
  /** Columns that hold the same value in all ties of one attribute. */
  readonly fixed?: readonly (readonly [column: string, value: string])[];
  /** Whether indexes of the table begin with one of those columns. */
  readonly isIndexedByFixed?: boolean;
  /** Columns that say where a tie leads. */
  readonly leads: readonly string[];
}

/** How a fixed column is spelt where ties are looked for by a row. */
export const fixedIn = (
  { unindexed, unindexedText }: Dialect,
  { isIndexedByFixed = false }: Pick<TiePlace, 'isIndexedByFixed'>,
): ((column: string) => string) => (isIndexedByFixed ? unindexedText : unindexed);

/** How the column of the type is, to which a tie leads. */
export const typeIn = (
  { unindexedText }: Dialect,
  { isIndexedByFixed = false }: Pick<TiePlace, 'isIndexedByFixed'>,
): ((column: string) => string) => (isIndexedByFixed ? unindexedText : (column) => column);

/** The ties of one row. */
export interface TiesOfRow {
  /** The name that they are selected under. */
  readonly alias: string;
  readonly at: (column: string) => string;
  readonly from: string;
  readonly where: string;
  /** The same for a subquery that is run for one row after the other, as those of a page. */
  readonly whereOne: string;
  readonly order: readonly OrderValue[];
  /** The same ties, read in their order out of an index: where what is joined to a subquery's rows keeps the order of these. */
  readonly inOrder?: string;
}

export function tiesOfRow(scope: Scope, owner: RowAt, place: TiePlace): TiesOfRow {
  const { id, literal, unindexed, pageKeepsOrder } = scope.dialect;
  const alias = scope.alias();
  const at = (column: string): string => `${alias}.${id(column)}`;
  const from = `${id(place.table)} ${alias}`;
  const order = [...(place.orderColumn ? [ascending(at(place.orderColumn), 'float')] : []), byId(at('id'))];
  const where = (fixed: (column: string) => string): string =>
    [
      `${at(place.ownColumn)}=${idAt(owner, scope)}`,
      ...(place.fixed ?? []).map(([column, value]) => `${fixed(at(column))}=${literal(value)}`),
    ].join(' and ');
  const ordered = `(select ${place.leads.map(at).join(',')} from ${from} where ${where((column) => column)} order by ${spelledOrder(scope.dialect, order)}) ${alias}`;
  return {
    alias,
    at,
    from,
    where: where(unindexed),
    whereOne: where(fixedIn(scope.dialect, place)),
    order,
    ...(pageKeepsOrder && { inOrder: ordered }),
  };
}
