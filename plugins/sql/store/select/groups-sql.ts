import { flatMapped, type GroupKey, type Groups, type Measure, type ReadPlan } from '../../../../core';
import type { Dialect } from '../../dialects/dialect';
import { columnAt, createScope, idAt, type RowAt, type Scope } from '../tables/scope';
import { documentText } from './document-text';
import { orderSql } from './order-sql';
import { predicateSql } from './predicate-sql';
import type { BoundStatement } from './read-sql';
import { collectParameters } from './statement-parts';
import { tiedRows } from './tied-rows';

type GroupPlan = ReadPlan & { readonly groups: Groups };

/** A key's value, and how the rows that have it are joined to the documents. */
interface KeyValue {
  readonly value: string;
  readonly join: string;
}

function keyValue(scope: Scope, row: RowAt, { attribute, through, nulls }: GroupKey): KeyValue {
  if (!through) return { value: columnAt(row, attribute), join: '' };
  const tied = tiedRows(scope, row, through.nested, through.type);
  const among = through.among ? ` and ${predicateSql(scope, tied.row, through.among)}` : '';
  const from = tied.from.includes(' join ') ? `(${tied.from})` : tied.from;
  return {
    value: columnAt(tied.row, attribute),
    join: ` ${nulls ? 'left ' : ''}join ${from} on ${tied.where}${among}`,
  };
}

/** Each document once for each group that it is in: `id`, then the values that make the group, `k0` and so on. */
function membersSql(scope: Scope, { type, where, groups }: GroupPlan): string {
  const row: RowAt = { table: scope.tableOf(type), alias: scope.alias() };
  const { id } = scope.dialect;
  const keys = groups.by.map((key) => keyValue(scope, row, key));
  const columns = keys.map(({ value }, index) => `,${value} as ${id(`k${index}`)}`).join('');
  const isOnce = groups.by.every(({ through }) => !through);
  const conditions = [
    ...flatMapped(groups.by, ({ nulls, through }, index) =>
      nulls || through ? [] : [`${keys[index]!.value} is not null`],
    ),
    ...(where ? [predicateSql(scope, row, where)] : []),
  ];
  const condition = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  const joins = keys.map(({ join }) => join).join('');
  return `select ${isOnce ? '' : 'distinct '}${idAt(row, scope)} as ${id('id')}${columns} from ${row.table.name} ${row.alias}${joins}${condition}`;
}

/** The values that make a group, spelt as JSON. */
const keysText = ({ dialect, tableOf }: Scope, { type, groups }: GroupPlan, at: string): string[] =>
  groups.by.map(({ attribute, through }, index) => {
    const storage = tableOf(through?.type ?? type).storage(attribute);
    return dialect.json(`${at}.${dialect.id(`k${index}`)}`, storage);
  });

const keyNames = ({ by }: Groups, { id }: Dialect, at = ''): string[] =>
  by.map((_, index) => `${at}${id(`k${index}`)}`);

function listText({ dialect }: Scope, items: readonly string[]): string {
  const parts = flatMapped(items, (item, index) => [dialect.literal(index === 0 ? '[' : ','), item]);
  return dialect.concat([...parts, dialect.literal(items.length === 0 ? '[]' : ']')]);
}

function measured({ dialect }: Scope, row: RowAt, measure: Measure): string {
  if (measure.of === 'count') return 'count(*)';
  const column = columnAt(row, measure.attribute);
  const value = measure.of === 'avg' || measure.of === 'sum' ? dialect.asFloat(column) : column;
  return `${measure.of}(${value})`;
}

function measureText({ dialect }: Scope, row: RowAt, measure: Measure, value: string): string {
  if (measure.of === 'count') return dialect.json(value, 'integer');
  const isNumber = measure.of === 'avg' || measure.of === 'sum';
  return dialect.json(value, isNumber ? 'float' : row.table.storage(measure.attribute));
}

/** One row for each group: its values, and what is told of it. */
function toldStatement(scope: Scope, plan: GroupPlan): string {
  const { id, order } = scope.dialect;
  const { groups } = plan;
  const row: RowAt = { table: scope.tableOf(plan.type), alias: 't' };
  const told = groups.tells.map((measure, index) => `${measured(scope, row, measure)} as ${id(`m${index}`)}`);
  const names = keyNames(groups, scope.dialect, 'g.');
  const inner = [...names, ...told].join(',') || '1 as m';
  const grouped = names.length > 0 ? ` group by ${names.join(',')}` : '';
  const from = `(${membersSql(scope, plan)}) g join ${row.table.name} t on ${idAt(row, scope)}=g.${id('id')}`;
  const texts = [
    ...keysText(scope, plan, 'x'),
    ...groups.tells.map((measure, index) => measureText(scope, row, measure, `x.${id(`m${index}`)}`)),
  ];
  const sorted = keyNames(groups, scope.dialect, 'x.').map((name) => order(name, false));
  const ordered = sorted.length > 0 ? ` order by ${sorted.join(',')}` : '';
  const limit = groups.most === undefined ? '' : ` ${scope.dialect.oneMore(groups.most, scope.parameters)}`;
  return `select ${listText(scope, texts)} from (select ${inner} from ${from}${grouped}) x${ordered}${limit}`;
}

/** One row for each document of the part of each group that is shown. */
function shownStatement(scope: Scope, plan: GroupPlan): string {
  const { dialect } = scope;
  const { id, order } = dialect;
  const { groups } = plan;
  const row: RowAt = { table: scope.tableOf(plan.type), alias: 't' };
  const { text: document, join } = documentText(scope, row, plan);
  const text = listText(scope, [...keysText(scope, plan, 'p'), document]);
  const inner: RowAt = { table: row.table, alias: scope.alias() };
  const names = keyNames(groups, dialect, 'g.');
  const grouped = names.length > 0 ? `partition by ${names.join(',')} ` : '';
  const place = `row_number() over (${grouped}order by ${orderSql(scope, inner, plan.order)}) as ${id('n')}`;
  const from = `(${membersSql(scope, plan)}) g join ${row.table.name} ${inner.alias} on ${idAt(inner, scope)}=g.${id('id')}`;
  const page = `(select ${[`g.${id('id')}`, ...names, place].join(',')} from ${from}) p`;
  const part = dialect.between(`p.${id('n')}`, groups.part!.start, groups.part!.limit, scope.parameters);
  const sorted = [...keyNames(groups, dialect, 'p.').map((name) => order(name, false)), `p.${id('n')}`].join(',');
  return `select ${text} from ${page} join ${row.table.name} t on ${idAt(row, scope)}=p.${id('id')}${join} where ${part} order by ${sorted}`;
}

/** Documents in groups, as lists. Parameters are collected in the order in which the text mentions them. */
export function groupsStatement(plan: GroupPlan, tableOf: Scope['tableOf'], dialect: Dialect): BoundStatement {
  const parameters = collectParameters(dialect);
  const scope = createScope(dialect, parameters, tableOf);
  const sql = plan.groups.part ? shownStatement(scope, plan) : toldStatement(scope, plan);
  return { sql, parameters };
}
