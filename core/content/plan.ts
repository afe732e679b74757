import type { Attribute } from './attribute';
import type { ContentType } from './content-type';
import type { Predicate } from './query/predicate';
import type { Cast } from './query/slots';
import type { OrderTerm } from './query/sort';

/**
 * A read, complete before any I/O: everything that depends on a request's shape. A store compiles it once; requests
 * of the same shape bind their values to its slots.
 */
export interface ReadPlan {
  readonly type: ContentType;
  /** What a document shows, in this order. */
  readonly select: readonly Attribute[];
  readonly where: Predicate | undefined;
  /** Ends in the row's id, so that it is total. */
  readonly order: readonly OrderTerm[];
  /** Slots of the first row's number and of the number of rows. */
  readonly start: number;
  readonly limit: number;
  readonly total: boolean;
  /** How each slot's value is made of what the request gives. */
  readonly casts: readonly Cast[];
}
