import { notFound } from '../errors';
import { token } from '../kernel/services';
import { valuesIn } from './answer-bytes';
import { type CompleteCheck, createCompleteCheck } from './complete-check';
import type { ContentRegistry } from './content-type';
import type { DocumentHooks, ShownDocument } from './hooks';
import type { DocumentQuery, Operation, WriteOperation } from './operation';
import { createReads, type ReadAnswer } from './reads';
import { createSight } from './sight';
import type { DocumentStore, StoreAnswer, StoreTransaction } from './store';
import { createWrites } from './writes';

/** The documents of one type, for code inside the application. */
export interface TypeDocuments {
  find(query?: DocumentQuery): Promise<ShownDocument[]>;
  findOne(documentId: string, query?: DocumentQuery): Promise<ShownDocument | undefined>;
  /** Makes a document; that of a single type is changed where it is there. */
  create(data: Readonly<Record<string, unknown>>, query?: DocumentQuery): Promise<ShownDocument>;
  update(documentId: string, data: Readonly<Record<string, unknown>>, query?: DocumentQuery): Promise<ShownDocument>;
  delete(documentId: string, query?: DocumentQuery): Promise<void>;
}

/**
 * The one way to documents. Adapters hand in operations and get answers already spelt as JSON; code inside the
 * application uses `of`. Nothing here asks for permissions: that is the adapters' affair.
 */
export interface Documents {
  read(operation: Operation, transaction?: StoreTransaction): Promise<ReadAnswer>;
  create(operation: WriteOperation, transaction?: StoreTransaction): Promise<StoreAnswer>;
  update(operation: WriteOperation, transaction?: StoreTransaction): Promise<StoreAnswer>;
  /** Answers which document was deleted, if any was there. */
  remove(operation: Operation, transaction?: StoreTransaction): Promise<string | undefined>;
  /** Refuses wrong keys of a write's query, which are told before anything that is wrong with its body. */
  checkKeys(operation: Operation): Promise<void>;
  /** Checks a stored row as strictly as what everyone can see; for plugins that let rows be work in progress. */
  readonly checkComplete: CompleteCheck;
  /**
   * With the transaction of another write, what is read and written belongs to that: it is undone with it, and undoes it where it
   * fails.
   */
  of(uid: string, transaction?: StoreTransaction): TypeDocuments;
}

export const DOCUMENTS = token<Documents>('heddle.documents');
export const STORE = token<DocumentStore>('heddle.store');
export const CONTENT = token<ContentRegistry>('heddle.content');

/** Everything an application's own code may see. */
const ownRights = 'system';
/** A list for code is whole, unless its query says otherwise. */
const everything = () => ({ start: 0, limit: Number.MAX_SAFE_INTEGER, total: false });
const orWhole = (query: DocumentQuery): DocumentQuery =>
  Object.assign({}, query, { window: query.window ?? everything });

export function createDocuments(
  hooks: DocumentHooks,
  registry: () => ContentRegistry,
  store: () => DocumentStore,
): Documents {
  const sight = createSight(registry);
  const { read, checkKeys } = createReads(hooks, registry, store, sight);
  const { create, update, remove } = createWrites(hooks, registry, store, { read, sight });

  function of(uid: string, transaction?: StoreTransaction): TypeDocuments {
    const type = registry().get(uid);
    const base = { type, rights: ownRights };
    return {
      find: async (query = {}) => valuesIn(await read({ ...base, action: 'find', query: orWhole(query) }, transaction)),
      findOne: async (documentId, query = {}) =>
        valuesIn(await read({ ...base, action: 'findOne', documentId, query }, transaction))[0],
      async create(data, query = {}) {
        return valuesIn(await create({ ...base, action: 'create', query, data }, transaction))[0]!;
      },
      async update(documentId, data, query = {}) {
        const [document] = valuesIn(await update({ ...base, action: 'update', documentId, query, data }, transaction));
        if (!document) throw notFound();
        return document;
      },
      async delete(documentId, query = {}) {
        await remove({ ...base, action: 'delete', documentId, query }, transaction);
      },
    };
  }

  return { read, create, update, remove, checkKeys, checkComplete: createCompleteCheck(registry), of };
}
