import { type HeddleError, type Issue, issuesError, notFound } from '../errors';
import { together } from '../together';
import { refuseBodyKeys } from './body-keys';
import type { ContentRegistry, ContentType } from './content-type';
import { parameterOf } from './dimension';
import { newDocumentId } from './document-id';
import type { DocumentHooks, Written, WrittenLink } from './hooks';
import type { Strictness } from './kinds/kind';
import { wrongType } from './kinds/messages';
import type { Operation, WriteOperation } from './operation';
import { type Chosen, choicesOf, fittingParameters, variantParameters } from './query/choices';
import type { Read } from './reads';
import { rowIds } from './row-id';
import type { Sight } from './sight';
import { stamps } from './stamps';
import type { DocumentStore, LockKey, Row, StoreAnswer, StoreTransaction } from './store';
import { documentKey, documentsLinked, documentsNamed, findLastingRows } from './structure/document-locks';
import { putRows } from './structure/put-rows';
import { type BodyLinks, readLinks } from './structure/read-links';
import { removeAll, removeRows } from './structure/remove-rows';
import { chosenVariant, type Finding, findDocuments, rowsDemanded } from './structure/resolve-links';
import { allLinks, type RowInput, rowOf } from './structure/row-input';
import { shownBody } from './structure/shown-body';
import { storedPartsOf } from './structure/stored-parts';
import { refuseTaken } from './uniqueness';
import { createJudges, noFindings } from './validator';

interface Target {
  readonly operation: WriteOperation;
  readonly chosen: readonly Chosen[];
  readonly documentId: string;
  /** The rows that the write changes; none for a new document, or for a variant that it has not yet. */
  readonly rows: readonly Row[];
  /** Whether no variant of the document was there. */
  readonly isNew?: boolean;
}

/** A write's input, with the links in it. */
interface Body {
  readonly data: Data;
  readonly links: BodyLinks;
}

/** What a body comes to, and what in it can't be read. */
interface Judged {
  readonly input: RowInput;
  readonly links: readonly WrittenLink[];
  readonly unreadable: HeddleError | undefined;
}

type Data = Readonly<Record<string, unknown>>;

/** How strictly a write is checked: work in progress, if a dimension takes it for that. */
function strictnessOf({ type, action, query }: WriteOperation): Strictness {
  const context = { action, type: type.definition };
  const isSketch = type.dimensions.some((each) => each.sketches?.(query.parameters?.[parameterOf(each)], context));
  return isSketch ? 'sketch' : 'complete';
}

