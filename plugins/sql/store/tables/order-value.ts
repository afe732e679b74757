import type { ScalarStorage } from '../../../../core';
import type { Dialect } from '../../dialects/dialect';

/** One of the values that an order compares. */
export interface OrderValue {
  readonly value: string;
  readonly descending: boolean;
  /** Whether no row lacks it. */
  readonly isFilled: boolean;
  readonly storage: ScalarStorage;
}

export const ascending = (value: string, storage: ScalarStorage): OrderValue => ({
  value,
  descending: false,
  isFilled: false,
  storage,
});
/** By ids, which every row has. */
export const byId = (value: string): OrderValue => ({
  value,
  descending: false,
  isFilled: true,
  storage: 'integer',
});

export const spelledOrder = (dialect: Dialect, values: readonly Omit<OrderValue, 'storage'>[]): string =>
  values.map(({ value, descending, isFilled }) => dialect.order(value, descending, isFilled)).join(',');

/** The same order for the rows of a group. */
export const orderInGroup = (dialect: Dialect, values: readonly OrderValue[]): string =>
  spelledOrder(
    dialect,
    values.map((each) => {
      const value = each.isFilled ? undefined : dialect.orderedInGroup?.(each.value, each.storage);
      return value === undefined ? each : { ...each, value };
    }),
  );
