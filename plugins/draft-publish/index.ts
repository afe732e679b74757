import {
  CONTENT,
  type ContentType,
  choicesOf,
  DOCUMENTS,
  type DocumentQuery,
  definePlugin,
  documentKey,
  newlyServed,
  notFound,
  type Operation,
  type Row,
  readTree,
  removeRows,
  rowId,
  type Services,
  STORE,
  type StoreAnswer,
  type StoreTransaction,
  validationError,
} from '../../core';
import { createEarlyTwins } from './early-twins';
import { addGraphqlArguments } from './graphql-arguments';
import { createKnownPairs } from './known-pairs';
import { addMissingDrafts } from './missing-drafts';
import { filterByPublication, namesPublicationFilter, withPublicationFilter } from './publication-filter';
import { hasDrafts, publishedAt, publishedNow, status, statusParameter, wantsPublished } from './status';
import { versionNames } from './twins';
import { discardDraft, publish, unpublish, type Versioning, type Versions, versionsAmong } from './versions';

type Change = (versioning: Versioning, type: ContentType, versions: Versions) => Promise<void>;

/** The explicit changes of a document's versions, with the version that the caller is shown afterwards. */
const changes: readonly { name: string; path: string; change: Change; shows: 'published' | 'draft' }[] = [
  { name: 'publish', path: 'publish', change: publish, shows: 'published' },
  { name: 'unpublish', path: 'unpublish', change: unpublish, shows: 'draft' },
  { name: 'discardDraft', path: 'discard-draft', change: discardDraft, shows: 'draft' },
];

/** Only whole documents are deleted; asking for less is a mistake, and not one to guess about. */
function deletion(operation: Operation): Operation {
  const { type, query } = operation;
  if (!hasDrafts(type.definition)) return operation;
  const { parameters } = query;
  if (parameters?.[statusParameter] === 'draft') {
    throw validationError('A draft is not deleted without its document. Leave out status, or discard the draft.');
  }
  // What narrows a deletion is asked of the draft, unless it is about versions itself.
  return namesPublicationFilter(operation)
    ? operation
    : { ...operation, query: { ...query, parameters: { ...parameters, [statusParameter]: 'draft' } } };
}

const changing = new Set(['create', 'update']);

/** Whether what is written is published at once. */
const publishes = ({ type, action, query }: Operation): boolean =>
  changing.has(action) && hasDrafts(type.definition) && wantsPublished(query.parameters?.[statusParameter]);

/** Whether an answer may show lists in which what is published gets its place. */
const showsLinks = ({ populate, shown }: DocumentQuery): boolean => populate !== undefined || shown !== undefined;

