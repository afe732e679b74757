import type { OrderTerm, ReadPlan } from '../../../../core';
import { spelledOrder } from '../tables/order-value';
import { idAt, type RowAt, type Scope } from '../tables/scope';
import { afterSql, type Piece, type PlanAfter, rangesAfter } from './after-sql';
import { listedSql, listOrder } from './listed-rows';
import { isKey, isThrough, valueSql } from './order-sql';

// Selects of the ids of one page, in its order. They are called `p`.

const nameAt = ({ dialect }: Scope, at: number): string => dialect.id(`k${at}`);

/** The order of a plan by values that have names. */
function namedOrder({ dialect }: Scope, { order }: ReadPlan, id: string, nameOf: (at: number) => string): string {
  const named = order.map((term, at) => ({
    value: isKey(term) ? id : nameOf(at),
    descending: term.descending,
    isFilled: isKey(term),
  }));
  return spelledOrder(dialect, named);
}

/** The same by what a select of some name tells of its rows. */
export const toldOrder = (scope: Scope, plan: ReadPlan, name: string): string =>
  namedOrder(scope, plan, `${name}.${scope.dialect.id('id')}`, (at) => `${name}.${nameAt(scope, at)}`);

const pageTells = ({ dialect }: Scope): boolean => !dialect.pageKeepsOrder;

/**
 * Puts the rows that are joined to a page in its order, by what it tells: one database sorts that before it joins them, another one
 * sees that they come so; their texts are sorted by neither, but where they are very few.
 */
export const pageOrder = (scope: Scope, plan: ReadPlan): string =>
  pageTells(scope) ? ` order by ${toldOrder(scope, plan, 'p')}` : '';

/** What is wanted of what an ordered select finds. */
interface Part {
  of(select: string): string;
  /** Whether it tells of its rows what orders them, besides their ids. */
  readonly tellsOrder: boolean;
}

/** What rows are ordered by, besides their ids, as columns behind another one. */
const columnsOf = ({ order }: ReadPlan, spell: (term: OrderTerm, at: number) => string): string =>
  order.map((term, at) => (isKey(term) ? '' : `,${spell(term, at)}`)).join('');

const valuesOf = (scope: Scope, row: RowAt, plan: ReadPlan): string =>
  columnsOf(plan, (term, at) => `${valueSql(scope, row, term)} as ${nameAt(scope, at)}`);

/**
 * The order of a select that tells it: by the names of what it tells where that is looked up for each row, so that it is looked up
 * once. A name that stands alone means what is told, whatever columns there are.
 */
const tellingOrder = (scope: Scope, row: RowAt, plan: ReadPlan): string =>
  plan.order.some(isThrough)
    ? namedOrder(scope, plan, idAt(row, scope), (at) => nameAt(scope, at))
    : listOrder(scope, row, plan.order);

/** Ids with what they are ordered by, so that those of several ranges can be put in order. */
const idAndOrder = (scope: Scope, row: RowAt, plan: ReadPlan): string =>
  `select ${idAt(row, scope)} as ${scope.dialect.id('id')}${valuesOf(scope, row, plan)} from`;

const firstOf = (scope: Scope, row: RowAt, plan: ReadPlan, range: Piece, limit: Piece): string =>
  `${idAndOrder(scope, row, plan)} ${listedSql(scope, row, plan, { more: range })} order by ${tellingOrder(scope, row, plan)} ${limit()}`;

/** The first ids of several selects; those that `union` joins may tell a row twice. */
function merged(
  scope: Scope,
  plan: ReadPlan,
  selects: readonly string[],
  union: 'union' | 'union all',
  part: Part,
): string {
  const { id } = scope.dialect;
  const each = selects.map((select, index) => `select * from (${select}) r${index}`);
  const sorted = toldOrder(scope, plan, 'u');
  const more = part.tellsOrder ? columnsOf(plan, (_term, at) => `u.${nameAt(scope, at)}`) : '';
  return part.of(`select u.${id('id')}${more} from (${each.join(` ${union} `)}) u order by ${sorted}`);
}

/** Whether an index has the order, but for the rows with the same value. */
const isDownwards = ({ dialect, sought }: Scope, { table }: RowAt, { order: [first, second, ...more] }: ReadPlan) =>
  dialect.isOneWay === true &&
  (!sought || sought.way === 'each') &&
  more.length === 0 &&
  first?.descending === true &&
  table.isSought(first) &&
  second !== undefined &&
  isKey(second) &&
  !second.descending;

