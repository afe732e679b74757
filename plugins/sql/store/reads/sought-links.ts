import type { Bound, ReadPlan, SomePredicate } from '../../../../core';
import type { Dialect } from '../../dialects/dialect';
import { demanded } from '../select/demanded';
import { looksOutside } from '../select/looks-outside';
import { isKey } from '../select/order-sql';
import { linksMeeting, targetsMeeting } from '../select/predicate-sql';
import type { Scope } from '../tables/scope';
import { firstNumber, keyOf } from './totals';
import { largestPage, statementWriter, type WayFinder } from './way-finder';

// Where documents are found by what they are linked with, the best way depends on how many links there are: those of one row
// are gone along, few of several are looked up, for many the list is gone through until a page is full.

/** The first of them that is about something linked, and can be looked up. */
export function soughtLink({ type, where }: ReadPlan, tableOf: Scope['tableOf']): SomePredicate | undefined {
  return demanded(where).find(
    (each): each is SomePredicate =>
      each.op === 'some' &&
      !each.orNone &&
      each.nested.storage !== 'variants' &&
      tableOf(type).place(each.nested).in === 'link' &&
      !looksOutside(each),
  );
}

/**
 * Whether links of one row, gone along, fill a page soon: nothing else is asked of the list than versions, whose order is
 * that of its rows.
 */
function isAlong({ type, where, order, after }: ReadPlan, some: SomePredicate, tableOf: Scope['tableOf']): boolean {
  const [first, ...more] = order;
  const table = tableOf(type);
  return (
    !after &&
    first !== undefined &&
    more.length === 0 &&
    isKey(first) &&
    !first.descending &&
    demanded(where).every((each) => each === some || ('attribute' in each && table.isVariant(each.attribute)))
  );
}

/**
 * Links are gone along where it is one row that they lead to. Else few links are looked up: so few that this reads less
 * than going through the list, which reads about as many rows for each that it finds as there are rows for each link.
 * They are counted no further than that.
 */
export function findWay(plan: ReadPlan, some: SomePredicate, tableOf: Scope['tableOf'], dialect: Dialect): WayFinder {
  const written = statementWriter(plan, tableOf, dialect);
  const owner = tableOf(plan.type);
  // Behind all that the request gives.
  const budgetSlot = plan.bindings.length;
  const links = written((scope) => {
    const { from } = linksMeeting(scope, owner, some);
    return `select count(*) from (select 1 from ${from} ${dialect.oneMore(budgetSlot, scope.parameters)}) f`;
  });
  const last = written(() => `select max(${dialect.id('id')}) from ${owner.name}`);
  const targets = isAlong(plan, some, tableOf) ? written((scope) => targetsMeeting(scope, some)) : undefined;
  const mostShown = (bound: readonly Bound[]): number => Math.min(Number(bound[plan.limit]), largestPage);
  return {
    ways: ['first', 'each', ...(targets ? (['along'] as const) : [])],
    statements: [last, links, ...(targets ? [targets] : [])],
    keyOf: (bound) => (targets ? 'along ' : '') + keyOf(links, links.parameters.values([...bound, mostShown(bound)])),
    async choose(database, bound) {
      if (targets && firstNumber(await database.rows(targets, targets.parameters.values(bound))) === 1) return 'along';
      const rows = firstNumber(await database.rows(last, []));
      const budget = Math.floor(Math.sqrt(mostShown(bound) * rows));
      const found = firstNumber(await database.rows(links, links.parameters.values([...bound, budget])));
      return found <= budget ? 'first' : 'each';
    },
  };
}
