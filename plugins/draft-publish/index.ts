import {
  CONTENT,
  type ContentType,
  choicesOf,
  DOCUMENTS,
  definePlugin,
  notFound,
  type Operation,
  type Row,
  STORE,
  type StoreAnswer,
  type StoreTransaction,
  validationError,
} from '../../core';
import { addGraphqlArguments } from './graphql-arguments';
import { filterByPublication, namesPublicationFilter, withPublicationFilter } from './publication-filter';
import { hasDrafts, publishedAt, status, statusParameter, wantsPublished } from './status';
import { discardDraft, publish, unpublish, type Versioning } from './versions';

type Change = (versioning: Versioning, type: ContentType, draft: Row) => Promise<void>;

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
  // Every document has a draft: what narrows a deletion is asked of that, unless it is about versions itself.
  return namesPublicationFilter(operation)
    ? operation
    : { ...operation, query: { ...query, parameters: { ...parameters, [statusParameter]: 'draft' } } };
}

const changing = new Set(['create', 'update']);

export default definePlugin({
  name: 'draft-publish',
  after: ['rest', 'graphql'],
  apply({ hooks, service }) {
    const versioning = (transaction: StoreTransaction): Versioning => ({
      transaction,
      registry: service(CONTENT),
      documents: service(DOCUMENTS),
    });

    /** The drafts that an operation is about: one, or one for each of several variants. */
    async function draftsOf(
      { type, query, documentId }: Operation,
      transaction: StoreTransaction,
      action: string,
    ): Promise<Row[]> {
      const where = choicesOf({ type, query, action }).map((chosen) =>
        chosen.attribute.name === publishedAt ? { ...chosen, choice: { present: false } } : chosen,
      );
      return [...(await transaction.rows(type, { documentId, where }))];
    }

    hooks.content.dimensions.tap('draft-publish', (dimensions) => dimensions.add(status.name, status));

    hooks.document.params.tap('draft-publish', (operation) =>
      withPublicationFilter(operation.action === 'delete' ? deletion(operation) : operation),
    );

    hooks.document.plan.tap('draft-publish', filterByPublication);

    hooks.document.written.tapPromise('draft-publish', async ({ operation, documentId }, transaction) => {
      const { type, action, query } = operation;
      if (!changing.has(action) || !hasDrafts(type.definition) || !wantsPublished(query.parameters?.[statusParameter]))
        return;
      for (const draft of await draftsOf({ ...operation, documentId }, transaction, action))
        await publish(versioning(transaction), type, draft);
    });

    async function changeVersions(
      operation: Operation,
      change: Change,
      shows: 'published' | 'draft',
    ): Promise<StoreAnswer> {
      const { type, query, rights, may } = operation;
      const store = service(STORE);
      const parameters = { ...query.parameters, [statusParameter]: shows };
      let documentId = '';
      const answer = await store.transaction(async (transaction) => {
        await transaction.lock(`${type.uid} ${operation.documentId ?? ''}`);
        const drafts = await draftsOf(operation, transaction, 'find');
        if (drafts.length === 0) throw notFound();
        for (const draft of drafts) await change(versioning(transaction), type, draft);
        documentId = String(drafts[0]!['documentId']);
        await hooks.document.written.promise(
          { operation: { ...operation, query: { ...query, parameters } }, documentId },
          transaction,
        );
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
      await hooks.document.committed.promise({
        operation: { ...operation, query: { ...query, parameters } },
        documentId,
      });
      return answer;
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
