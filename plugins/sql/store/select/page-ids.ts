import { flatMapped, type OrderTerm, type ReadPlan } from '../../../../core';
import { spelledOrder } from '../tables/order-value';
import { idAt, type RowAt, type Scope } from '../tables/scope';
import { afterSql, type Piece, type PlanAfter, type Range, rangesAfter } from './after-sql';
import { listedSql, listOrder } from './listed-rows';
import { isKey, isThrough, valueSql } from './order-sql';

// Selects of the ids of one page, in its order. They are called `p`.

const nameAt = ({ dialect }: Scope, at: number): string => dialect.id(`k${at}`);

/** An order by values that have names: of the terms of a plan, from one of them on. */
function namedOrder(
  { dialect }: Scope,
  order: readonly OrderTerm[],
  id: string,
  nameOf: (at: number) => string,
): string {
  const named = order.map((term, at) => ({
    value: isKey(term) ? id : nameOf(at),
    descending: term.descending,
    isFilled: isKey(term),
  }));
  return spelledOrder(dialect, named);
}

/** The order of a plan by what a select of some name tells of its rows. */
export const toldOrder = (scope: Scope, { order }: ReadPlan, name: string): string =>
  namedOrder(scope, order, `${name}.${scope.dialect.id('id')}`, (at) => `${name}.${nameAt(scope, at)}`);

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
 * An order of a select that tells what its plan orders by: all terms of that, or those from one of them on. What is looked up for
 * each row goes by the name under which it is told, so that it is looked up once. A name that stands alone means what is told,
 * whatever columns there are.
 */
const tellingOrder = (scope: Scope, row: RowAt, order: readonly OrderTerm[], first = 0): string =>
  order.some(isThrough)
    ? namedOrder(scope, order, idAt(row, scope), (at) => nameAt(scope, first + at))
    : listOrder(scope, row, order);

/** Ids with what they are ordered by, so that those of several ranges can be put in order. */
const idAndOrder = (scope: Scope, row: RowAt, plan: ReadPlan): string =>
  `select ${idAt(row, scope)} as ${scope.dialect.id('id')}${valuesOf(scope, row, plan)} from`;

function firstOf(scope: Scope, row: RowAt, plan: ReadPlan, range: Piece, limit: Piece, order = plan.order): string {
  // Parameters are collected in the order of the text.
  const told = idAndOrder(scope, row, plan);
  const from = listedSql(scope, row, plan, { more: range });
  return `${told} ${from} order by ${tellingOrder(scope, row, order)} ${limit()}`;
}

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

/** Whether an index has the rows in the order of their first values, but not those with the same one. */
const isInPart = ({ dialect, sought }: Scope, { table }: RowAt, { order: [first, second, ...more] }: ReadPlan) =>
  dialect.isOneWay === true &&
  (!sought || sought.way === 'each') &&
  first !== undefined &&
  !isKey(first) &&
  table.isSought(first) &&
  second !== undefined &&
  (more.length > 0 || first.descending !== second.descending);

/**
 * The first ids of a range of values that an index has in part: it has the right values, but of the last one perhaps other rows than
 * those that come first, which are looked up.
 */
function firstInPart(scope: Scope, row: RowAt, plan: ReadPlan, range: Piece, limit: Piece): string[] {
  const [first, ...rest] = plan.order;
  const { descending } = first!;
  const asInIndex = [first!, { ...plan.order.find(isKey)!, descending }];
  const found = firstOf(scope, row, plan, range, limit, asInIndex);
  const told = idAndOrder(scope, row, plan);
  const value = valueSql(scope, row, first!);
  const values = `${value} as v from ${listedSql(scope, row, plan, { more: range })}`;
  const until = `select ${values} order by ${listOrder(scope, row, asInIndex)} ${limit()}`;
  const last = `(select ${descending ? 'min' : 'max'}(y.v) as v from (${until}) y) e`;
  const same = `${last} straight_join ${listedSql(scope, row, plan, { more: () => `${value}=e.v` })}`;
  return [found, `${told} ${same} order by ${tellingOrder(scope, row, rest, 1)} ${limit()}`];
}

/** The first ids of several ranges, of which an index has the order, or that of their first values. */
function idsOfRanges(scope: Scope, row: RowAt, plan: ReadPlan, ranges: readonly Range[], limit: Piece, part: Part) {
  const inPart = isInPart(scope, row, plan);
  const selects = flatMapped(ranges, ({ piece, spans }) =>
    inPart && spans ? firstInPart(scope, row, plan, piece, limit) : [firstOf(scope, row, plan, piece, limit)],
  );
  return merged(scope, plan, selects, inPart ? 'union' : 'union all', part);
}

/** The same ranges of a list from its start. */
function rangesFromStart(scope: Scope, row: RowAt, { order }: ReadPlan): Range[] {
  const value = valueSql(scope, row, order[0]!);
  return [
    { piece: () => `${value} is not null`, spans: true },
    { piece: () => `${value} is null`, spans: false },
  ];
}

function plainIds(scope: Scope, row: RowAt, plan: ReadPlan, range: Piece | undefined, part: Part): string {
  const more = part.tellsOrder ? valuesOf(scope, row, plan) : '';
  const from = listedSql(scope, row, plan, { more: range });
  const order = part.tellsOrder ? tellingOrder(scope, row, plan.order) : listOrder(scope, row, plan.order);
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
  // For what else a late page is ordered by, all rows before it would be looked up one by one: sorting them all takes less.
  const isByOneValue = plan.order.length === 2;
  if (!isByOneValue || !isInPart(scope, row, plan)) return plainIds(scope, row, plan, undefined, window);
  const upToEnd: Piece = () => `limit ${parameters.add(limit, (count, all) => Number(count) + Number(all[start]))}`;
  return idsOfRanges(scope, row, plan, rangesFromStart(scope, row, plan), upToEnd, window);
}

/** The ids of a page behind a place, and of one more: found by one look at an index for each range of it that has the order. */
export function idsAfter(scope: Scope, row: RowAt, plan: PlanAfter): string {
  const { after, order } = plan;
  const limit: Piece = () => scope.dialect.oneMore(plan.limit, scope.parameters);
  const limited: Part = { of: (select) => `${select} ${limit()}`, tellsOrder: pageTells(scope) };
  if (after.length > 1 && row.table.isSought(order[0]!) && scope.sought?.way !== 'sorted')
    return idsOfRanges(scope, row, plan, rangesAfter(scope, row, plan), limit, limited);
  if (after.length === 0 && isInPart(scope, row, plan))
    return idsOfRanges(scope, row, plan, rangesFromStart(scope, row, plan), limit, limited);
  const behind: Piece | undefined = after.length > 0 ? () => afterSql(scope, row, plan) : undefined;
  return plainIds(scope, row, plan, behind, limited);
}
