import {
  type ContentRegistry,
  type ContentType,
  chunksOf,
  copyRows,
  type DocumentStore,
  type Row,
  readTree,
  rowId,
  rowIds,
  rowWith,
  type StoreTransaction,
  type TargetsOf,
} from '../../core';
import type { Linking } from './inbound';
import { keptByColumns } from './kept-by-column';
import { leadToDrafts } from './led-to-drafts';
import { linksApart, type MadeDrafts } from './links-apart';
import { publishedAt } from './status';
import { createTwins, type Version, versionOf } from './twins';

export interface Lacking {
  /** Types whose documents may lack drafts. */
  readonly types: readonly ContentType[];
  /** Whether that is because they had no versions, while others did: then what they linked was linked in both versions. */
  readonly hadNoVersions: boolean;
}

/** How many rows are looked at with one statement, and copied at once. */
const mostAtOnce = { looked: 500, copied: 100 };

/**
 * The version of rows is read, and not asked for: a server that knows a table as it was before takes drafts for so few that it goes
 * through all of them.
 */
const ofVersion = (rows: readonly Row[], version: Version): number[] =>
  rowIds(rows.filter((row) => versionOf(row) === version));

/** Of these rows, those that are published and have no draft. */
async function lackingDrafts(type: ContentType, rows: readonly Row[], on: StoreTransaction): Promise<number[]> {
  const published = ofVersion(rows, 'published');
  const drafts = await createTwins(on).of(type, published, 'draft');
  return published.filter((id) => !drafts.has(id));
}

/** Looks at all rows of a type, at some at a time: others may write in between. */
async function rowsWithoutDraft(type: ContentType, store: DocumentStore): Promise<number[]> {
  const missing: number[] = [];
  for (let behind = 0; ; ) {
    const { last, lacking } = await store.transaction(async (on) => {
      const rows = await on.rows(type, { behind }, ['id', publishedAt], mostAtOnce.looked);
      return { last: rows.at(-1), lacking: await lackingDrafts(type, rows, on) };
    });
    for (const id of lacking) missing.push(id);
    if (!last) return missing;
    behind = rowId(last);
  }
}

/** Adds drafts, without links and components, of those that still have none. */
async function addDrafts(
  type: ContentType,
  missing: readonly number[],
  transaction: StoreTransaction,
): Promise<Map<number, number>> {
  const made = new Map<number, number>();
  const draftOf = (row: Row): Row => rowWith(row, { [publishedAt]: null }, 'id');
  for (const ids of chunksOf(missing, mostAtOnce.looked)) {
    const found = await transaction.rows(type, { id: ids });
    const lacking = new Set(await lackingDrafts(type, found, transaction));
    const rows = found.filter((row) => lacking.has(rowId(row)));
    const drafts = await transaction.insert(type, rows.map(draftOf));
    for (const [at, id] of rowIds(rows).entries()) made.set(id, drafts[at]!);
  }
  return made;
}

/** Fills drafts with what is published; answers what has gone meanwhile, whose drafts go as well. */
async function fillDrafts(
  type: ContentType,
  drafts: readonly (readonly [number, number])[],
  made: MadeDrafts,
  { hadNoVersions, ...linking }: Linking & Pick<Lacking, 'hadNoVersions'>,
): Promise<number[]> {
  const { transaction, registry } = linking;
  const tree = await readTree(
    type,
    drafts.map(([published]) => published),
    linking,
  );
  const { rows } = tree[0]!.get(type)!;
  const gone = drafts.filter(([published]) => !rows.has(published));
  if (gone.length > 0) await transaction.delete(type, { id: gone.map(([, draft]) => draft) });
  const twins = createTwins(transaction);
  const { omitted, leave } = await linksApart(tree, { ...linking, twins, made, hadNoVersions });
  const there = drafts.filter(([published]) => rows.has(published));
  const copies = there.map(([from, into]) => ({ from, into, values: { [publishedAt]: null } }));
  const targets: TargetsOf = (linked, ids) => twins.of(linked, ids, 'draft');
  await copyRows(type, copies, { ...linking, targets, omitted, without: keptByColumns(type, registry) }, tree);
  await leave();
  return gone.map(([published]) => published);
}

/**
 * Gives each published document that has no draft one, which holds what is published, and links drafts. Drafts that linked what is
 * published link its draft instead; what has no versions links both. All of them or none, for a document that has a draft is not
 * looked at again.
 */
export async function addMissingDrafts(
  { types, hadNoVersions }: Lacking,
  store: DocumentStore,
  registry: ContentRegistry,
): Promise<MadeDrafts> {
  const missing = new Map<ContentType, number[]>();
  for (const type of types) {
    const lacking = await rowsWithoutDraft(type, store);
    if (lacking.length > 0) missing.set(type, lacking);
  }
  if (missing.size === 0) return new Map();
  return store.transaction(async (transaction) => {
    // Several processes may start at once.
    await transaction.lock('missing drafts');
    const linking = { transaction, registry };
    const made = new Map<ContentType, Map<number, number>>();
    for (const [type, lacking] of missing) made.set(type, await addDrafts(type, lacking, transaction));
    for (const [type, drafts] of made)
      for (const some of chunksOf([...drafts], mostAtOnce.copied))
        for (const gone of await fillDrafts(type, some, made, { ...linking, hadNoVersions })) drafts.delete(gone);
    for (const [type, drafts] of made) await leadToDrafts(type, drafts, linking);
    return made;
  });
}
