import {
  type ContentRegistry,
  type ContentType,
  carryOutRemoval,
  copyRows,
  type Documents,
  flatMapped,
  flattened,
  type Nested,
  type Row,
  type RowInTree,
  type RowTree,
  readTree,
  readTrees,
  removalIn,
  removeRows,
  rivalsOf,
  rowId,
  type StoreTransaction,
  standingTies,
  type TargetsOf,
  type Twin,
  together,
} from '../../core';
import { draftLinksOf, restoreDraftLinks } from './draft-links';
import { linksTo, repoint } from './inbound';
import { inversePlaces, linkedSides, settle } from './inverse-places';
import { join } from './join';
import { keptByColumns } from './kept-by-column';
import type { KnownPairs } from './known-pairs';
import { areLinked, areShown, type LinkingPairs, pairsLinking } from './shown-links';
import { publishedAt, publishedNow } from './status';
import { createTwins, type Twins, variantKey, versionBeside, versionOf } from './twins';

export interface Versioning {
  readonly transaction: StoreTransaction;
  /** Takes work that need not be waited for before what was published is shown. */
  readonly beside?: ((work: Promise<unknown>) => void) | undefined;
  readonly registry: ContentRegistry;
  readonly documents: Documents;
  readonly pairs: KnownPairs;
  /** Where twins were looked up already. */
  readonly twins?: Twins | undefined;
}

/** A document's draft, and its published version if there is one. */
export interface Versions {
  readonly draft: Row;
  readonly published: Row | undefined;
  /** Whether the draft was added since the transaction began. */
  readonly isNew?: boolean;
  /** The published version, as far as it was added with a new draft. */
  readonly twin?: Twin | undefined;
  /** What both hold, if it is read already. */
  readonly trees?: VersionTrees | undefined;
}

/** What a draft holds, and its published version. */
export interface VersionTrees {
  readonly draft: RowTree;
  readonly published: RowTree | undefined;
}

/** Reads what versions of one document hold, of both of them with the same statements. */
async function readVersions(
  type: ContentType,
  { draft, published }: Versions,
  versioning: Pick<Versioning, 'transaction' | 'registry'>,
): Promise<VersionTrees> {
  const [own, its] = await readTrees(
    type,
    [draft, ...(published ? [published] : [])].map((row) => [rowId(row)]),
    versioning,
  );
  return { draft: own!, published: its };
}

/** The versions among a type's rows, of each variant that has a draft. */
export function versionsAmong(type: ContentType, rows: readonly Row[]): Versions[] {
  const published = new Map(
    rows.filter((row) => versionOf(row) === 'published').map((row) => [variantKey(type, row), row]),
  );
  return rows
    .filter((row) => versionOf(row) === 'draft')
    .map((draft) => ({ draft, published: published.get(variantKey(type, draft)) }));
}

/** Documents that a draft's discarding waits for: it is seldom, and does not notice what is gone. */
const mostLinked = 500;

/** Where both sides of a link have an attribute, it is enough that one of them waits for the other. */
const owns = ({ definition }: Nested): boolean =>
  definition['mappedBy'] === undefined && definition['morphBy'] === undefined;

/** What rows link through such attributes, by type. */
function linkedBy(
  tree: RowTree,
  { types }: ContentRegistry,
  through: (nested: Nested) => boolean,
): Map<ContentType, Set<number>> {
  const targets = new Map<ContentType, Set<number>>();
  const ties = flatMapped(tree, (level) => flatMapped(level.values(), (rows) => [...rows.ties]));
  for (const [nested, lists] of ties) {
    if (!through(nested)) continue;
    for (const { uid, target } of flattened(lists.values())) {
      const type = types.get(uid);
      if (type) targets.set(type, (targets.get(type) ?? new Set()).add(target));
    }
  }
  return targets;
}

/** Not a document's identifier: what has it is about to go, and no one else may see it. */
const setAside = (row: Row): string => `${String(row['documentId'])}:${rowId(row)}`;

/**
 * Publishes a draft: checks it as a whole, then makes its published version anew out of it. The former one gives way,
 * and what linked it links the new one in the same place.
 */
export async function publish(versioning: Versioning, type: ContentType, versions: Versions): Promise<void> {
  // Beside all that has to be found out one after the other: where nothing is gained, that is most often known by then.
  const linking = versions.published && pairsLinking(versioning, type, rowId(versions.draft));
  await together([linking, publishPaired(linking, versioning, type, versions)]);
}

