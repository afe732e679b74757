import type { ReadPlan, SomePredicate } from '../../../core';
import type { Statement } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { afterSql, type PlanAfter, rangesAfter } from './after-sql';
import { documentText } from './document-text';
import { orderSql, orderValues, storageOf } from './order-sql';
import { predicateSql } from './predicate-sql';
import { createScope, idAt, type RowAt, type Scope } from './scope';
import { type CollectedParameters, collectParameters } from './statement-parts';

export interface BoundStatement extends Statement {
  readonly parameters: CollectedParameters;
}

const whereSql = (scope: Scope, row: RowAt, { where }: ReadPlan): string =>
  where ? ` where ${predicateSql(scope, row, where)}` : '';

/**
 * One page of documents: a text each, or all in one. The page's ids are found first, so that the texts are made for its rows only and
 * not for every row that is sorted. Parameters are collected in the order in which the text mentions them.
 */
export function pageStatement(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
  sought?: SomePredicate,
): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf, sought);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const text = documentText(scope, row, plan);
  const version = plan.total && dialect.snapshot ? `,${dialect.snapshot}` : '';
  const where = whereSql(scope, row, plan);
  const inner = orderSql(scope, row, plan.order);
  const window = dialect.window(plan.start, plan.limit, parameters);
  const page = `(select ${idAt(row, scope)} from ${row.table.name} t${where} order by ${inner} ${window}) p`;
  const from = dialect.joined(page, row.table.name);
  if (dialect.wholePage) return { sql: `select ${dialect.wholePage(text)}${from}`, parameters };
  return { sql: `select ${text}${version}${from} order by ${orderSql(scope, row, plan.order)}`, parameters };
}

/** The ids of a page behind a place, found by one look at an index for each range of it. */
function idsByRanges(scope: Scope, row: RowAt, plan: PlanAfter): string {
  const { id, order, oneMore } = scope.dialect;
  const names = plan.order.map((_, index) => id(`k${index}`));
  const found = rangesAfter(scope, row, plan).map((range, index) => {
    const values = orderValues(scope, row, plan.order).map(({ value }, at) => `${value} as ${names[at]}`);
    const where = plan.where ? `${predicateSql(scope, row, plan.where)} and ` : '';
    const condition = range();
    const sorted = orderSql(scope, row, plan.order);
    const select = `select ${idAt(row, scope)} as ${id('id')},${values.join(',')} from ${row.table.name} t`;
    const limit = oneMore(plan.limit, scope.parameters);
    return `select * from (${select} where ${where}${condition} order by ${sorted} ${limit}) r${index}`;
  });
  const sorted = plan.order.map(({ descending }, at) => order(`u.${names[at]}`, descending)).join(',');
  return `(select u.${id('id')} from (${found.join(' union all ')}) u order by ${sorted} ${oneMore(plan.limit, scope.parameters)}) p`;
}

function idsAfter(scope: Scope, row: RowAt, plan: PlanAfter): string {
  const { after, order, where } = plan;
  if (after.length > 1 && row.table.isSought(order[0]!)) return idsByRanges(scope, row, plan);
  const conditions = [
    ...(where ? [predicateSql(scope, row, where)] : []),
    ...(after.length > 0 ? [afterSql(scope, row, plan)] : []),
  ];
  const condition = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  const sorted = orderSql(scope, row, order);
  return `(select ${idAt(row, scope)} from ${row.table.name} t${condition} order by ${sorted} ${scope.dialect.oneMore(plan.limit, scope.parameters)}) p`;
}

/**
 * A page behind a place, and one document more if there is one: a row each, with what the document is ordered by. The
 * text of the one beyond is made for nothing, which costs less than asking twice.
 */
export function pageAfterStatement(
  plan: PlanAfter,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
  sought?: SomePredicate,
): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf, sought);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const text = documentText(scope, row, plan);
  const version = plan.total && dialect.snapshot ? dialect.snapshot : 'null';
  const marks = orderValues(scope, row, plan.order).map(({ value }, index) =>
    dialect.marks.told(value, storageOf(scope, row, plan.order[index]!)),
  );
  const from = dialect.joined(idsAfter(scope, row, plan), row.table.name);
  const sorted = dialect.pageKeepsOrder ? '' : ` order by ${orderSql(scope, row, plan.order)}`;
  return { sql: `select ${dialect.row(text)},${version},${marks.join(',')}${from}${sorted}`, parameters };
}

/** How many documents match, on whatever page. */
export function countStatement(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
  sought?: SomePredicate,
): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf, sought);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const where = whereSql(scope, row, plan);
  return {
    sql: `select count(*)${dialect.snapshot ? `,${dialect.snapshot}` : ''} from ${row.table.name} t${where}`,
    parameters,
  };
}
