import type { Aftermath } from './aftermath';
import type { Attribute } from './attribute';
import type { ContentType } from './content-type';
import type { Choice } from './dimension';
import type { Nested } from './nested';
import type { ReadPlan } from './plan';

/** What a store binds to a place of a plan: datetimes as ISO text, big integers as bigint, JSON as its text. */
export type Bound = string | number | boolean | bigint | null;

/** A value that rows are ordered by, spelt so that the store finds the same place again; null for no value. */
export type Mark = string | number | null;

/** The answer to a read: the documents as one JSON array, already spelt as it will be sent, in UTF-8. */
export interface StoreAnswer {
  readonly json: Buffer;
  readonly count: number;
  /** How many documents match in all; there when the plan asks for it. */
  readonly total?: number;
  /** What the last document is ordered by, where the plan is about a part behind a place and more is behind this one. */
  readonly last?: readonly Mark[];
}

/** One plan about one document, run for several at once: the values are the same but for the document. */
export interface DocumentsTogether {
  /** Whether this costs so much less than to run each that it pays to wait for whoever comes a moment later. */
  readonly gathers: boolean;
  /** An answer for each of several documents, in their order: the first row of each, the other values being what is bound. */
  run(bound: readonly Bound[], documents: readonly Bound[]): readonly Promise<StoreAnswer>[];
}

/** A plan made ready once, to be run with many values. */
export interface PreparedRead {
  /**
   * Throws UnfitValue for marks that this store can't have told. What `isLast` says is that the transaction comes to nothing
   * but this answer any more: the store may commit it on the way.
   */
  run(values: readonly Bound[], transaction?: StoreTransaction, isLast?: boolean): StoreAnswer | Promise<StoreAnswer>;
  /** Only where the plan is about one document, and where this costs less than to run each. */
  readonly together?: DocumentsTogether;
  /** How many characters its statements have, where it keeps any. */
  readonly size?: number;
  /** All that answers are made of, by the names that `Changes` knows; absent where that can't be told. */
  reads?(): readonly string[] | undefined;
}

/**
 * Numbers every change of what is stored, whoever makes it. What was read after `catchUp` answered a number holds as long
 * as nothing of what it was read from has a later one.
 */
export interface Changes {
  /** To be called once, before anything is believed to hold. */
  begin(): Promise<void>;
  /** The latest number, once all changes are known that were committed before the call. Fails where they can't be known soon. */
  catchUp(): Promise<number>;
  /** The number of the latest change, as far as known, of any of what is named. */
  latest(names: readonly string[]): number;
}

/** One row of a document: attribute name → value. */
export type Row = Readonly<Record<string, Bound>>;

/** The rows of a type that a write is about. */
export interface RowMatch {
  readonly documentId?: string | readonly string[];
  /** The rows of the documents that these rows are of, themselves included. */
  readonly documentOf?: readonly number[];
  readonly id?: number | readonly number[];
  /** Those whose id is greater. */
  readonly behind?: number;
  readonly where?: readonly { readonly attribute: Attribute; readonly choice: Choice }[];
}

/** A row tied to a row: the id of a document's row or a component's, the linked row, and its type's uid. */
export interface Tie {
  readonly owner: number;
  readonly target: number;
  readonly uid: string;
  /** Where the owner stands in the target's own list; there where the other side has an order. */
  readonly back?: number;
  /** The attribute of the target that shows the owner, where that is one of several which may. */
  readonly shownBy?: string;
}

/** What a row is to be tied to, in order. */
export interface Tying {
  readonly owner: number;
  /** A new tie goes to the end of the target's own list, unless `back` says where. */
  readonly targets: readonly Omit<Tie, 'owner'>[];
  /** The rows that may lose a target which can have one owner only; all, unless given. */
  readonly rivals?: RowMatch;
  /** What it is tied to now, as the store told it in this transaction; looked up, unless given. */
  readonly current?: readonly Tie[];
}

/** What ties lead to now, and what they are to lead to. */
export interface Retied {
  /** The type of both rows. */
  readonly uid: string;
  readonly from: number;
  readonly to: number;
  /** Whether some row may be tied to both: its tie stays as it is. */
  readonly mayBeBoth: boolean;
}

/** The row that holds something now, and the one that is to hold it. */
export interface HandedOver {
  readonly from: number;
  readonly to: number;
}

/** What rows of one type are to be tied to through one nested attribute. */
export interface NestedTyings {
  readonly type: ContentType;
  readonly nested: Nested;
  readonly tyings: readonly Tying[];
}

