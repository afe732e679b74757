import type { Attribute } from './attribute';
import type { ContentType } from './content-type';
import type { Nested } from './nested';
import type { Groups } from './query/groups';
import type { Predicate } from './query/predicate';
import type { Spelling } from './query/shown';
import type { Binding } from './query/slots';
import type { OrderTerm } from './query/sort';

/** What a document, or something inside it, shows: its own values in this order, then what is populated. */
export interface Selection {
  readonly type: ContentType;
  readonly select: readonly Attribute[];
  readonly populate: readonly Populated[];
  /** Key by key, for adapters whose answers have a form of their own; then the others are empty. */
  readonly entries?: readonly Entry[];
}

/** One key of what is shown; `missing` stands in the place of null. */
export type Entry =
  | { readonly key: string; readonly text: string }
  | { readonly key: string; readonly attribute: Attribute; readonly spelling?: Spelling; readonly missing?: string }
  | { readonly key: string; readonly inside: readonly Entry[] }
  | { readonly key: string; readonly populated: Populated; readonly missing?: string };

/** All that is shown, key by key. */
export const entriesOf = ({ select, populate, entries }: Selection): readonly Entry[] =>
  entries ?? [
    ...select.map((attribute) => ({ key: attribute.name, attribute })),
    ...populate.map((populated) => ({ key: populated.nested.name, populated })),
  ];

/** What is shown of the things of one type behind a nested attribute. */
export interface NestedSelection extends Selection {
  readonly where: Predicate | undefined;
  /** Absent for the order in which they are tied. */
  readonly order: readonly OrderTerm[] | undefined;
  /** Slots of the part of a list that is shown; absent for all of it. */
  readonly window?: { readonly start: number; readonly limit: number };
}

/** A nested attribute that is shown. */
export interface Populated {
  readonly nested: Nested;
  readonly show: 'things' | 'count';
  readonly selections: readonly NestedSelection[];
}

/**
 * A read, complete before any I/O: everything that depends on a request's shape. A store compiles it once; requests
 * of the same shape bind their values to its slots.
 */
export interface ReadPlan extends Selection {
  readonly where: Predicate | undefined;
  /** The slot of the only document that is asked for, where it is; a condition of the read compares with it. */
  readonly document?: number;
  /** Ends in the row's id, so that it is total. */
  readonly order: readonly OrderTerm[];
  /** Slots of the first row's number and of the number of rows. */
  readonly start: number;
  readonly limit: number;
  /**
   * The part behind a place in the order, and not from a row's number on: the slot of each term's value there, or null for
   * no value; empty at the start of the list. The answer tells where it ended.
   */
  readonly after?: readonly (number | null)[];
  readonly total: boolean;
  /** Groups in the place of documents: lists of what makes each and what is told of it, or of what is in it. */
  readonly groups?: Groups;
  /** How each slot's value is made of what the request gives. */
  readonly bindings: readonly Binding[];
}
