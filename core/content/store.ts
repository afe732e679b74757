import type { Attribute } from './attribute';
import type { ContentType } from './content-type';
import type { Choice } from './dimension';
import type { ReadPlan } from './plan';

/** What a store binds to a place of a plan: datetimes as ISO text, big integers as bigint, JSON as its text. */
export type Bound = string | number | boolean | bigint | null;

/** The answer to a read: the documents as one JSON array, already spelt as it will be sent. */
export interface StoreAnswer {
  readonly json: string;
  readonly count: number;
  /** How many documents match in all; there when the plan asks for it. */
  readonly total?: number;
}

/** A plan made ready once, to be run with many values. */
export interface PreparedRead {
  run(values: readonly Bound[], transaction?: StoreTransaction): StoreAnswer | Promise<StoreAnswer>;
}

/** One row of a document: attribute name → value. */
export type Row = Readonly<Record<string, Bound>>;

/** The rows of a type that a write is about. */
export interface RowMatch {
  readonly documentId?: string;
  readonly id?: number;
  readonly where?: readonly { readonly attribute: Attribute; readonly choice: Choice }[];
}

/** Work on documents that happens wholly or not at all. */
export interface StoreTransaction {
  /** Makes other writers of the same thing wait until this transaction ends. */
  lock(key: string): void | Promise<void>;
  /** Adds rows; returns their ids in the given order. */
  insert(type: ContentType, rows: readonly Row[]): number[] | Promise<number[]>;
  update(type: ContentType, match: RowMatch, values: Row): number | Promise<number>;
  delete(type: ContentType, match: RowMatch): number | Promise<number>;
  /** The matching rows with all their attributes, by id. */
  rows(type: ContentType, match: RowMatch): Row[] | Promise<Row[]>;
  /** The document ids that already have this value in matching rows. */
  owners(type: ContentType, attribute: Attribute, value: Bound, match: RowMatch): string[] | Promise<string[]>;
}

/** Where documents are kept. */
export interface DocumentStore {
  prepare(plan: ReadPlan): PreparedRead;
  /** Runs the work in one transaction; work that lost against another writer is run again. */
  transaction<T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T>;
}
