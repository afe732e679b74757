import { isNarrowScan, type Sought } from './narrow-scan';
import { linksMeeting, predicateSql } from './predicate-sql';
import { idAt, type RowAt, type Scope } from './scope';

/** A type's table, or what is linked that meets a condition and the rows of the table that it is linked to. */
function tableSql(scope: Scope, row: RowAt): string {
  const { dialect, sought } = scope;
  const table = `${row.table.name} t`;
  if (!sought?.isFirst || dialect.foundFirst) return table;
  const { own, from } = linksMeeting(scope, row.table, sought.some);
  return `(select distinct ${own} as v from ${from}) f straight_join ${table} on ${idAt(row, scope)}=f.v`;
}

/** The rows of a list, called `t`, from the word FROM on; `more` is what is asked of them besides. */
export function listedSql(scope: Scope, row: RowAt, sought: Sought, more?: () => string): string {
  const from = tableSql(scope, row);
  const { where } = sought;
  const place = { isNarrowScan: isNarrowScan(scope, row.table, sought) };
  const conditions = [...(where ? [predicateSql(scope, row, where, place)] : []), ...(more ? [more()] : [])];
  return conditions.length > 0 ? `${from} where ${conditions.join(' and ')}` : from;
}
