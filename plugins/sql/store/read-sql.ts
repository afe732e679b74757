import type { Attribute, ReadPlan } from '../../../core';
import type { Statement } from '../database/database';
import type { Dialect } from '../dialects/dialect';
import { predicateSql } from './predicate-sql';
import { type CollectedParameters, collectParameters } from './statement-parts';
import type { TypeTable } from './type-table';

export interface BoundStatement extends Statement {
  readonly parameters: CollectedParameters;
}

/** A document's JSON text, made by the database. */
export function documentText(select: readonly Attribute[], table: TypeTable, dialect: Dialect): string {
  const parts = select.flatMap((attribute, index) => [
    dialect.literal(`${index === 0 ? '{' : ','}${JSON.stringify(attribute.name)}:`),
    dialect.json(table.column(attribute, 't.'), table.storage(attribute)),
  ]);
  return dialect.concat([...parts, dialect.literal('}')]);
}

/**
 * One page of documents, a text each. The page's ids are found first, so that the texts are made for its rows only and
 * not for every row that is sorted.
 */
export function pageStatement(plan: ReadPlan, table: TypeTable, dialect: Dialect): BoundStatement {
  const parameters = collectParameters(dialect);
  const id = `t.${dialect.id('id')}`;
  const order = plan.order
    .map(({ attribute, descending }) => dialect.order(table.column(attribute, 't.'), descending))
    .join(',');
  const where = plan.where ? ` where ${predicateSql(plan.where, table, dialect, parameters)}` : '';
  const window = dialect.window(plan.start, plan.limit, parameters);
  const text = documentText(plan.select, table, dialect);
  const version = plan.total && dialect.snapshot ? `,${dialect.snapshot}` : '';
  const page = `(select ${id} from ${table.name} t${where} order by ${order} ${window}) p`;
  return { sql: `select ${text}${version}${dialect.joined(page, table.name)} order by ${order}`, parameters };
}

/** How many documents match, on whatever page. */
export function countStatement(plan: ReadPlan, table: TypeTable, dialect: Dialect): BoundStatement {
  const parameters = collectParameters(dialect);
  const where = plan.where ? ` where ${predicateSql(plan.where, table, dialect, parameters)}` : '';
  return {
    sql: `select count(*)${dialect.snapshot ? `,${dialect.snapshot}` : ''} from ${table.name} t${where}`,
    parameters,
  };
}
