import {
  type ContentRegistry,
  type ContentType,
  chunksOf,
  copyRows,
  type DocumentStore,
  flattened,
  grouped,
  type Row,
  type RowTree,
  readTree,
  rowId,
  rowIds,
  rowWith,
  type StoreTransaction,
  type TargetsOf,
  type Tie,
} from '../../core';
import { isLink, type Linking } from './inbound';
import { leadToDrafts } from './led-to-drafts';
import { hasDrafts, publishedAt } from './status';
import { createTwins, type Version, versionNames, versionOf } from './twins';

/** By type, each published row that had no draft, and the draft that was made for it. */
export type MadeDrafts = ReadonlyMap<ContentType, ReadonlyMap<number, number>>;

/** How many rows are looked at with one statement, and copied at once. */
const mostAtOnce = { looked: 500, copied: 100 };

/**
 * The version of rows is read, and not asked for: a server that knows a table as it was before takes drafts for so few that it goes
 * through all of them.
 */
const ofVersion = (rows: readonly Row[], version: Version): number[] =>
  rowIds(rows.filter((row) => versionOf(row) === version));

async function rowsWithoutDraft(type: ContentType, transaction: StoreTransaction): Promise<number[]> {
  const missing: number[] = [];
  for (let behind = 0; ; ) {
    const rows = await transaction.rows(type, { behind }, ['id', publishedAt], mostAtOnce.looked);
    const last = rows.at(-1);
    if (!last) return missing;
    const published = ofVersion(rows, 'published');
    const drafts = await createTwins(transaction).of(type, published, 'draft');
    for (const id of published) if (!drafts.has(id)) missing.push(id);
    behind = rowId(last);
  }
}

/** Adds drafts that hold nothing yet but what tells whose they are. */
async function addDrafts(
  type: ContentType,
  published: readonly number[],
  transaction: StoreTransaction,
): Promise<Map<number, number>> {
  const made = new Map<number, number>();
  const draftOf = (row: Row): Row => rowWith(row, { [publishedAt]: null }, 'id');
  for (const ids of chunksOf(published, mostAtOnce.looked)) {
    const rows = await transaction.rows(type, { id: ids }, versionNames(type));
    const drafts = await transaction.insert(type, rows.map(draftOf));
    for (const [at, id] of rowIds(rows).entries()) made.set(id, drafts[at]!);
  }
  return made;
}

async function draftsAmong(
  type: ContentType,
  ids: readonly number[],
  transaction: StoreTransaction,
): Promise<number[]> {
  if (!hasDrafts(type.definition) || ids.length === 0) return [];
  return ofVersion(await transaction.rows(type, { id: ids }, ['id', publishedAt]), 'draft');
}

/** Where a draft's links lead: to the drafts made of what is linked, and to those that were linked already. */
const draftTargets =
  (made: MadeDrafts, transaction: StoreTransaction): TargetsOf =>
  async (linked, rows) => {
    if (!hasDrafts(linked.definition)) return new Map(rows.map((row) => [row, row]));
    const pairs = made.get(linked);
    const others = rows.filter((row) => !pairs?.has(row));
    const targets = new Map<number, number | undefined>(rows.map((row) => [row, pairs?.get(row)]));
    for (const draft of await draftsAmong(linked, others, transaction)) targets.set(draft, draft);
    return targets;
  };

const keyOf = ({ uid, target }: Tie): string => `${uid} ${target}`;

/** What of these ties leads to drafts. */
async function toDrafts(ties: readonly Tie[], { transaction, registry }: Linking): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [uid, same] of grouped(ties, (tie) => tie.uid)) {
    const type = registry.types.get(uid);
    const ids = [...new Set(same.map(({ target }) => target))];
    for (const target of type ? await draftsAmong(type, ids, transaction) : []) found.add(`${uid} ${target}`);
  }
  return found;
}

/** What had no versions was linked with both of what had. Now it is published, and is linked with what is published. */
async function leaveDrafts(tree: RowTree, linking: Linking): Promise<void> {
  for (const [type, { ties }] of flattened(tree.map((level) => [...level])))
    for (const [nested, lists] of ties) {
      if (!isLink(nested)) continue;
      const drafts = await toDrafts(flattened(lists.values()), linking);
      const kept = [...lists].map(([owner, list]) => ({
        owner,
        list,
        targets: list.filter((tie) => !drafts.has(keyOf(tie))),
      }));
      const tyings = kept.filter(({ list, targets }) => targets.length < list.length);
      if (tyings.length > 0) await linking.transaction.tie(type, nested, tyings);
    }
}

async function addAll(types: readonly ContentType[], linking: Linking): Promise<MadeDrafts> {
  const { transaction } = linking;
  const made = new Map<ContentType, ReadonlyMap<number, number>>();
  for (const type of types) {
    const missing = await rowsWithoutDraft(type, transaction);
    if (missing.length > 0) made.set(type, await addDrafts(type, missing, transaction));
  }
  const copying = { ...linking, targets: draftTargets(made, transaction) };
  for (const [type, drafts] of made)
    for (const some of chunksOf([...drafts], mostAtOnce.copied)) {
      const originals = some.map(([published]) => published);
      const tree = await readTree(type, originals, linking);
      const copies = some.map(([from, into]) => ({ from, into, values: { [publishedAt]: null } }));
      await copyRows(type, copies, copying, tree);
      await leaveDrafts(tree, linking);
    }
  for (const [type, drafts] of made)
    for (const some of chunksOf([...drafts], mostAtOnce.copied)) await leadToDrafts(type, new Map(some), linking);
  return made;
}

/**
 * Gives each published document of these types that has no draft one, which holds what is published, and links drafts. Drafts that
 * linked what is published link its draft instead; what has no versions links both. All of them or none, for a document that has a
 * draft is not looked at again.
 */
export const addMissingDrafts = (
  types: readonly ContentType[],
  store: DocumentStore,
  registry: ContentRegistry,
): Promise<MadeDrafts> =>
  store.transaction(async (transaction) => {
    // Several processes may start at once.
    await transaction.lock('missing drafts');
    return addAll(types, { transaction, registry });
  });
