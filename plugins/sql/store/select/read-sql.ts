import type { ReadPlan } from '../../../../core';
import type { Rows, Statement } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { columnAt, createScope, type RowAt, type Scope, type Sought } from '../tables/scope';
import type { PlanAfter } from './after-sql';
import { apartStatement } from './apart/apart-statement';
import { documentText } from './document-text';
import { type Besides, listedSql } from './listed-rows';
import { isLoneRow } from './lone-row';
import { orderSql, orderValues, storageOf } from './order-sql';
import { idsAfter, idsOfPage, pageOrder } from './page-ids';
import { type CollectedParameters, collectParameters } from './statement-parts';

export interface BoundStatement extends Statement {
  readonly parameters: CollectedParameters;
  /** Rows of whole documents, out of what it finds, where that has gaps: of so many bytes at most, where some are shown again. */
  readonly filled?: (rows: Rows, most: number) => Rows;
}

/** Something of all rows of a list, in its order. */
const inOrder = (scope: Scope, row: RowAt, plan: ReadPlan, selected: string, besides: Besides): string =>
  `select ${selected} from ${listedSql(scope, row, plan, besides)} order by ${orderSql(scope, row, plan.order)}`;

/**
 * Whether the rows are those of one document, and nothing else is told of them: so few that to find those that are shown first
 * costs more than their texts.
 */
const isOneDocument = (plan: ReadPlan, sought: Sought | undefined): boolean =>
  plan.document !== undefined && !plan.total && !sought;

/**
 * All rows that a plan about one document finds, together, for it finds one at most: `pageStatement` answers that, too, if it
 * begins with the first. Absent for plans that may find several rows, and where each row comes by itself.
 */
export function loneRowStatement(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
): BoundStatement | undefined {
  const table = tableOf(plan.type);
  if (!dialect.wholePage || !isLoneRow(plan, table)) return undefined;
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf);
  const row: RowAt = { table, alias: 't' };
  const { text, join } = documentText(scope, row, plan);
  return { sql: `select ${dialect.wholePage(text)} from ${listedSql(scope, row, plan, { join })}`, parameters };
}

const mayBeSeveral = ({ document, type }: ReadPlan): boolean =>
  document === undefined && type.modelKind !== 'singleType';

/**
 * One page of documents: a text each, or all in one. The page's ids are found first, so that the texts are made for its rows only and
 * not for every row that is sorted. Parameters are collected in the order in which the text mentions them, but for what
 * PostgreSQL reads apart.
 */
export function pageStatement(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
  sought?: Sought,
): BoundStatement {
  const apart = mayBeSeveral(plan) ? apartStatement(plan, tableOf, dialect, sought) : undefined;
  if (apart) return apart;
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf, sought);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const { text, join } = documentText(scope, row, plan);
  if (isOneDocument(plan, sought) && !dialect.wholePage) {
    const select = inOrder(scope, row, plan, text, { join });
    return { sql: dialect.window(select, plan.start, plan.limit, parameters), parameters };
  }
  const version = plan.total && dialect.snapshot;
  const told = version ? `,${version}` : '';
  const from = dialect.joined(`(${idsOfPage(scope, row, plan)}) p`, row.table.name) + join;
  if (dialect.wholePage) return { sql: `select ${dialect.wholePage(text)}${told}${from}`, parameters };
  return { sql: `select ${dialect.row(text)}${told}${from}${pageOrder(scope, plan)}`, parameters };
}

/**
 * All rows of the documents in some slots that meet a condition besides, in order, each with its document: also rows of others,
 * for what a database takes for the same name is not told apart.
 */
export function documentsStatement(
  plan: ReadPlan,
  documents: readonly number[],
  tableOf: Scope['tableOf'],
  dialect: Dialect,
): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const document = columnAt(row, plan.type.attributes.get('documentId')!);
  const { text, join } = documentText(scope, row, plan);
  const more = (): string => `${document} in (${documents.map((slot) => parameters.add(slot, String)).join(',')})`;
  return { sql: inOrder(scope, row, plan, `${document},${text}`, { join, more }), parameters };
}

/**
 * A page behind a place, and one document more if there is one: a row each, with what the document is ordered by. The
 * text of the one beyond is made for nothing, which costs less than asking twice.
 */
export function pageAfterStatement(
  plan: PlanAfter,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
  sought?: Sought,
): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf, sought);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const { text, join } = documentText(scope, row, plan);
  const version = plan.total && dialect.snapshot ? dialect.snapshot : 'null';
  const marks = orderValues(scope, row, plan.order).map(({ value }, index) =>
    dialect.marks.told(value, storageOf(scope, row, plan.order[index]!)),
  );
  const from = dialect.joined(`(${idsAfter(scope, row, plan)}) p`, row.table.name) + join;
  return {
    sql: `select ${dialect.row(text)},${version},${marks.join(',')}${from}${pageOrder(scope, plan)}`,
    parameters,
  };
}

/** How many documents match, on whatever page. */
export function countStatement(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
  sought?: Sought,
): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf, sought);
  const row: RowAt = { table: tableOf(plan.type), alias: 't' };
  const version = dialect.snapshot ? `,${dialect.snapshot}` : '';
  return { sql: `select count(*)${version} from ${listedSql(scope, row, { where: plan.where })}`, parameters };
}