/** Creates, updates and deletes documents: each is one transaction, wholly there or wholly not. */
export function createWrites(
  hooks: DocumentHooks,
  registry: () => ContentRegistry,
  store: () => DocumentStore,
  { read, sight }: { readonly read: Read; readonly sight: Sight },
) {
  const judgeOf = createJudges(registry);

  const findingIn = (transaction: StoreTransaction): Finding => ({
    transaction,
    registry: registry(),
    found: new Map(),
    owners: new Map(),
  });

  async function judged(target: Target, body: Body, finding: Finding, stamped: Row): Promise<Judged> {
    const { operation, chosen, documentId, rows } = target;
    const { data, links } = body;
    const { transaction } = finding;
    const findings = noFindings();
    const { type } = operation;
    const isNew = rows.length === 0;
    const strictness = strictnessOf(operation);
    const storedPart = storedPartsOf(type, rows[0], finding);
    const options = { strictness, isNew, mayMerge: !isNew, links, stored: rows[0], storedPart };
    const input = await judgeOf(type)(data, options, findings);
    await refuseTaken(findings, { type, documentId, rivals: chosen, transaction, registry: registry() });
    const all = allLinks(input);
    const missing = await findLastingRows({ type, own: input.links, all }, finding);
    const { issues, unreadable } = findings;
    const written = all.map(({ nested, label, path, change }) => ({
      nested,
      label,
      path,
      rows: rowsDemanded(change, finding),
    }));
    await hooks.validate.promise({ operation, values: input.values, links: written, issues, transaction });
    const message = findings.relations ?? missing;
    if (message !== undefined) {
      const row = { ...rows[0], ...stamped };
      const value = shownBody(type, data, { links, isNew, row, issues, finding });
      issues.push({ path: [], message, name: 'ValidationError', value });
    }
    if (issues.length > 0) throw issuesError(issues);
    return { input, links: written, unreadable };
  }

  async function write(target: Target, body: Body, finding: Finding): Promise<StoreAnswer> {
    const { operation, chosen, documentId, rows, isNew } = target;
    const { type, query, rights, may } = operation;
    const { transaction } = finding;
    const stamped = stamps(type, chosen, rows.length === 0);
    const { input, links, unreadable } = await judged(target, body, finding, stamped);
    const values: Row = Object.assign(rowOf(input.values), stamped);
    const asked = isNew ? hooks.twin.call({ operation, links, transaction }) : undefined;
    const put = { type, chosen, rows, documentId, values, input, twin: asked };
    const { ids, dropped, twin } = await putRows(put, finding);
    // Told after what is wrong with components, which shows when they are written.
    if (unreadable) throw unreadable;
    const { fields, populate, shown } = query;
    const parameters = variantParameters(registry(), query.parameters);
    const created = isNew ? ids : undefined;
    const changed = isNew ? undefined : ids;
    const beside = await tell({ operation, documentId, created, changed, twin }, transaction);
    // What is new holds what was just written, of which an answer can be made; what was there before may be anything. Whether
    // what was written along has failed is asked before the commit.
    const isLast = isNew === true && beside.length === 0 && transaction.aftermath.isAlone;
    const [answer] = await together([
      read(
        { action: 'findOne', type, documentId, rights, may, query: { fields, populate, shown, parameters } },
        transaction,
        isLast,
      ),
      removeAll(dropped, { transaction, registry: registry() }),
      ...beside,
    ]);
    return answer;
  }

  /** Tells what was written; answers the work that goes on beside what comes next. */
  async function tell(
    { operation, documentId, created, changed, twin }: Omit<Written, 'removed' | 'beside'>,
    transaction: StoreTransaction,
  ): Promise<readonly Promise<unknown>[]> {
    const works: Promise<unknown>[] = [];
    let isTold = false;
    const beside = (work: Promise<unknown>): void => {
      // Its failure is told by whoever waits for all of them; others may take their time until then.
      work.catch(() => undefined);
      if (isTold) throw new Error('The write has been told already: nothing can go on beside it any more');
      works.push(work);
      transaction.aftermath.goesOn(work);
    };
    try {
      const written: Written = { operation, documentId, created, changed, twin, beside };
      await hooks.written.promise(written, transaction).finally(() => {
        isTold = true;
      });
      return works;
    } catch (error) {
      await Promise.allSettled(works);
      throw error;
    }
  }

  /** The rows that a write is about: of the document named, or of the only one of a single type. */
  async function existing(
    { type, documentId }: Operation,
    chosen: readonly Chosen[],
    transaction: StoreTransaction,
  ): Promise<readonly Row[]> {
    const rows = await transaction.rows(type, { documentId, where: chosen });
    return rows.filter((row) => row['documentId'] === rows[0]!['documentId']);
  }

  /** The document's rows in other variants, for types to which variants can be added by changing what isn't there. */
  async function siblingsOf({ type, documentId }: Operation, transaction: StoreTransaction): Promise<readonly Row[]> {
    return type.dimensions.some((dimension) => dimension.extends) ? transaction.rows(type, { documentId }) : [];
  }

  async function prepared<Kind extends Operation>(given: Kind): Promise<{ operation: Kind; chosen: Chosen[] }> {
    const operation = hooks.params.call(given) as Kind;
    return { operation, chosen: choicesOf(operation) };
  }

  const bodyOf = (type: ContentType, data: Data): Body => ({ data, links: readLinks(type, data, registry()) });

  /** The documents that a body is about. */
  const documentsIn = (type: ContentType, { data, links }: Body): LockKey[] => [
    ...documentsNamed(type, data, registry()),
    ...documentsLinked(type, links.all, registry()),
  ];

  async function input(operation: WriteOperation): Promise<Body> {
    if (Array.isArray(operation.data))
      throw issuesError([
        { path: [], name: 'ValidationError', ...wrongType('this', 'object', null, operation.data) } as Issue,
      ]);
    refuseBodyKeys(operation.type, operation.data, { registry: registry(), sees: await sight(operation) });
    return bodyOf(operation.type, await hooks.data.promise(operation.data, operation));
  }

  const inTransaction = <T>(
    within: StoreTransaction | undefined,
    work: (transaction: StoreTransaction) => Promise<T>,
  ): Promise<T> => (within ? work(within) : store().transaction(work));

  /** By itself, or along with another write in whose transaction it is made, and which is undone where it fails. */
  const aloneOrAlong =
    <Given, T>(write: (given: Given, within?: StoreTransaction) => Promise<T>) =>
    (given: Given, within?: StoreTransaction): Promise<T> =>
      within ? within.aftermath.along(() => write(given, within)) : write(given);

  /** Has it told what will have been committed. */
  const tellOnceCommitted = ({ aftermath }: StoreTransaction, written: Written): void =>
    aftermath.leave(() => hooks.committed.promise(written));

  /** A single type has one document: where that is there already, it is changed. */
  async function create(given: WriteOperation, within?: StoreTransaction): Promise<StoreAnswer> {
    if (given.type.modelKind === 'singleType') return update({ ...given, action: 'update' }, within);
    const { operation, chosen } = await prepared(given);
    const body = await input(operation);
    const { type } = operation;
    const target: Target = { operation, chosen, documentId: newDocumentId(), rows: [], isNew: true };
    const named = documentsIn(type, body);
    return inTransaction(within, async (transaction) => {
      await transaction.lock(...named);
      const finding = findingIn(transaction);
      await findDocuments(body.links.all, chosenVariant(type, chosen), finding);
      const answer = await write(target, body, finding);
      tellOnceCommitted(transaction, { operation, documentId: target.documentId });
      return answer;
    });
  }

  /** Changes what the data mentions. A single type that isn't there yet is created, unless a document is named. */
  async function update(given: WriteOperation, within?: StoreTransaction): Promise<StoreAnswer> {
    const { operation, chosen } = await prepared(given);
    const body = await input(operation);
    const { type } = operation;
    const named = documentsIn(type, body);
    const source = chosenVariant(type, chosen);
    return inTransaction(within, async (transaction) => {
      await transaction.lock(documentKey(type, operation.documentId), ...named);
      const finding = findingIn(transaction);
      // A document that the body names and that isn't there is told before the one to be changed.
      const [rows] = await together([
        existing(operation, chosen, transaction),
        findDocuments(body.links.all, source, finding),
      ]);
      const siblings = rows.length > 0 ? rows : await siblingsOf(operation, transaction);
      const mayBeMade = type.modelKind === 'singleType' && operation.documentId === undefined;
      if (siblings.length === 0 && !mayBeMade) throw notFound();
      const isNew = siblings.length === 0;
      const documentId = isNew ? newDocumentId() : String(siblings[0]!['documentId']);
      let whole = body;
      if (rows.length === 0 && !isNew) {
        whole = bodyOf(type, await hooks.variant.promise(body.data, { operation, siblings, transaction }));
        await transaction.lock(...documentsLinked(type, whole.links.all, registry()));
        await findDocuments(whole.links.all, source, finding);
      }
      const answer = await write({ operation, chosen, documentId, rows, isNew }, whole, finding);
      tellOnceCommitted(transaction, { operation, documentId });
      return answer;
    });
  }

  /**
   * Deletes the document, if the query's filters, where it has any, let it through, and answers which it was. What isn't
   * there is no error.
   */
  async function remove(given: Operation, within?: StoreTransaction): Promise<string | undefined> {
    const { operation, chosen } = await prepared(given);
    const { type, query, documentId, rights, may } = operation;
    const { filters, search } = query;
    return inTransaction(within, async (transaction) => {
      await transaction.lock(documentKey(type, documentId));
      const rows = await existing(operation, chosen, transaction);
      if (rows.length === 0) return undefined;
      const found = String(rows[0]!['documentId']);
      const parameters = fittingParameters(type, query.parameters, rows);
      const narrowed = await read(
        { action: 'find', type, documentId: found, rights, may, query: { filters, search, parameters, fields: 'id' } },
        transaction,
      );
      if (narrowed.count === 0) return undefined;
      const ids = rowIds(rows);
      await removeRows(type, ids, { transaction, registry: registry() });
      const removed = { operation, documentId: found, removed: ids };
      await hooks.written.promise(removed, transaction);
      tellOnceCommitted(transaction, { ...removed, operation: { ...operation, documentId: documentId ?? found } });
      return found;
    });
  }

  return { create: aloneOrAlong(create), update: aloneOrAlong(update), remove: aloneOrAlong(remove) };
}
