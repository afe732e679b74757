import type { Nested, NestedSelection } from '../../../../core';
import type { JoinedEnd } from '../../dialects/dialect';
import type { LinkPlace } from '../../layout/places';
import { type OrderValue, orderInGroup, spelledOrder } from '../tables/order-value';
import { idAt, type RowAt, type RowText, type Scope } from '../tables/scope';
import { tiesOfRow } from '../tables/ties-of-row';
import { asksMore } from './narrow-scan';
import { orderValues } from './order-sql';
import { predicateSql } from './predicate-sql';
import { type TiedRows, tiedRows } from './tied-rows';

/** A selection of a part of a list. */
export type PagedSelection = NestedSelection & Required<Pick<NestedSelection, 'window'>>;

/** The texts of a page of what is tied to a row, with commas between them; `textOf` makes the text of one row. */
export function pageText(
  scope: Scope,
  owner: RowAt,
  nested: Nested,
  selection: PagedSelection,
  textOf: (row: RowAt) => RowText,
): string {
  const paged = scope.dialect.joinedPage ? textsOfPage : pageOfTexts;
  return paged(scope, owner, nested, selection, textOf);
}

/** By a page of rows found first, so that texts are made for these only: the way of a database whose subqueries see the row. */
function pageOfTexts(
  scope: Scope,
  owner: RowAt,
  nested: Nested,
  { type, where, order, window }: PagedSelection,
  textOf: (row: RowAt) => RowText,
): string {
  const { dialect } = scope;
  const { id } = dialect;
  const row: RowAt = { table: scope.tableOf(type), alias: scope.alias() };
  const page = scope.alias();
  // Parameters are collected in the order in which the text mentions them: those of the documents come first.
  const { text: made, join } = textOf(row);
  const text = dialect.fitting(made);
  const tied = tiedRows(scope, owner, nested, type);
  const values = (): readonly OrderValue[] =>
    order ? [...orderValues(scope, tied.row, order), ...tied.among] : tied.order;
  const condition = (): string => (where ? ` and ${predicateSql(scope, tied.row, where)}` : '');
  const found = (columns: string, sorted: (prefix: string) => string): string =>
    `(${dialect.window(`select ${idAt(tied.row, scope)} as ${id('id')}${columns} from ${tied.from} where ${tied.whereOne}${condition()} order by ${sorted('')}`, window.start, window.limit, scope.parameters)}) ${page}`;
  const joined = `${dialect.joinAfter} ${row.table.name} ${row.alias} on ${idAt(row, scope)}=${page}.${id('id')}${join}`;
  if (dialect.pageKeepsOrder) {
    const sorted = (): string => spelledOrder(dialect, values());
    return `(select ${dialect.joinedTexts(text, undefined)} from ${found('', sorted)} ${joined})`;
  }
  const kept = values();
  const names = kept.map((_, index) => `o${index}`);
  const columns = kept.map(({ value }, index) => `,${value} as ${id(names[index]!)}`).join('');
  const named = (prefix: string): OrderValue[] =>
    kept.map((each, index) => ({ ...each, value: `${prefix}${id(names[index]!)}` }));
  const sorted = (prefix: string): string => spelledOrder(dialect, named(prefix));
  const all = dialect.joinedTexts(text, orderInGroup(dialect, named(`${page}.`)));
  return `(select ${all} from ${found(columns, sorted)} ${joined})`;
}

/** By texts of which only a part is joined. */
function textsOfPage(
  scope: Scope,
  owner: RowAt,
  nested: Nested,
  selection: PagedSelection,
  textOf: (row: RowAt) => RowText,
): string {
  const { type, where, order, window } = selection;
  const { dialect } = scope;
  const tied = tiedRows(scope, owner, nested, type);
  const { text: made, join } = textOf(tied.row);
  const text = dialect.fitting(made);
  const sorted = orderInGroup(dialect, order ? [...orderValues(scope, tied.row, order), ...tied.among] : tied.order);
  const joined = dialect.joinedPage!(text, sorted, window, scope.parameters);
  const end = endOfPage(scope, owner, nested, selection, tied);
  const condition = where ? ` and ${predicateSql(scope, tied.row, where)}` : '';
  if (!end) return `(select ${joined} from ${tied.from}${join} where ${tied.whereOne}${condition})`;
  return `(${end.select} ${joined} from ${end.before}${tied.from}${join} where ${tied.whereOne}${condition} and ${end.condition})`;
}

/** The links of a list that is read in their order, and that others make longer: it tends to be longer than a page. */
function longListOf(
  { tableOf }: Scope,
  owner: RowAt,
  nested: Nested,
  selection: PagedSelection,
): LinkPlace | undefined {
  const { type, where, order } = selection;
  if (order || nested.storage !== 'link') return undefined;
  const place = owner.table.place(nested);
  if (place.in !== 'link' || !place.inverse || place.orderColumn === undefined) return undefined;
  // The end of a page is found soon unless few of the rows are asked for.
  return where && asksMore(tableOf(type), where) ? undefined : place;
}

/** Keeps rows from being read whose links stand behind the page, only to see whether they are asked for. */
function endOfPage(
  scope: Scope,
  owner: RowAt,
  nested: Nested,
  selection: PagedSelection,
  listed: TiedRows,
): JoinedEnd | undefined {
  const { dialect, parameters } = scope;
  const place = dialect.pageEnd && longListOf(scope, owner, nested, selection);
  if (!place) return undefined;
  const { type, where, window } = selection;
  const links = tiesOfRow(scope, owner, { ...place, leads: [] });
  const tied = tiedRows(scope, owner, nested, type);
  const [first] = tied.order as [OrderValue];
  return dialect.pageEnd!(
    {
      link: `1 from ${links.from} where ${links.whereOne}`,
      place: () =>
        `${first.value} from ${tied.from} where ${tied.whereOne}${where ? ` and ${predicateSql(scope, tied.row, where)}` : ''} order by ${spelledOrder(dialect, tied.order)}`,
    },
    window,
    listed.order[0]!.value,
    scope.alias(),
    parameters,
  );
}
