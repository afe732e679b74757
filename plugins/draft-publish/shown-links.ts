import { type ContentType, type RowTree, together } from '../../core';
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

/** A document whose published version was made anew. */
interface Republished {
  readonly draft: number;
  readonly published: number;
  /** What the draft holds. */
  readonly tree: RowTree;
}

/**
 * Whether all links to a draft are shown where they are to be: links read once the new version has taken over those to the former.
 * The pairs may be older. What is paired with something that has such a link was not replaced since; another place among others
 * counts as later.
 */
export function areShown(links: InboundTies, pairs: LinkingPairs, { draft, published, tree }: Republished): boolean {
  // What the draft itself holds has another counterpart now.
  const isOwn = (source: ContentType, row: number): boolean => tree.some((level) => level.get(source)?.rows.has(row));
  return [...links].every(([inbound, ties]) => {
    const known = pairs.get(inbound);
    const showing = new Set(ties.flatMap(({ target, owner }) => (target === published ? [owner] : [])));
    const isShown = (owner: number): boolean => {
      if (!known?.has(owner) || isOwn(inbound.source, owner)) return false;
      const pair = known.get(owner);
      return pair === undefined || showing.has(pair);
    };
    return ties.every(({ target, owner }) => target !== draft || isShown(owner));
  });
}
