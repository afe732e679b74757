import type { Attribute } from './attribute';
import type { ContentType } from './content-type';
import type { Nested } from './nested';
import type { Predicate } from './query/predicate';
import type { Binding } from './query/slots';
import type { OrderTerm } from './query/sort';

/** What a document, or something inside it, shows: its own values in this order, then what is populated. */
export interface Selection {
  readonly type: ContentType;
  readonly select: readonly Attribute[];
  readonly populate: readonly Populated[];
}

/** What is shown of the things of one type behind a nested attribute. */
export interface NestedSelection extends Selection {
  readonly where: Predicate | undefined;
  /** Absent for the order in which they are tied. */
  readonly order: readonly OrderTerm[] | undefined;
}

/** A nested attribute that is shown. */
export type Populated =
  | {
      readonly nested: Nested;
      readonly show: 'things';
      readonly selections: readonly NestedSelection[];
      /** What stands here is shown whatever its type: types that the attribute no longer lists by what they show plainly. */
      readonly isOpen?: boolean;
    }
  | { readonly nested: Nested; readonly show: 'count'; readonly selections: readonly NestedSelection[] };

/**
 * A read, complete before any I/O: everything that depends on a request's shape. A store compiles it once; requests
 * of the same shape bind their values to its slots.
 */
export interface ReadPlan extends Selection {
  readonly where: Predicate | undefined;
  /** Ends in the row's id, so that it is total. */
  readonly order: readonly OrderTerm[];
  /** Slots of the first row's number and of the number of rows. */
  readonly start: number;
  readonly limit: number;
  readonly total: boolean;
  /** How each slot's value is made of what the request gives. */
  readonly bindings: readonly Binding[];
}
