import type { Attribute } from '../attribute';

export type Comparison = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte';
export type TextMatch = 'equals' | 'contains' | 'startsWith' | 'endsWith';

/** A condition on documents. Numbers called `slot` are places in the array of values bound to a plan. */
export type Predicate =
  | { readonly op: 'compare'; readonly attribute: Attribute; readonly comparison: Comparison; readonly slot: number }
  | { readonly op: 'in'; readonly attribute: Attribute; readonly slots: readonly number[]; readonly negated: boolean }
  | { readonly op: 'between'; readonly attribute: Attribute; readonly low: number; readonly high: number }
  | TextPredicate
  | { readonly op: 'null'; readonly attribute: Attribute; readonly negated: boolean }
  | { readonly op: 'and' | 'or'; readonly items: readonly Predicate[] }
  | { readonly op: 'not'; readonly item: Predicate }
  | { readonly op: 'never' };

/** Compares the text that a value is kept as; nothing is cast. */
export interface TextPredicate {
  readonly op: 'text';
  readonly attribute: Attribute;
  readonly match: TextMatch;
  readonly caseless: boolean;
  readonly negated: boolean;
  readonly slot: number;
}

export const never: Predicate = { op: 'never' };

export const all = (items: readonly Predicate[]): Predicate => (items.length === 1 ? items[0]! : { op: 'and', items });
export const some = (items: readonly Predicate[]): Predicate => (items.length === 1 ? items[0]! : { op: 'or', items });
