import { buildRegistry } from '../build-registry';
import type { ContentRegistry } from '../content-type';
import type { Dimension } from '../dimension';
import { createDocuments, type Documents } from '../documents';
import { type DocumentHooks, documentHooks } from '../hooks';
import { shippedKinds } from '../kinds/shipped';
import { createMemoryStore } from '../memory/memory-store';
import { nestedKinds } from '../nested';
import type { DocumentStore } from '../store';
import { definitions } from './structure.fixture';

export interface LinkedInMemory<Store extends DocumentStore> {
  readonly hooks: DocumentHooks;
  readonly documents: Documents;
  readonly registry: ContentRegistry;
  readonly store: Store;
}

/** The project of `structure.fixture` without a database. */
export function linkedInMemory<Store extends DocumentStore = DocumentStore>(
  dimensions: readonly Dimension[] = [],
  wrapped = (store: DocumentStore): Store => store as Store,
): LinkedInMemory<Store> {
  const kinds = new Map([...shippedKinds, ...nestedKinds].map((kind) => [kind.name, kind] as const));
  const { registry, problems } = buildRegistry({ definitions: definitions(), kinds, dimensions });
  expect(problems).toEqual([]);
  const hooks = documentHooks();
  const store = wrapped(createMemoryStore());
  const documents = createDocuments(
    hooks,
    () => registry,
    () => store,
  );
  return { hooks, documents, registry, store };
}
