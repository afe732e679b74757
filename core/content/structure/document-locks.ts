import { flatMapped } from '../../flat-mapped';
import type { ContentRegistry, ContentType } from '../content-type';
import { isTwoSided, type Nested } from '../nested';
import type { LockKey } from '../store';
import { isRowRef, type Ref, refsOf } from './link-change';
import { type Finding, findRows, targetOf } from './resolve-links';
import type { LinkInput } from './row-input';

// Whom the writers of documents wait for.

/** What makes the writers of a document wait for each other. That of a single type is not always named. */
export const documentKey = (
  { uid, modelKind }: Pick<ContentType, 'uid' | 'modelKind'>,
  documentId: string | undefined,
): string => (documentId === undefined || modelKind === 'singleType' ? `${uid} ` : `${uid} ${documentId}`);

/**
 * Who adds a link to a target that may have many does not change what others have linked with it. A type that is not there
 * has no document to lock; naming one is refused later.
 */
function locksOn(
  { definition: { relation } }: Nested,
  uid: string,
  documentId: string | undefined,
  { types }: ContentRegistry,
): LockKey[] {
  const type = types.get(uid);
  if (!type) return [];
  const key = documentKey(type, documentId);
  return [relation === 'manyToOne' || relation === 'manyToMany' ? { shared: key } : key];
}

function idsNamed(given: unknown): string[] {
  if (typeof given === 'string') return [given];
  if (Array.isArray(given)) return flatMapped(given, idsNamed);
  if (typeof given !== 'object' || given === null) return [];
  const { documentId, connect, set, disconnect } = given as Record<string, unknown>;
  return flatMapped([documentId, connect, set, disconnect], idsNamed);
}

/**
 * The documents whose own links a body changes from the other side, as far as it names them by their ids. Known before
 * anything is looked up, so that all who write the same documents can wait for each other in the same order.
 */
export const documentsNamed = (
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  registry: ContentRegistry,
): LockKey[] =>
  flatMapped(type.nested.values(), (nested) =>
    data[nested.name] !== undefined && isTwoSided(nested)
      ? flatMapped(idsNamed(data[nested.name]), (id) => locksOn(nested, nested.targets[0]!, id, registry))
      : [],
  );

/** A server has room for some thousand locks in all: who names more at once waits for none of them. */
const mostAwaited = 100;

/**
 * Whether what is named may be replaced before it is linked. Variants link those of their own kind, and others only as they
 * come to be replaced themselves; but what is named by number may be of any kind.
 */
const mayGo = (source: ContentType, ref: Ref, target: ContentType): boolean =>
  target.dimensions.some(
    (dimension) => dimension.replaces === true && (isRowRef(ref) || !source.dimensions.includes(dimension)),
  );

function awaited(
  source: ContentType,
  links: readonly LinkInput[],
  { types }: ContentRegistry,
  documentOf: (ref: Ref) => string | undefined,
): LockKey[] {
  const keys = new Set<string>();
  for (const { nested, change } of links)
    for (const ref of refsOf(change)) {
      const target = types.get(ref.uid ?? nested.targets[0] ?? '');
      const documentId = documentOf(ref);
      if (target && documentId !== undefined && mayGo(source, ref, target)) keys.add(documentKey(target, documentId));
    }
  return keys.size > mostAwaited ? [] : [...keys].map((shared) => ({ shared }));
}

/**
 * The documents that are named by their ids, to be linked, no longer linked, or as the place of others, as far as what is named may
 * be replaced just then. Who replaces it has the document to himself: whoever shares it before he looks finds what was there
 * before, which stays until he is done, or what came instead.
 */
export const documentsLinked = (
  source: ContentType,
  links: readonly LinkInput[],
  registry: ContentRegistry,
): LockKey[] => awaited(source, links, registry, (ref) => (isRowRef(ref) ? undefined : ref.documentId));

/** Those that a body names by the numbers of their rows. */
const ownersNamed = (links: readonly LinkInput[], { owners, registry }: Finding): LockKey[] =>
  flatMapped(
    links.filter(({ nested }) => isTwoSided(nested)),
    ({ nested, change }) =>
      flatMapped(refsOf(change), (ref) =>
        owners.has(ref) ? locksOn(nested, targetOf(nested, ref), owners.get(ref), registry) : [],
      ),
  );

/** What is written, with its own links among all those in it. */
interface Named {
  readonly type: ContentType;
  readonly own: readonly LinkInput[];
  readonly all: readonly LinkInput[];
}

/** Finds the rows that are named by number, and again where their documents were to be waited for: who has them may replace them. */
export async function findLastingRows({ type, own, all }: Named, finding: Finding): Promise<string | undefined> {
  const { transaction, registry, owners } = finding;
  const missing = await findRows(all, finding);
  if (owners.size === 0) return missing;
  const linked = awaited(type, all, registry, (ref) => owners.get(ref));
  return (await transaction.lock(...ownersNamed(own, finding), ...linked)) ? findRows(all, finding) : missing;
}
