import type { OrderTerm, ScalarStorage, Step } from '../../../../core';
import { type OrderValue, spelledOrder } from '../tables/order-value';
import { columnAt, type RowAt, type Scope } from '../tables/scope';
import { predicateSql } from './predicate-sql';
import { tiedRows } from './tied-rows';

const grouped = (from: string): string => (from.includes(' join ') ? `(${from})` : from);

/** A way through nested attributes as joins: rows, with nulls where nothing is tied, from the first tied row to the last. */
function wayOf(scope: Scope, row: RowAt, first: Step, rest: readonly Step[]) {
  const step = (owner: RowAt, { nested, type, among }: Step) => {
    const tied = tiedRows(scope, owner, nested, type);
    // Parameters are collected in the order of the text, in which conditions follow what is joined.
    return {
      ...tied,
      condition: () => (among ? `${tied.whereOne} and ${predicateSql(scope, tied.row, among)}` : tied.whereOne),
    };
  };
  const start = step(row, first);
  const end = rest.reduce(
    (before, tie) => {
      const next = step(before.row, tie);
      return { row: next.row, from: `${before.from} left join ${grouped(next.from)} on ${next.condition()}` };
    },
    { row: start.row, from: start.from },
  );
  return { row: end.row, from: `${end.from} where ${start.condition()}` };
}

/** The value that one term orders by: a column, or that of the first thing tied to the row. */
export function valueSql(scope: Scope, row: RowAt, term: OrderTerm): string {
  const { attribute, descending, through = [] } = term;
  const storage = storageOf(scope, row, term);
  const valueAt = (owner: RowAt): string => {
    const column = columnAt(owner, attribute);
    return scope.dialect.orderedBy?.(column, storage) ?? column;
  };
  const [first, ...rest] = through;
  if (!first) return valueAt(row);
  const way = wayOf(scope, row, first, rest);
  const value = valueAt(way.row);
  return `(select ${value} from ${way.from} order by ${scope.dialect.order(value, descending)} limit 1)`;
}

/** How the value that a term orders by is kept. */
export const storageOf = ({ tableOf }: Scope, row: RowAt, { attribute, through = [] }: OrderTerm): ScalarStorage =>
  tableOf(through.at(-1)?.type ?? row.table.type).storage(attribute);

export const orderValues = (scope: Scope, row: RowAt, terms: readonly OrderTerm[]): OrderValue[] =>
  terms.map((term) => ({
    value: valueSql(scope, row, term),
    descending: term.descending,
    isFilled: isKey(term),
    storage: storageOf(scope, row, term),
  }));

export const isKey = ({ attribute, through = [] }: OrderTerm): boolean =>
  attribute.name === 'id' && through.length === 0;

/** Whether the value is looked up for each row. */
export const isThrough = ({ through = [] }: OrderTerm): boolean => through.length > 0;

export const orderSql = (scope: Scope, row: RowAt, terms: readonly OrderTerm[]): string =>
  spelledOrder(scope.dialect, orderValues(scope, row, terms));
