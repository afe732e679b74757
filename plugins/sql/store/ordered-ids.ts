import type { ReadPlan } from '../../../core';
import { isMissingIndex } from '../database/failures';
import type { Dialect } from '../dialects/dialect';
import { asksMore } from './narrow-scan';
import { isKey } from './order-sql';
import { predicateSql } from './predicate-sql';
import type { RowAt, Scope } from './scope';
import { keyOf } from './totals';
import { statementWriter, type WayFinder } from './way-finder';

// A list of all documents of a status and locale, in the order of their ids: going through the index of ids finds a page soon
// where many of its rows are of that status and locale.

/** How many rows are looked at, at either end of the index. */
const looked = 500;
/** How many of these have to be shown: of fewer, more would be passed by than there are to be sorted. */
const enough = looked / 5;

/** Finds out whether such a list is gone through in its order; absent for other lists, and where the planner knows itself. */
export function findOrdered(plan: ReadPlan, tableOf: Scope['tableOf'], dialect: Dialect): WayFinder | undefined {
  const { type, where, order } = plan;
  const table = tableOf(type);
  const { idIndex } = table;
  const { byIndex } = dialect;
  if (!byIndex || !idIndex || !where || !isKey(order[0]!) || asksMore(table, where)) return undefined;
  const row: RowAt = { table, alias: 't' };
  const columns = type.dimensions.map(({ attribute: { name } }) => table.column(type.attributes.get(name)!));
  if (columns.length === 0) return undefined;

  /** How many rows at an end of the index are shown. */
  const shownAt = (scope: Scope, direction: 'asc' | 'desc'): string => {
    const end = `select ${columns.join(',')} from ${table.name}${byIndex(idIndex)} order by ${dialect.id('id')} ${direction} limit ${looked}`;
    return `(select count(*) from (${end}) t where ${predicateSql(scope, row, where)})`;
  };
  const share = statementWriter(
    tableOf,
    dialect,
  )((scope) => `select ${shownAt(scope, 'asc')},${shownAt(scope, 'desc')}`);
  return {
    ways: ['inOrder', 'each'],
    statements: [share],
    keyOf: (bound) => keyOf(share, share.parameters.values(bound)),
    async choose(database, bound) {
      try {
        const [ends] = await database.rows(share, share.parameters.values(bound));
        return ends!.every((shown) => Number(shown) >= enough) ? 'inOrder' : 'each';
      } catch (error) {
        if (isMissingIndex(error)) return 'each';
        throw error;
      }
    },
  };
}
