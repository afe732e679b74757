import { type ContentType, type Removal, type RowTree, together } from '../../core';
import { type Search, sourceTwins } from './counterparts';
import { type Inbound, type InboundTies, type Linking, linksTo } from './inbound';
import { createTwins } from './twins';

/** What links a draft, by attribute: each with what is to show that link in a published version, if there is any. */
export type LinkingPairs = ReadonlyMap<Inbound, ReadonlyMap<number, number | undefined>>;

/** Looks up what links a draft, and what is to show these links; undefined where that does not fit together. */
export async function pairsLinking(
  linking: Linking,
  type: ContentType,
  draft: number,
): Promise<LinkingPairs | undefined> {
  const search: Search = { ...linking, twins: createTwins(linking.transaction), loose: new Set() };
  const linked = [...(await linksTo(linking, type, [draft]))].filter(([, ties]) => ties.length > 0);
  const owners = linked.map(([, ties]) => [...new Set(ties.map(({ owner }) => owner))]);
  const twins = await together(linked.map(([{ source }], at) => sourceTwins(search, source, owners[at]!)));
  if (search.loose.size > 0) return undefined;
  return new Map(
    linked.map(([inbound], at) => [inbound, new Map(owners[at]!.map((owner) => [owner, twins[at]!.get(owner)]))]),
  );
}

interface Replacing {
  readonly draft: number;
  readonly tree: RowTree;
  /** The rows whose links the new version takes over, itself among them, and what goes with those that it replaces. */
  readonly replaced: readonly number[];
  readonly leaving: Removal;
}

/**
 * Whether all links to a draft are shown where they are to be, once those to the version that is replaced lead to the new one.
 * The pairs may be older than the links: what is paired with something that holds such a link has not been replaced since.
 */
export function areShown(links: InboundTies, pairs: LinkingPairs, replacing: Replacing): boolean {
  const { draft, tree, replaced, leaving } = replacing;
  // What the draft itself holds has another counterpart now.
  const isOwn = (source: ContentType, row: number): boolean => tree.some((level) => level.get(source)?.rows.has(row));
  const isLeaving = (source: ContentType, row: number): boolean =>
    leaving.levels.some((level) => level.get(source)?.includes(row));
  return [...links].every(([inbound, ties]) => {
    const { source } = inbound;
    const known = pairs.get(inbound);
    const showing = new Set(
      ties
        .filter(({ target, owner }) => replaced.includes(target) && !isLeaving(source, owner))
        .map(({ owner }) => owner),
    );
    const isShown = (owner: number): boolean => {
      if (!known?.has(owner) || isOwn(source, owner)) return false;
      const pair = known.get(owner);
      return pair === undefined || showing.has(pair);
    };
    return ties.every(({ target, owner }) => target !== draft || isShown(owner));
  });
}
