import {
  AsyncParallelHook,
  AsyncSeriesBailHook,
  AsyncSeriesHook,
  AsyncSeriesWaterfallHook,
  SyncBailHook,
  SyncHook,
  SyncWaterfallHook,
} from 'tapable';
import type { Issue } from '../errors';
import type { Registry } from '../kernel/registry';
import type { ContentRegistry } from './content-type';
import type { TypeDefinition } from './definition';
import type { Dimension } from './dimension';
import type { KnownKind } from './kinds/kind';
import type { Nested } from './nested';
import type { Operation, WriteOperation } from './operation';
import type { ReadPlan } from './plan';
import type { Bound, PreparedRead, Row, StoreAnswer, StoreTransaction } from './store';
import type { Twin } from './structure/twin-rows';

/** How content types come to be. */
export const contentHooks = () =>
  Object.freeze({
    /** To register attribute kinds by the `type` that schema files use. */
    kinds: new SyncHook<[kinds: Registry<KnownKind>]>(['kinds']),
    /** To register dimensions. */
    dimensions: new SyncHook<[dimensions: Registry<Dimension>]>(['dimensions']),
    /** To collect definitions; what a tap returns replaces the list. */
    types: new AsyncSeriesWaterfallHook<[definitions: readonly TypeDefinition[]]>(['definitions']),
    /** For each definition: to add attributes and options; what a tap returns replaces it. */
    type: new SyncWaterfallHook<[definition: TypeDefinition]>(['definition']),
    /** With the frozen registry of all content types. */
    schemaReady: new SyncHook<[registry: ContentRegistry]>(['registry']),
  });

/** A plan with its values, about to be run. */
export interface Execution {
  readonly operation: Operation;
  readonly plan: ReadPlan;
  readonly values: readonly Bound[];
  /**
   * Runs the plan in the store, together with those who ask the same question at the same time. They get the same bytes:
   * who wants others makes new ones.
   */
  run(): StoreAnswer | Promise<StoreAnswer>;
  /** See PreparedRead. */
  readonly reads: PreparedRead['reads'];
  /**
   * Equal texts are the same question, by somebody who may see the same; later the same question may get another text.
   * Absent where an answer is nobody else's: inside a transaction, and where the plan is not kept or the values are long.
   */
  readonly question: string | undefined;
  /** The transaction that the read is a part of: it sees what nobody else does yet. */
  readonly transaction?: StoreTransaction | undefined;
}

/** A link that a write makes, in the row itself or in a component of it. */
export interface WrittenLink {
  readonly nested: Nested;
  /** How messages name its place, and that place as a list of keys. */
  readonly label: string;
  readonly path: readonly string[];
  /** The rows that it ties to anew or still; those that are untied are not among them. */
  readonly rows: readonly number[];
}

/** A write's input while it is checked. Taps add issues; all of them are told at once. */
export interface Validation {
  readonly operation: WriteOperation;
  /** Attribute name → value to keep. */
  readonly values: ReadonlyMap<string, Bound>;
  /** The links whose targets were found. */
  readonly links: readonly WrittenLink[];
  readonly issues: Issue[];
  readonly transaction: StoreTransaction;
}

/** A document that is there in other variants gets one more. */
export interface VariantAddition {
  readonly operation: WriteOperation;
  /** The rows of its other variants. */
  readonly siblings: readonly Row[];
  readonly transaction: StoreTransaction;
}

/** A document that was not there before is about to be added. */
export interface DocumentAddition {
  readonly operation: WriteOperation;
  readonly links: readonly WrittenLink[];
  readonly transaction: StoreTransaction;
}

export interface Written {
  readonly operation: Operation;
  readonly documentId: string;
  /** The rows of a document that was not there before. */
  readonly created?: readonly number[];
  /** The rows that were changed, or added to a document that was there, if it is told which. */
  readonly changed?: readonly number[];
  /** The rows that a deletion took away. */
  readonly removed?: readonly number[];
  /** The copy of the created row that was asked for by `twin`. */
  readonly twin?: Twin | undefined;
  /**
   * For work in the transaction that changes no row and no link which the answer shows: it goes on beside the reading of that, and
   * beside taps that come later. An error undoes the write all the same. To be called before the tap is done; absent where whoever
   * tells of the write doesn't offer it.
   */
  beside?(work: Promise<unknown>): void;
}

export type ShownDocument = Record<string, unknown>;

/** The life of an operation on documents. */
export const documentHooks = () =>
  Object.freeze({
    /** Before anything else: defaults of parameters; what a tap returns replaces the operation. */
    params: new SyncWaterfallHook<[operation: Operation]>(['operation']),
    /** A write's input, before it is checked; what a tap returns replaces it. */
    data: new AsyncSeriesWaterfallHook<[data: Readonly<Record<string, unknown>>, operation: Operation]>([
      'data',
      'operation',
    ]),
    /** Inside a write's transaction that adds a variant to a document: what a tap returns replaces the data. */
    variant: new AsyncSeriesWaterfallHook<[data: Readonly<Record<string, unknown>>, addition: VariantAddition]>([
      'data',
      'addition',
    ]),
    /** Inside a write's transaction, after the kinds' own checks: to add issues. */
    validate: new AsyncSeriesHook<[validation: Validation]>(['validation']),
    /** For each new shape of a read, once: what a tap returns replaces the plan. */
    plan: new SyncWaterfallHook<[plan: ReadPlan, operation: Operation]>(['plan', 'operation']),
    /** For each read: an answer given here is sent instead of the store's. */
    execute: new AsyncSeriesBailHook<[execution: Execution], StoreAnswer | undefined>(['execution']),
    /** For each read, with its documents as objects; costs their parsing, so tap it only where needed. */
    result: new AsyncSeriesWaterfallHook<[documents: ShownDocument[], operation: Operation]>([
      'documents',
      'operation',
    ]),
    /**
     * Right before the row of a new document is added: the values of its own that a copy of it has, which this tap's plugin
     * makes in `written`. What the copy holds but for links is added with the row, and told as `twin`: to be handed to
     * `copyRows`, which does the rest. The first tap that answers has it.
     */
    twin: new SyncBailHook<[addition: DocumentAddition], Row | undefined>(['addition']),
    /**
     * Inside a write's transaction, after its rows were written; an error undoes the write. What it does not wait for may come too
     * late: a new document may be committed with the reading of its answer. Other writers may have to wait
     * for it: what takes long belongs to `committed`, and what it writes is written with the transaction, by `of(uid, transaction)`.
     */
    written: new AsyncSeriesHook<[written: Written, transaction: StoreTransaction]>(['written', 'transaction']),
    /** After a write was committed. It stays where a tap fails, though its caller is told so: what need not reach him is caught. */
    committed: new AsyncParallelHook<[written: Written]>(['written']),
  });

export type ContentHooks = ReturnType<typeof contentHooks>;
export type DocumentHooks = ReturnType<typeof documentHooks>;

declare module '../types' {
  interface HookBags {
    content: ContentHooks;
    document: DocumentHooks;
  }
}
