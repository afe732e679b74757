import type { Predicate, ReadPlan } from '../../../../core';
import { isMissingIndex } from '../../database/failures';
import type { Dialect } from '../../dialects/dialect';
import { isKey } from '../select/order-sql';
import { predicateSql } from '../select/predicate-sql';
import type { RowAt, Scope } from '../tables/scope';
import type { TypeTable } from '../tables/type-table';
import { keyOf } from './totals';
import { statementWriter, type WayFinder } from './way-finder';

// A list of all documents of a status and locale, in the order of their ids: going through the index of ids finds a page soon
// where many of its rows are of that status and locale.

/** How many rows are looked at, at the start, in the middle and at the end of the index. */
const looked = 500;
/** How many of these have to be shown: of fewer, more would be passed by than there are to be sorted. */
const enough = looked / 5;

/** Whether a condition chooses a status or locale, of which there are few. */
function isVersion(table: TypeTable, predicate: Predicate): boolean {
  if (predicate.op === 'and') return predicate.items.every((item) => isVersion(table, item));
  const isChoice = predicate.op === 'null' || (predicate.op === 'compare' && predicate.comparison === 'eq');
  return isChoice && table.isVariant(predicate.attribute);
}

/** Finds out whether such a list is gone through in its order; absent for other lists, and where the planner knows itself. */
export function findOrdered(plan: ReadPlan, tableOf: Scope['tableOf'], dialect: Dialect): WayFinder | undefined {
  const { type, where, order } = plan;
  const table = tableOf(type);
  const { idIndex } = table;
  const { byIndex } = dialect;
  if (!byIndex || !idIndex || type.dimensions.length === 0) return undefined;
  if (!where || !isVersion(table, where) || order.length !== 1 || !isKey(order[0]!)) return undefined;
  const row: RowAt = { table, alias: 't' };
  const id = dialect.id('id');
  const columns = type.dimensions.map(({ attribute: { name } }) => table.column(type.attributes.get(name)!, 'r.'));
  const rows = `select ${columns.join(',')} from ${table.name} r${byIndex(idIndex)}`;
  const middle = `(select floor((min(m.${id})+max(m.${id}))/2) from ${table.name} m)`;
  const places = [`order by r.${id}`, `where r.${id}>=${middle} order by r.${id}`, `order by r.${id} desc`];

  const shownAt = (scope: Scope, place: string): string =>
    `(select count(*) from (${rows} ${place} limit ${looked}) t where ${predicateSql(scope, row, where)})`;
  const written = statementWriter(plan, tableOf, dialect);
  const shown = written((scope) => `select ${places.map((place) => shownAt(scope, place)).join(',')}`);
  return {
    ways: ['inOrder', 'each'],
    statements: [shown],
    keyOf: (bound) => keyOf(shown, shown.parameters.values(bound)),
    async choose(database, bound) {
      try {
        const [counts] = await database.rows(shown, shown.parameters.values(bound));
        return counts!.every((count) => Number(count) >= enough) ? 'inOrder' : 'each';
      } catch (error) {
        if (isMissingIndex(error)) return 'each';
        throw error;
      }
    },
  };
}
