import type { OrderTerm } from '../../../../core';
import { spelledOrder } from '../tables/order-value';
import { idAt, type RowAt, type Scope } from '../tables/scope';
import { isNarrowScan, type Wanted } from './narrow-scan';
import { orderSql, orderValues } from './order-sql';
import { linksAlong, linksMeeting, predicateSql } from './predicate-sql';

/**
 * A type's table, by its index of ids where it is gone through in their order; or what is linked that meets a condition, and
 * the rows of the table that it is linked to.
 */
function tableSql(scope: Scope, row: RowAt): string {
  const { dialect, sought } = scope;
  const table = `${row.table.name} t`;
  const after = (found: string, own: string): string =>
    `${found} ${dialect.joinAfter} ${table} on ${idAt(row, scope)}=${own}`;
  if (sought?.way === 'along') {
    const { own, from } = linksAlong(scope, row.table, sought.some);
    return after(from, own);
  }
  if (sought?.way === 'inOrder') return table + dialect.byIndex!(row.table.idIndex!);
  if (sought?.way === 'sorted') return table + (dialect.byIndex?.(row.table.narrowIndex!) ?? '');
  if (sought?.way !== 'first' || dialect.foundFirst) return table;
  const { own, from } = linksMeeting(scope, row.table, sought.some);
  return after(`(select distinct ${own} as v from ${from}) f`, 'f.v');
}

/** The order of a list: where links are gone along, by their column with its ids; where it is to be sorted, so that no index has it. */
export function listOrder(scope: Scope, row: RowAt, order: readonly OrderTerm[]): string {
  const { dialect, sought } = scope;
  if (sought?.way === 'along') return linksAlong(scope, row.table, sought.some).own;
  if (sought?.way !== 'sorted') return orderSql(scope, row, order);
  const values = orderValues(scope, row, order).map((each) => ({ ...each, value: dialect.unindexed(each.value) }));
  return spelledOrder(dialect, values);
}

export interface Besides {
  /** What is asked of the rows besides. */
  readonly more?: (() => string) | undefined;
  /** What is joined to them. */
  readonly join?: string;
}

/** The rows of a list, called `t`, from the word FROM on. */
export function listedSql(scope: Scope, row: RowAt, wanted: Wanted, { more, join = '' }: Besides = {}): string {
  const from = tableSql(scope, row) + join;
  const { where } = wanted;
  const place = { isNarrowScan: isNarrowScan(scope, row.table, wanted) };
  const conditions = [...(where ? [predicateSql(scope, row, where, place)] : []), ...(more ? [more()] : [])];
  return conditions.length > 0 ? `${from} where ${conditions.join(' and ')}` : from;
}
