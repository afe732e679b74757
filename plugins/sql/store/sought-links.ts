import type { Bound, Predicate, ReadPlan, SomePredicate } from '../../../core';
import type { Database } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { linksMeeting } from './predicate-sql';
import type { BoundStatement } from './read-sql';
import { createScope, type Scope } from './scope';
import { collectParameters } from './statement-parts';
import { firstNumber, keyOf } from './totals';

/** Beyond it, a list is whole for all that matters here. */
const largestPage = 1e6;

// Where documents are found by what they are linked with, the best way depends on how many links there are: few are looked
// up, for many the list is gone through until a page is full.

/** Whether a condition compares with the row outside, which a list of what is linked does not have. */
function looksOutside(predicate: Predicate | undefined): boolean {
  if (!predicate) return false;
  if (predicate.op === 'relative') return true;
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.items.some(looksOutside);
  return predicate.op === 'not' && looksOutside(predicate.item);
}

/** The conditions that every document of a list must meet. */
const demanded = (where: Predicate | undefined): Predicate[] =>
  where?.op === 'and' ? where.items.flatMap(demanded) : where ? [where] : [];

/** The first of them that is about something linked, and can be looked up. */
export function soughtLink({ type, where }: ReadPlan, tableOf: Scope['tableOf']): SomePredicate | undefined {
  return demanded(where).find(
    (each): each is SomePredicate =>
      each.op === 'some' &&
      !each.orNone &&
      each.nested.storage !== 'variants' &&
      tableOf(type).place(each.nested).in === 'link' &&
      !looksOutside(each.among) &&
      !looksOutside(each.where),
  );
}

/** Finds out whether few links meet a condition. */
export interface LinksCounted {
  readonly statements: readonly BoundStatement[];
  /** What the answer depends on, besides what is written. */
  keyOf(bound: readonly Bound[]): string;
  areFew(from: Pick<Database, 'rows'>, bound: readonly Bound[]): Promise<boolean>;
}

/**
 * Whether so few links meet a condition that looking them up reads less than going through the list, which reads about as
 * many rows for each that it finds as there are rows for each link. They are counted no further than that.
 */
export function countLinks(
  plan: ReadPlan,
  some: SomePredicate,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
): LinksCounted {
  const parameters = collectParameters(dialect);
  const owner = tableOf(plan.type);
  const { from } = linksMeeting(createScope(dialect, parameters, tableOf), owner, some);
  // Behind all that the request gives.
  const budgetSlot = plan.bindings.length;
  const links: BoundStatement = {
    sql: `select count(*) from (select 1 from ${from} ${dialect.oneMore(budgetSlot, parameters)}) f`,
    parameters,
  };
  const last = { sql: `select max(${dialect.id('id')}) from ${owner.name}`, parameters: collectParameters(dialect) };
  const mostShown = (bound: readonly Bound[]): number => Math.min(Number(bound[plan.limit]), largestPage);
  return {
    statements: [last, links],
    keyOf: (bound) => keyOf(links, parameters.values([...bound, mostShown(bound)])),
    async areFew(database, bound) {
      const rows = firstNumber(await database.rows(last, []));
      const budget = Math.floor(Math.sqrt(mostShown(bound) * rows));
      return firstNumber(await database.rows(links, parameters.values([...bound, budget]))) <= budget;
    },
  };
}