/**
 * The first ids of a range of values, downwards: the index read backwards has the right values, but of the last one perhaps
 * other rows than those with the first ids, which are looked up.
 */
function firstDownwards(scope: Scope, row: RowAt, plan: ReadPlan, range: Piece, limit: Piece): string[] {
  const reversed = { ...plan, order: plan.order.map((term) => ({ ...term, descending: true })) };
  const backwards = (): string => firstOf(scope, row, reversed, range, limit);
  const value = valueSql(scope, row, plan.order[0]!);
  const found = backwards();
  const last = `(select min(y.${nameAt(scope, 0)}) as v from (${backwards()}) y) e`;
  const same = `${last} straight_join ${listedSql(scope, row, plan, { more: () => `${value}=e.v` })}`;
  return [found, `${idAndOrder(scope, row, plan)} ${same} order by ${idAt(row, scope)} ${limit()}`];
}

/** The ids of a list downwards: of rows that are tied with a place, of those with lower values, and of those without any. */
function idsDownwards(scope: Scope, row: RowAt, plan: ReadPlan, ranges: readonly Piece[], limit: Piece, part: Part) {
  const [empty, lower, tied] = [...ranges].reverse();
  const selects = [
    ...(tied ? [firstOf(scope, row, plan, tied, limit)] : []),
    ...firstDownwards(scope, row, plan, lower!, limit),
    firstOf(scope, row, plan, empty!, limit),
  ];
  return merged(scope, plan, selects, 'union', part);
}

/** The same ranges of a list from its start. */
function wholeDownwards(scope: Scope, row: RowAt, { order }: ReadPlan): Piece[] {
  const value = valueSql(scope, row, order[0]!);
  return [() => `${value} is not null`, () => `${value} is null`];
}

function plainIds(scope: Scope, row: RowAt, plan: ReadPlan, range: Piece | undefined, part: Part): string {
  const more = part.tellsOrder ? valuesOf(scope, row, plan) : '';
  const from = listedSql(scope, row, plan, { more: range });
  const order = part.tellsOrder ? tellingOrder(scope, row, plan) : listOrder(scope, row, plan.order);
  return part.of(`select ${idAt(row, scope)}${more} from ${from} order by ${order}`);
}

/** The ids of a page that begins at a row's number, with what they are ordered by unless nothing but ids is wanted. */
export function idsOfPage(
  scope: Scope,
  row: RowAt,
  plan: ReadPlan,
  wanted: Pick<Part, 'tellsOrder'> = { tellsOrder: pageTells(scope) },
): string {
  const { dialect, parameters } = scope;
  const { start, limit } = plan;
  const order = wanted.tellsOrder ? (name: string) => toldOrder(scope, plan, name) : undefined;
  const window: Part = { ...wanted, of: (select) => dialect.window(select, start, limit, parameters, order) };
  if (!isDownwards(scope, row, plan)) return plainIds(scope, row, plan, undefined, window);
  const upToEnd: Piece = () => `limit ${parameters.add(limit, (count, all) => Number(count) + Number(all[start]))}`;
  return idsDownwards(scope, row, plan, wholeDownwards(scope, row, plan), upToEnd, window);
}

/** The ids of a page behind a place, and of one more: found by one look at an index for each range of it that has the order. */
export function idsAfter(scope: Scope, row: RowAt, plan: PlanAfter): string {
  const { after, order } = plan;
  const limit: Piece = () => scope.dialect.oneMore(plan.limit, scope.parameters);
  const limited: Part = { of: (select) => `${select} ${limit()}`, tellsOrder: pageTells(scope) };
  const [first] = after;
  if (first !== null && isDownwards(scope, row, plan)) {
    const ranges = first === undefined ? wholeDownwards(scope, row, plan) : rangesAfter(scope, row, plan);
    return idsDownwards(scope, row, plan, ranges, limit, limited);
  }
  if (after.length > 1 && row.table.isSought(order[0]!)) {
    const selects = rangesAfter(scope, row, plan).map((range) => firstOf(scope, row, plan, range, limit));
    return merged(scope, plan, selects, 'union all', limited);
  }
  const behind: Piece | undefined = after.length > 0 ? () => afterSql(scope, row, plan) : undefined;
  return plainIds(scope, row, plan, behind, limited);
}
