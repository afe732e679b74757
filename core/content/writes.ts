import { type Issue, issuesError, notFound } from '../errors';
import { refuseBodyKeys } from './body-keys';
import type { ContentType } from './content-type';
import { newDocumentId } from './document-id';
import type { DocumentHooks } from './hooks';
import { wrongType } from './kinds/messages';
import type { Operation, WriteOperation } from './operation';
import { type Chosen, choicesOf } from './query/choices';
import type { Read } from './reads';
import type { Bound, DocumentStore, Row, RowMatch, StoreAnswer, StoreTransaction } from './store';
import { createValidator, type Judge } from './validator';

interface Target {
  readonly operation: WriteOperation;
  readonly chosen: readonly Chosen[];
  readonly documentId: string;
  readonly isNew: boolean;
}

type Data = Readonly<Record<string, unknown>>;

const documentKey = ({ uid }: ContentType, documentId: string | undefined): string => `${uid} ${documentId ?? ''}`;

/** What the service itself writes into a row: times, and the variant that the dimensions chose. */
function stamps({ operation: { type }, chosen, isNew }: Target, now: string): Record<string, Bound> {
  const row: Record<string, Bound> = {};
  for (const { name, definition } of type.attributes.values()) {
    if (definition['stamp'] === 'write' || (isNew && definition['stamp'] === 'insert')) row[name] = now;
  }
  if (isNew) for (const { attribute, choice } of chosen) if ('is' in choice) row[attribute.name] = choice.is;
  return row;
}

/** Creates, updates and deletes documents: each is one transaction, wholly there or wholly not. */
export function createWrites(hooks: DocumentHooks, store: () => DocumentStore, read: Read) {
  const judges = new Map<ContentType, Judge>();

  function judgeOf(type: ContentType): Judge {
    const judge = judges.get(type) ?? createValidator(type);
    judges.set(type, judge);
    return judge;
  }

  async function judged(
    target: Target,
    data: Data,
    transaction: StoreTransaction,
  ): Promise<ReadonlyMap<string, Bound>> {
    const { operation, chosen, documentId, isNew } = target;
    const { type } = operation;
    const { values, issues, unreadable } = await judgeOf(type)(data, {
      strictness: 'complete',
      isNew,
      async isTaken(attribute, value) {
        await transaction.lock(`${type.uid} ${attribute.name} ${value}`);
        const owners = await transaction.owners(type, attribute, value, { where: chosen });
        return owners.some((owner) => owner !== documentId);
      },
    });
    await hooks.validate.promise({ operation, values, issues, transaction });
    if (issues.length > 0) throw issuesError(issues);
    if (unreadable) throw unreadable;
    return values;
  }

  async function write(target: Target, data: Data, transaction: StoreTransaction): Promise<StoreAnswer> {
    const { operation, chosen, documentId, isNew } = target;
    const { type, query, rights } = operation;
    const values = await judged(target, data, transaction);
    const row: Row = { ...Object.fromEntries(values), ...stamps(target, new Date().toISOString()) };
    if (isNew) await transaction.insert(type, [{ ...row, documentId }]);
    else await transaction.update(type, { documentId, where: chosen }, row);
    await hooks.written.promise({ operation, documentId }, transaction);
    const { fields, populate, parameters } = query;
    return read({ action: 'findOne', type, documentId, rights, query: { fields, populate, parameters } }, transaction);
  }

  /** The document that an update is about: the one named, or the only one of a single type. */
  async function existing(
    { type, documentId }: Operation,
    chosen: readonly Chosen[],
    transaction: StoreTransaction,
  ): Promise<string | undefined> {
    await transaction.lock(documentKey(type, documentId));
    const [row] = await transaction.rows(type, { documentId, where: chosen });
    return row?.['documentId'] as string | undefined;
  }

  async function prepared<Kind extends Operation>(given: Kind): Promise<{ operation: Kind; chosen: Chosen[] }> {
    const operation = hooks.params.call(given) as Kind;
    return { operation, chosen: choicesOf(operation) };
  }

  async function input(operation: WriteOperation): Promise<Data> {
    if (Array.isArray(operation.data))
      throw issuesError([
        { path: [], name: 'ValidationError', ...wrongType('this', 'object', null, operation.data) } as Issue,
      ]);
    refuseBodyKeys(operation.type, operation.data);
    return hooks.data.promise(operation.data, operation);
  }

  async function create(given: WriteOperation): Promise<StoreAnswer> {
    const { operation, chosen } = await prepared(given);
    const data = await input(operation);
    const target: Target = { operation, chosen, documentId: newDocumentId(), isNew: true };
    const answer = await store().transaction((transaction) => write(target, data, transaction));
    await hooks.committed.promise({ operation, documentId: target.documentId });
    return answer;
  }

  /** Changes what the data mentions. A single type that isn't there yet is created. */
  async function update(given: WriteOperation): Promise<StoreAnswer> {
    const { operation, chosen } = await prepared(given);
    const data = await input(operation);
    let changed: string | undefined;
    const answer = await store().transaction(async (transaction) => {
      const found = await existing(operation, chosen, transaction);
      if (found === undefined && operation.type.modelKind !== 'singleType') throw notFound();
      changed = found ?? newDocumentId();
      return write({ operation, chosen, documentId: changed, isNew: found === undefined }, data, transaction);
    });
    await hooks.committed.promise({ operation, documentId: changed! });
    return answer;
  }

  /** Deletes the document, if the query's filters, where it has any, let it through. What isn't there is no error. */
  async function remove(given: Operation): Promise<void> {
    const { operation, chosen } = await prepared(given);
    const { type, query, documentId, rights } = operation;
    const { filters, search, parameters } = query;
    const deleted = await store().transaction(async (transaction) => {
      const found = await existing(operation, chosen, transaction);
      if (found === undefined) return undefined;
      const narrowed = await read(
        { action: 'findOne', type, documentId: found, rights, query: { filters, search, parameters, fields: 'id' } },
        transaction,
      );
      if (narrowed.count === 0) return undefined;
      const match: RowMatch = { documentId: found, where: chosen };
      await transaction.delete(type, match);
      await hooks.written.promise({ operation, documentId: found }, transaction);
      return found;
    });
    if (deleted !== undefined)
      await hooks.committed.promise({
        operation: { ...operation, documentId: documentId ?? deleted },
        documentId: deleted,
      });
  }

  return { create, update, remove };
}
