import type { Dialect } from '../dialects/dialect';

/** One of the values that an order compares. */
export interface OrderValue {
  readonly value: string;
  readonly descending: boolean;
  /** Whether no row lacks it. */
  readonly isFilled: boolean;
}

export const ascending = (value: string): OrderValue => ({ value, descending: false, isFilled: false });
/** By ids, which every row has. */
export const byId = (value: string): OrderValue => ({ value, descending: false, isFilled: true });

export const spelledOrder = (dialect: Dialect, values: readonly OrderValue[]): string =>
  values.map(({ value, descending, isFilled }) => dialect.order(value, descending, isFilled)).join(',');
