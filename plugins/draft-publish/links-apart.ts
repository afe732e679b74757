import { type ContentType, flattened, grouped, type Nested, type RowTree, type Tie, type Tying } from '../../core';
import { isLink, type Linking } from './inbound';
import { holdsOne } from './kept-by-column';
import { keyOf } from './place-in';
import { hasDrafts } from './status';
import type { Twins } from './twins';

/** By type, each published row that had no draft, and the draft that was made for it. */
export type MadeDrafts = ReadonlyMap<ContentType, ReadonlyMap<number, number>>;

/** What of the links of published rows is theirs, and what that of the drafts made of them. */
export interface LinksApart {
  /** What the drafts don't get. */
  readonly omitted: ReadonlySet<Tie>;
  /** Takes from the published rows what leads to drafts. */
  leave(): Promise<void>;
}

interface Parting extends Linking {
  readonly twins: Twins;
  readonly made: MadeDrafts;
  readonly hadNoVersions: boolean;
}

/** By type of what is linked: the draft of each row, which of a draft is itself. */
type Drafts = ReadonlyMap<string, ReadonlyMap<number, number>>;

async function draftsOf(ties: readonly Tie[], { twins, registry }: Parting): Promise<Drafts> {
  const drafts = new Map<string, ReadonlyMap<number, number>>();
  for (const [uid, same] of grouped(ties, (tie) => tie.uid)) {
    const type = registry.types.get(uid);
    const ids = [...new Set(same.map(({ target }) => target))];
    if (type && hasDrafts(type.definition)) drafts.set(uid, await twins.of(type, ids, 'draft'));
  }
  return drafts;
}

const isDraft = ({ uid, target }: Tie, drafts: Drafts): boolean => drafts.get(uid)?.get(target) === target;

/** What of a list leads to published versions whose drafts are linked beside them, or were not linked though they might have been. */
function leftToPublished(nested: Nested, list: readonly Tie[], drafts: Drafts, parting: Parting): Tie[] {
  const { registry, made, hadNoVersions } = parting;
  const wasLinkedOnce = !hadNoVersions || holdsOne(nested);
  const linked = new Set(list.map(keyOf));
  return list.filter(({ uid, target }) => {
    const draft = drafts.get(uid)?.get(target);
    if (draft === undefined || draft === target || made.get(registry.get(uid))?.has(target)) return false;
    return !wasLinkedOnce || linked.has(keyOf({ uid, target: draft }));
  });
}

/**
 * What had no versions was linked with both versions of what had: now it is published, and its draft links drafts. Where it had
 * some that nobody served, it was linked with what is published only, and its draft links the drafts of that.
 */
export async function linksApart(tree: RowTree, parting: Parting): Promise<LinksApart> {
  const { transaction } = parting;
  const omitted = new Set<Tie>();
  const tyings: (readonly [ContentType, Nested, Tying[]])[] = [];
  for (const [type, { ties }] of flattened(tree.map((level) => [...level])))
    for (const [nested, lists] of ties) {
      if (!isLink(nested)) continue;
      const drafts = await draftsOf(flattened(lists.values()), parting);
      for (const list of lists.values())
        for (const tie of leftToPublished(nested, list, drafts, parting)) omitted.add(tie);
      const mixed = [...lists].filter(([, list]) => list.some((tie) => isDraft(tie, drafts)));
      const kept = mixed.map(([owner, list]) => ({ owner, targets: list.filter((tie) => !isDraft(tie, drafts)) }));
      if (kept.length > 0) tyings.push([type, nested, kept]);
    }
  return {
    omitted,
    async leave() {
      for (const [type, nested, own] of tyings) await transaction.tie(type, nested, own);
    },
  };
}