async function publishPaired(
  linking: Promise<LinkingPairs> | undefined,
  versioning: Versioning,
  type: ContentType,
  versions: Versions,
): Promise<void> {
  const { draft, published: former, isNew, twin, trees: known } = versions;
  const { transaction, registry, documents, pairs, beside, twins = createTwins(transaction) } = versioning;
  const before = former ? [rowId(former)] : [];
  // What goes with the former is known before it hands over links: those that its own attributes show go with it.
  const [{ draft: tree, published: formerTree }, formerSides] = await together([
    known ?? readVersions(type, versions, versioning),
    former ? linkedSides(type, rowId(former), versioning) : [],
  ]);
  const own = linkedBy(tree, registry, owns);
  const waited = (linked: ContentType, rows: readonly number[]): Promise<void> =>
    twins.wait(linked, rows, own.get(linked) ?? new Set());
  await together([
    documents.checkComplete(type, draft, versionBeside(type, draft, 'published'), transaction, tree),
    // Before the former's row is taken: who is waited for may be about to change a link of that row.
    ...(former ? [...own].map(([linked, rows]) => waited(linked, [...rows])) : []),
  ]);
  const values = twin?.values ?? publishedNow();
  const places = inversePlaces(formerSides);
  async function targets(linked: ContentType, rows: readonly number[]): Promise<Map<number, number>> {
    await waited(linked, rows);
    return twins.of(linked, rows, 'published');
  }
  const copying = { transaction, registry, targets, places, comeLast: isNew };
  const leaving: RowInTree | undefined = former && { row: rowId(former), tree: formerTree! };
  // As long as the former is what links to itself lead to.
  const takes = leaving && {
    from: leaving.row,
    through: await standingTies(type, { row: rowId(draft), tree }, leaving, copying),
  };
  if (former) {
    await transaction.update(type, { id: rowId(former) }, { documentId: setAside(former) });
    twins.forget(type, String(draft['documentId']));
  }
  const [published] = (await copyRows(
    type,
    [{ from: rowId(draft), values, twins: twin?.rows, takes }],
    copying,
    tree,
  )) as [number];
  const [links, sides] = await together([
    linksTo(versioning, type, former ? [published, ...before] : [rowId(draft), published]),
    isNew ? [] : linkedSides(type, published, { transaction, registry, needsNoPlaces: true }),
  ]);
  for (const from of before) await repoint(versioning, type, links, { from, to: published });
  if (leaving && takes) await carryOutRemoval(removalIn(type, leaving, takes.through, registry), transaction);
  pairs.add(type, rowId(draft), published);
  // Both versions of what is new stand at the ends of the lists that they came to.
  if (isNew && !areLinked(links, rowId(draft))) return;
  const copied = { from: rowId(draft), into: published, version: 'draft' } as const;
  async function finish(): Promise<void> {
    const [now] = await together([
      // Where there was a former, not before that is gone: somebody's link to it may have gone with it just now.
      former ? linksTo(versioning, type, [rowId(draft), published]) : links,
      settle(type, copied, sides, places, { transaction, twins, pairs }),
    ]);
    if (!areLinked(now, rowId(draft))) return;
    if (linking && areShown(now, await linking, { draft: rowId(draft), published })) return;
    await join(versioning, type, rowId(draft), published);
  }
  if (beside) beside(finish());
  else await finish();
}

/** Takes the published version away; the draft stays. */
export async function unpublish(versioning: Versioning, type: ContentType, { published }: Versions): Promise<void> {
  const { transaction, registry } = versioning;
  if (published) await removeRows(type, [rowId(published)], { transaction, registry });
}

/**
 * Waits for those who write what is linked from either side: they may publish it, or take what is published away, of which it
 * depends what a draft keeps; and they may change lists that it comes to.
 */
async function waitForLinked(versioning: Versioning, type: ContentType, rows: readonly number[], twins: Twins) {
  const linked = linkedBy(await readTree(type, rows, versioning), versioning.registry, () => true);
  await together([...linked].map(([target, ids]) => twins.wait(target, [...ids], ids, mostLinked)));
}

/** Makes the draft what is published, but for its links to documents that aren't published: those it keeps. */
export async function discardDraft(
  versioning: Versioning,
  type: ContentType,
  { draft, published }: Versions,
): Promise<void> {
  const { transaction, registry } = versioning;
  if (!published) return;
  const id = rowId(draft);
  const twins = createTwins(transaction);
  await waitForLinked(versioning, type, [id, rowId(published)], twins);
  const before = await draftLinksOf(type, [id], versioning);
  const places = inversePlaces(await linkedSides(type, id, versioning));
  const targets: TargetsOf = (linked, rows) => twins.of(linked, rows, 'draft');
  const copying = { transaction, registry, targets, places, without: keptByColumns(type, registry) };
  await copyRows(type, [{ from: rowId(published), into: id, values: { [publishedAt]: null } }], copying);
  await restoreDraftLinks(type, before, versioning, rivalsOf(type, draft));
  const sides = await linkedSides(type, id, versioning);
  await settle(type, { from: rowId(published), into: id, version: 'published' }, sides, places, { transaction, twins });
}
