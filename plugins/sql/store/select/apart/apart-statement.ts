import type { ReadPlan } from '../../../../../core';
import type { ApartInRows, ApartJoined } from '../../../dialects/apart';
import type { Dialect } from '../../../dialects/dialect';
import { createScope, type RowAt, type Scope, type Sought } from '../../tables/scope';
import { documentText } from '../document-text';
import { isKey } from '../order-sql';
import { idsOfPage, toldOrder } from '../page-ids';
import type { BoundStatement } from '../read-sql';
import { collectParameters } from '../statement-parts';
import { createReadApart } from './apart';
import { createJoinedWriter } from './apart-joined';
import { createRowsWriter } from './apart-rows';
import type { Gap } from './gaps';
import { filledByIds } from './gaps-in-rows';
import { filledByPlaces } from './gaps-joined';

/** What a page of documents is read with. */
interface Reading {
  readonly scope: Scope;
  readonly row: RowAt;
  readonly plan: ReadPlan;
}

type Found = Pick<BoundStatement, 'sql' | 'settings' | 'filled'>;

function joinedStatement({ scope, row, plan }: Reading, as: ApartJoined): Found | undefined {
  const writer = createJoinedWriter(scope, as);
  const apart = createReadApart(scope, writer);
  const { gaps } = apart;
  const documents = documentText(apart.scopeFor(row), row, plan);
  if (gaps.length === 0) return undefined;
  apart.finish();
  const ids = idsOfPage(scope, row, plan, { tellsOrder: false });
  const version = (plan.total && scope.dialect.snapshot) || 'null';
  const sql = writer.statement(ids, documents, row.table.name, version);
  return { sql, filled: (rows) => filledByPlaces(rows, gaps) };
}

/**
 * Whether rows of their own save more than it takes to note and to look up which rows they belong to: what is the only one, or one of
 * two, is found as quickly by a select inside of each text.
 */
const isWorthRows = (gaps: readonly Gap[]): boolean => gaps.length > 2 || gaps.some(({ many }) => many);

/** Written in its order, in which parameters are collected. */
function rowsStatement({ scope, row, plan }: Reading, as: ApartInRows): Found | undefined {
  const writer = createRowsWriter(scope, as);
  const apart = createReadApart(scope, writer);
  const { gaps } = apart;
  const order = { sql: toldOrder(scope, plan, 'p'), isFilled: plan.order.every(isKey) };
  writer.begin(idsOfPage(scope, row, plan), order);
  writer.documents(documentText(apart.scopeFor(row), row, plan), row.table.name);
  if (!isWorthRows(gaps)) return undefined;
  apart.finish();
  const { settings } = as;
  return { sql: writer.statement(), settings, filled: (rows, most) => filledByIds(rows, gaps, most) };
}

/** A page of documents with what is tied to them read apart; absent where nothing is. */
export function apartStatement(
  plan: ReadPlan,
  tableOf: Scope['tableOf'],
  dialect: Dialect,
  sought?: Sought,
): BoundStatement | undefined {
  const { apart } = dialect;
  if (!apart || (plan.populate.length === 0 && plan.entries === undefined)) return undefined;
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf, sought);
  const reading: Reading = { scope, row: { table: tableOf(plan.type), alias: 't' }, plan };
  const found = apart.as === 'joined' ? joinedStatement(reading, apart) : rowsStatement(reading, apart);
  return found && { ...found, parameters };
}
