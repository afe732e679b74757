import { buildRegistry } from './build-registry';
import type { ContentRegistry, ContentType } from './content-type';
import type { AttributeDefinition, TypeDefinition } from './definition';
import type { Dimension } from './dimension';
import { createDocuments, type Documents } from './documents';
import { type DocumentHooks, documentHooks } from './hooks';
import type { KnownKind } from './kinds/kind';
import { shippedKinds } from './kinds/shipped';
import { createMemoryStore } from './memory/memory-store';
import type { Operation } from './operation';
import type { DocumentStore } from './store';

// For tests: content types and documents without an application around them.

export type Attributes = Readonly<Record<string, AttributeDefinition>>;

export const things = (attributes: Attributes, over: Partial<TypeDefinition> = {}): TypeDefinition => ({
  uid: 'api::thing.thing',
  file: 'src/api/thing/content-types/thing/schema.json',
  modelKind: 'collectionType',
  collectionName: 'things',
  info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' },
  options: {},
  pluginOptions: {},
  attributes,
  ...over,
});

interface Extras {
  readonly kinds?: readonly KnownKind[];
  readonly dimensions?: readonly Dimension[];
}

export function registryOf(
  definitions: readonly TypeDefinition[],
  { kinds = [], dimensions = [] }: Extras = {},
): ContentRegistry {
  const known = new Map<string, KnownKind>([...shippedKinds, ...kinds].map((kind) => [kind.name, kind]));
  const { registry, problems } = buildRegistry({ definitions, kinds: known, dimensions });
  expect(problems).toEqual([]);
  return registry;
}

export const typeOf = (attributes: Attributes, over: Partial<TypeDefinition> = {}): ContentType =>
  registryOf([things(attributes, over)])
    .types.values()
    .next().value!;

export interface ContentInMemory {
  readonly hooks: DocumentHooks;
  readonly documents: Documents;
  readonly type: ContentType;
  readonly store: DocumentStore;
}

/** Documents of one type on the store that needs no database. */
export function inMemory(
  attributes: Attributes,
  over: Partial<TypeDefinition> = {},
  extras: Extras = {},
): ContentInMemory {
  const registry = registryOf([things(attributes, over)], extras);
  const hooks = documentHooks();
  const store = createMemoryStore();
  const documents = createDocuments(
    hooks,
    () => registry,
    () => store,
  );
  return { hooks, documents, store, type: registry.get('api::thing.thing') };
}

export const operationOn = (type: ContentType, query: Operation['query'] = {}, action = 'find'): Operation => ({
  action,
  type,
  query,
  rights: 'public',
});

/** What a promise is refused with. */
export async function refusal(work: Promise<unknown>): Promise<Error & { details?: unknown; status?: number }> {
  const outcome = await work.then(
    () => undefined,
    (error: Error) => error,
  );
  if (outcome === undefined) throw new Error('was not refused');
  return outcome;
}
