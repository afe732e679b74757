import type { Bound, ReadPlan } from '../../../../core';
import type { Dialect } from '../../dialects/dialect';
import { listedSql } from '../select/listed-rows';
import { asksMore, isHeld } from '../select/narrow-scan';
import { isKey } from '../select/order-sql';
import type { RowAt, Scope } from '../tables/scope';
import { firstNumber, keyOf } from './totals';
import { largestPage, statementWriter, type WayFinder } from './way-finder';

// A list in an order that an index has, of which few documents meet what is asked: to go through that index until a page is full
// looks up nearly all rows, one by one and wherever they lie. The few are found in the index that stands for the table then, and sorted.

/** As many rows of that index are gone through while one is looked up. */
const rowsForLookup = 12;

/** Finds out whether such a list is sorted; absent for other lists, and where the planner knows itself. */
export function findFew(plan: ReadPlan, tableOf: Scope['tableOf'], dialect: Dialect): WayFinder | undefined {
  const { type, where, order, start, limit } = plan;
  const table = tableOf(type);
  const [first] = order;
  if (!dialect.trustsOrder || !table.narrowIndex || !first || isKey(first) || !table.isSought(first)) return undefined;
  if (!where || !asksMore(table, where) || !isHeld(table, where)) return undefined;
  const row: RowAt = { table, alias: 't' };
  // Behind all that the request gives.
  const fewSlot = plan.bindings.length;
  const matching = statementWriter(
    plan,
    tableOf,
    dialect,
  )((scope) => {
    const from = listedSql(scope, row, { where });
    return `select count(*) from (select 1 from ${from} ${dialect.oneMore(fewSlot, scope.parameters)}) f`;
  });
  const few = (bound: readonly Bound[]): number =>
    rowsForLookup * Math.min(Number(bound[start]) + Number(bound[limit]), largestPage);
  const valuesOf = (bound: readonly Bound[]): unknown[] => matching.parameters.values([...bound, few(bound)]);
  return {
    ways: ['sorted', 'each'],
    statements: [matching],
    keyOf: (bound) => keyOf(matching, valuesOf(bound)),
    choose: async (database, bound) =>
      firstNumber(await database.rows(matching, valuesOf(bound))) <= few(bound) ? 'sorted' : 'each',
  };
}
