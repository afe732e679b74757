import type { Predicate, ReadPlan, SomePredicate } from '../../../core';
import type { Dialect } from '../dialects/dialect';
import { linksMeeting } from './predicate-sql';
import type { BoundStatement } from './read-sql';
import { createScope, type Scope } from './scope';
import { collectParameters } from './statement-parts';

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

/**
 * Whether so few links meet a condition that looking them up reads less than going through the list, which reads about as
 * many rows for each that it finds as there are rows for each link. They are counted no further than that.
 */
export function fewLinksStatement(
  plan: ReadPlan,
  some: SomePredicate,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf);
  const { name } = tableOf(plan.type);
  const limit = dialect.asFloat(parameters.add(plan.limit, (most) => Math.min(Number(most), largestPage)));
  const budget = `with b(n) as (select 1+cast(sqrt(${limit}*coalesce(max(id),0)) as integer) from ${name})`;
  const { from } = linksMeeting(scope, tableOf(plan.type), some);
  return {
    sql: `${budget} select (select count(*) from (select 1 from ${from} limit (select n from b)) f)<(select n from b)`,
    parameters,
  };
}
