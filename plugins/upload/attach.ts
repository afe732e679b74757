import {
  type ContentType,
  type DocumentHooks,
  documentKey,
  forbidden,
  type Nested,
  type Services,
  type ShownDocument,
  STORE,
  type Tie,
  validationError,
} from '../../core';
import { fileUid } from './content-types';
import { allowedSorts, sortOf } from './media-kind';

/** What a form says about the document that its files belong to. */
export interface Attachment {
  readonly type: ContentType;
  readonly row: number;
  readonly nested: Nested;
}

type Fields = Readonly<Record<string, unknown>>;

const isGiven = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Reads `ref`, `refId` and `field`: nothing where one of them is missing, or where the type has no such media attribute;
 * then files are kept and belong to nothing.
 */
export function readAttachment(
  { ref, refId, field }: Fields,
  types: ReadonlyMap<string, ContentType>,
): Attachment | undefined {
  if (!isGiven(ref) || !isGiven(refId) || !isGiven(field)) return undefined;
  const type = types.get(ref);
  if (!type) throw validationError(`There is no content type "${ref}" that a file could belong to`);
  if (type.modelKind === 'component')
    throw validationError('Files are uploaded for documents; those of components are named in the document');
  if (!/^\d{1,9}$/.test(refId)) throw validationError('refId is the number of a row, the id that the document shows');
  const nested = type.nested.get(field);
  const isMedia = nested?.storage === 'attached' && nested.targets.includes(fileUid) && !nested.system;
  return isMedia ? { type, row: Number(refId), nested } : undefined;
}

/** Attaches files that were just uploaded; whoever does it must be allowed to change the document. */
export function createAttaching(get: Services['get'], hooks: DocumentHooks) {
  return async function attach(
    { type, row, nested }: Attachment,
    files: readonly ShownDocument[],
    may: (action: string) => Promise<boolean>,
  ): Promise<void> {
    if (!(await may(`${type.uid}.update`))) throw forbidden();
    const allowed = allowedSorts(nested.definition);
    const refused = files.find(({ mime }) => allowed && !allowed.includes(sortOf(String(mime))));
    if (refused)
      throw validationError(`${nested.name} takes ${allowed!.join(', ')} only, and ${refused['name']} is none`);
    const operation = { action: 'attach', type, row, query: {}, rights: 'upload' };
    await get(STORE).transaction(async (transaction) => {
      const named = async () => (await transaction.rows(type, { id: row }, ['documentId']))[0]?.['documentId'];
      const owner = await named();
      if (typeof owner !== 'string') return;
      await transaction.lock(documentKey(type, owner));
      if ((await named()) !== owner) return;
      const before: readonly Tie[] = nested.many ? await transaction.ties(type, nested, [row]) : [];
      const added = files.map(({ id }) => ({ target: Number(id), uid: fileUid }));
      const targets = nested.many ? [...before, ...added] : added.slice(-1);
      await transaction.tie(type, nested, [{ owner: row, targets }]);
      const written = { operation, documentId: owner };
      await hooks.written.promise(written, transaction);
      transaction.aftermath.leave(() => hooks.committed.promise(written));
    });
  };
}
