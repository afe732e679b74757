import {
  type ContentRegistry,
  type ContentType,
  copyRows,
  type Documents,
  type Row,
  removeRows,
  type StoreTransaction,
  type TargetsOf,
} from '../../core';
import { draftLinksOf, restoreDraftLinks } from './draft-links';
import { join, repoint } from './inbound';
import { inversePlaces, settle } from './inverse-places';
import { publishedAt } from './status';
import { twinsOf, type Version, versionBeside } from './twins';

export interface Versioning {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
  readonly documents: Documents;
}

const idOf = (row: Row): number => Number(row['id']);

async function versionRow(
  { transaction }: Versioning,
  type: ContentType,
  row: Row,
  version: Version,
): Promise<Row | undefined> {
  const [found] = await transaction.rows(type, {
    documentId: String(row['documentId']),
    where: versionBeside(type, row, version),
  });
  return found;
}

const targetsIn =
  ({ transaction }: Versioning, version: Version): TargetsOf =>
  (type, rows) =>
    twinsOf(transaction, type, rows, version);

/** Not a document's identifier: what has it is about to go, and no one else may see it. */
const setAside = (row: Row): string => `${String(row['documentId'])}:${idOf(row)}`;

/**
 * Publishes a draft: checks it as a whole, then makes its published version anew out of it. The former one gives way,
 * and what linked it links the new one in the same place.
 */
export async function publish(versioning: Versioning, type: ContentType, draft: Row): Promise<void> {
  const { transaction, registry, documents } = versioning;
  const former = await versionRow(versioning, type, draft, 'published');
  await documents.checkComplete(type, draft, versionBeside(type, draft, 'published'), transaction);
  const places = former ? await inversePlaces(type, idOf(former), versioning) : new Map();
  if (former) await transaction.update(type, { id: idOf(former) }, { documentId: setAside(former) });
  const values = { [publishedAt]: new Date().toISOString() };
  const copying = { transaction, registry, targets: targetsIn(versioning, 'published') };
  const [published] = await copyRows(type, [{ from: idOf(draft), values }], copying);
  if (former) {
    await repoint({ transaction, registry }, type, idOf(former), published!);
    await removeRows(type, [idOf(former)], { transaction, registry });
  }
  await settle(type, { from: idOf(draft), into: published!, version: 'draft' }, places, versioning);
  await join({ transaction, registry }, type, idOf(draft), published!);
}

/** Takes the published version away; the draft stays. */
export async function unpublish(versioning: Versioning, type: ContentType, draft: Row): Promise<void> {
  const { transaction, registry } = versioning;
  const published = await versionRow(versioning, type, draft, 'published');
  if (published) await removeRows(type, [idOf(published)], { transaction, registry });
}

/** Makes the draft what is published, but for its links to documents that aren't published: those it keeps. */
export async function discardDraft(versioning: Versioning, type: ContentType, draft: Row): Promise<void> {
  const { transaction, registry } = versioning;
  const published = await versionRow(versioning, type, draft, 'published');
  if (!published) return;
  const id = idOf(draft);
  const before = await draftLinksOf(type, [id], versioning);
  const places = await inversePlaces(type, id, versioning);
  const copying = { transaction, registry, targets: targetsIn(versioning, 'draft') };
  await copyRows(type, [{ from: idOf(published), into: id, values: { [publishedAt]: null } }], copying);
  await restoreDraftLinks(type, before, versioning);
  await settle(type, { from: idOf(published), into: id, version: 'published' }, places, versioning);
}
