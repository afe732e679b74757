import type { ReadPlan } from '../../../core';
import type { Statement } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { documentText } from './document-text';
import { orderSql } from './order-sql';
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
export function pageStatement(plan: ReadPlan, tableOf: Scope['tableOf'], dialect: Dialect): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf);
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

/** How many documents match, on whatever page. */
export function countStatement(plan: ReadPlan, tableOf: Scope['tableOf'], dialect: Dialect): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const where = whereSql(scope, row, plan);
  return {
    sql: `select count(*)${dialect.snapshot ? `,${dialect.snapshot}` : ''} from ${row.table.name} t${where}`,
    parameters,
  };
}