export default definePlugin({
  name: 'draft-publish',
  after: ['sql', 'rest', 'graphql'],
  apply({ hooks, service, log }) {
    const pairs = createKnownPairs();
    const early = createEarlyTwins();
    /** What the twins that were asked for here have of their own. */
    const asked = new WeakSet<Row>();

    const versioning = (
      transaction: StoreTransaction,
      twins?: Versioning['twins'],
      beside?: Versioning['beside'],
    ): Versioning => ({
      transaction,
      beside,
      registry: service(CONTENT),
      documents: service(DOCUMENTS),
      pairs,
      twins,
    });

    /** The versions that an operation is about: those of one variant, or of each of several. */
    async function versionsOf(
      { type, query, documentId }: Operation,
      transaction: StoreTransaction,
      action: string,
    ): Promise<Versions[]> {
      const where = choicesOf({ type, query, action }).filter(({ attribute }) => attribute.name !== publishedAt);
      return versionsAmong(type, await transaction.rows(type, { documentId, where }, versionNames(type)));
    }

    let services: Services | undefined;
    hooks.lifecycle.provide.tap('draft-publish', (provided) => {
      services = provided;
    });

    hooks.lifecycle.boot.tapPromise('draft-publish', async () => {
      // Without a database there is nothing that might lack drafts.
      if (!services?.has(STORE)) return;
      const [store, registry] = [service(STORE), service(CONTENT)];
      const served = registry.documents.filter(({ definition }) => hasDrafts(definition));
      const { types, servedOthers, remember } = await newlyServed(store, publishedAt, served);
      const made = await addMissingDrafts({ types, hadNoVersions: servedOthers }, store, registry);
      for (const [{ uid }, drafts] of made) log.info({ type: uid, drafts: drafts.size }, 'drafts were added');
      await remember();
    });

    hooks.content.dimensions.tap('draft-publish', (dimensions) => dimensions.add(status.name, status));

    hooks.document.params.tap('draft-publish', (operation) =>
      withPublicationFilter(operation.action === 'delete' ? deletion(operation) : operation),
    );

    hooks.document.plan.tap('draft-publish', filterByPublication);

    hooks.document.twin.tap('draft-publish', (addition) => {
      if (!publishes(addition.operation)) return undefined;
      // What comes before the publication may change what was looked up.
      if (hooks.document.written.taps[0]?.name === 'draft-publish') early.begin(addition, service(CONTENT));
      const values = publishedNow();
      asked.add(values);
      return values;
    });

    hooks.document.written.tapPromise('draft-publish', async (written, transaction) => {
      const { operation, documentId, created, changed } = written;
      const { type, action, query } = operation;
      if (!publishes(operation)) return;
      const rows = created ?? changed;
      // Where there are other variants, others may have to do with them.
      const mayGoBeside = type.dimensions.length === 1 && !showsLinks(query);
      const publishing = versioning(transaction, early.take(transaction), mayGoBeside ? written.beside : undefined);
      const tree = created && (await readTree(type, created, publishing));
      const found = tree
        ? versionsAmong(type, [...tree[0]!.get(type)!.rows.values()])
        : await versionsOf({ ...operation, documentId }, transaction, action);
      const trees = tree && { draft: tree, published: undefined };
      const twin = written.twin && asked.has(written.twin.values) ? written.twin : undefined;
      for (const { draft, published } of found)
        if (!rows || rows.includes(rowId(draft)))
          await publish(publishing, type, { draft, published, isNew: created !== undefined, twin, trees });
      // The draft is none any more: somebody else has changed it.
      if (twin && found.length === 0)
        for (const [each, added] of twin.rows)
          await removeRows(
            each,
            [...added.values()].map(({ id }) => id),
            publishing,
          );
    });

    async function changeVersions(
      operation: Operation,
      change: Change,
      shows: 'published' | 'draft',
    ): Promise<StoreAnswer> {
      const { type, query, rights, may } = operation;
      const store = service(STORE);
      const parameters = { ...query.parameters, [statusParameter]: shows };
      return store.transaction(async (transaction) => {
        await transaction.lock(documentKey(type, operation.documentId));
        const found = await versionsOf(operation, transaction, 'find');
        if (found.length === 0) throw notFound();
        for (const versions of found) await change(versioning(transaction), type, versions);
        const documentId = String(found[0]!.draft['documentId']);
        const written = { operation: { ...operation, query: { ...query, parameters } }, documentId };
        await hooks.document.written.promise(written, transaction);
        transaction.aftermath.leave(() => hooks.document.committed.promise(written));
        return service(DOCUMENTS).read(
          {
            action: 'find',
            type,
            documentId,
            rights,
            may,
            query: { fields: query.fields, populate: query.populate, parameters },
          },
          transaction,
        );
      });
    }

    if (hooks.graphql) addGraphqlArguments(hooks.graphql);

    hooks.rest?.actions.tap('draft-publish', (actions) => {
      for (const { name, path, change, shows } of changes) {
        actions.add({
          name,
          path,
          appliesTo: ({ definition }) => hasDrafts(definition),
          run: (operation) => changeVersions(operation, change, shows),
        });
      }
    });
  },
});
