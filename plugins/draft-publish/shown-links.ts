import { type ContentType, flatMapped, together } from '../../core';
import { type Search, sourceTwins } from './counterparts';
import { type Inbound, type InboundTies, type Linking, linksTo } from './inbound';
import { createTwins } from './twins';

/** What links a draft, by attribute: each with what is to show that link in a published version, where there is any. */
export type LinkingPairs = ReadonlyMap<Inbound, ReadonlyMap<number, number>>;

/** Looks up what links a draft, and what is to show these links. */
export async function pairsLinking(linking: Linking, type: ContentType, draft: number): Promise<LinkingPairs> {
  const search: Search = { ...linking, twins: createTwins(linking.transaction), loose: new Set() };
  const linked = [...(await linksTo(linking, type, [draft]))].filter(([, ties]) => ties.length > 0);
  const twins = await together(
    linked.map(([{ source }, ties]) => sourceTwins(search, source, [...new Set(ties.map(({ owner }) => owner))])),
  );
  return new Map(linked.map(([inbound], at) => [inbound, twins[at]!]));
}

export const areLinked = (links: InboundTies, row: number): boolean =>
  [...links.values()].some((ties) => ties.some(({ target }) => target === row));

/**
 * Whether it is known of all links to a draft that they are shown where they are to be, once its new published version has taken
 * over those to the former. The pairs may be older than the links: what is paired with something that has such a link was not
 * replaced since; another place among others counts as later. Of what had no pair, it is not known whether it has one by now.
 */
export const areShown = (
  links: InboundTies,
  pairs: LinkingPairs,
  { draft, published }: { readonly draft: number; readonly published: number },
): boolean =>
  [...links].every(([inbound, ties]) => {
    const showing = new Set(flatMapped(ties, ({ target, owner }) => (target === published ? [owner] : [])));
    return ties.every(({ target, owner }) => {
      const pair = pairs.get(inbound)?.get(owner);
      return target !== draft || (pair !== undefined && showing.has(pair));
    });
  });