/** Ties that are looked for: those of rows, or from the other end those that lead to rows of the type `uid`. */
export type SoughtTies = {
  readonly type: ContentType;
  readonly nested: Nested;
  /**
   * Their `back` may be left out though they have one: what was added just now gets it later. A copy of such a tie goes to
   * the end of the target's list.
   */
  readonly needsNoPlaces?: boolean;
} & ({ readonly owners: readonly number[] } | { readonly uid: string; readonly targets: readonly number[] });

/** What writers wait for each other for; those who share it wait for none but who wants it for himself. */
export type LockKey = string | { readonly shared: string };

/**
 * Work on documents that happens wholly or not at all. What does not depend on each other may be asked for at once. Nobody
 * has to be told that a change was made, so that one which fails may be told by what comes after it, or by the end.
 */
export interface StoreTransaction {
  /** What is left to be done after it, and writes that are made along. */
  readonly aftermath: Aftermath;
  /**
   * Makes other writers of the same things wait until this transaction ends. What it does next waits for that, too. Answers
   * whether it may have waited for others, so that what was read before may have changed since.
   */
  lock(...keys: readonly LockKey[]): boolean | Promise<boolean>;
  /** Adds rows, which who hands them over changes no more; returns their ids in the given order. */
  insert(type: ContentType, rows: readonly Row[]): number[] | Promise<number[]>;
  update(type: ContentType, match: RowMatch, values: Row): void | Promise<void>;
  delete(type: ContentType, match: RowMatch): void | Promise<void>;
  /** The matching rows by id, with all their attributes or those that are named; of a match without lists, the first `most` of them. */
  rows(type: ContentType, match: RowMatch, attributes?: readonly string[], most?: number): Row[] | Promise<Row[]>;
  /** What is tied to these rows through a nested attribute: links, components, zone entries; by owner and order. */
  ties(type: ContentType, nested: Nested, owners: readonly number[]): Tie[] | Promise<Tie[]>;
  /** The same ties found from the other end: those that lead to these rows of the type `uid`. */
  tiesTo(type: ContentType, nested: Nested, uid: string, targets: readonly number[]): Tie[] | Promise<Tie[]>;
  /** Those of several attributes, of whatever types, in one go. */
  tiesOf(sought: readonly SoughtTies[]): Tie[][] | Promise<Tie[][]>;
  /**
   * Makes the ties of these rows exactly these, in this order, with the fewest changes. A target that can have one owner
   * only is taken from the others. Components that are no longer tied are not deleted.
   */
  tie(type: ContentType, nested: Nested, tyings: readonly Tying[]): void | Promise<void>;
  /** The same for several attributes in one go. */
  tieAll(all: readonly NestedTyings[]): void | Promise<void>;
  /** Lets everything that is tied to one row of a type be tied to another instead, in its place. */
  retie(type: ContentType, nested: Nested, change: Retied): void | Promise<void>;
  /** Lets a row that is tied to nothing through these attributes hold what another holds through them, in the same order. */
  handOver(type: ContentType, through: readonly Nested[], change: HandedOver): void | Promise<void>;
  /** Of each owner's ties those that stand before its tie to a target: the nearest first, `most` of them at most. */
  before(
    type: ContentType,
    nested: Nested,
    owners: readonly number[],
    target: number,
    most: number,
  ): Tie[] | Promise<Tie[]>;
  /** Puts a tied row behind another in the list of its owner, or at the start of that. */
  place(
    type: ContentType,
    nested: Nested,
    owner: number,
    target: number,
    after: number | undefined,
  ): void | Promise<void>;
  /** The matching rows that have exactly one of these values: with it, and their documents where the type has any. */
  holding(type: ContentType, attribute: Attribute, values: readonly Bound[], match: RowMatch): Row[] | Promise<Row[]>;
}

/** What is to be known of the stored documents at later starts, by key. */
export interface Remembered {
  read(key: string): Promise<string | undefined>;
  write(key: string, value: string): Promise<void>;
}

/** Where documents are kept. */
export interface DocumentStore {
  prepare(plan: ReadPlan): PreparedRead;
  /** The types of what stands in a nested attribute though it does not list them, or no longer does. */
  strays?(nested: Nested): readonly ContentType[];
  /** Runs the work in one transaction; work that lost against another writer is run again. */
  transaction<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T>;
  /** What has changed; absent where that can't be told. */
  readonly changes?: Changes;
  /** Absent where nothing outlives the process. */
  readonly remembered?: Remembered;
}
