import {
  type ContentRegistry,
  type ContentType,
  flatMapped,
  grouped,
  isPart,
  type Nested,
  type RowMatch,
  type StoreTransaction,
  type Tie,
} from '../../core';
import { isLink } from './inbound';
import { keyOf, placeIn } from './place-in';
import { createTwins } from './twins';

interface Reading {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

/** A link's whole list, and those in it that nobody but the draft can see. */
interface KeptList {
  readonly order: readonly Tie[];
  readonly unpublished: readonly Tie[];
}

/** The links to documents that aren't published, in a row and in its components by their places. */
export interface DraftLinks {
  readonly lists: ReadonlyMap<Nested, KeptList>;
  readonly parts: ReadonlyMap<Nested, readonly { readonly uid: string; readonly links: DraftLinks }[]>;
}

const isSame = (a: Tie) => (b: Tie) => keyOf(a) === keyOf(b);

async function unpublishedAmong(ties: readonly Tie[], { transaction, registry }: Reading): Promise<Set<Tie>> {
  const found = new Set<Tie>();
  const twins = createTwins(transaction);
  for (const uid of new Set(ties.map((tie) => tie.uid))) {
    const type = registry.types.get(uid);
    if (!type) continue;
    const own = ties.filter((tie) => tie.uid === uid);
    const published = await twins.of(type, [...new Set(own.map(({ target }) => target))], 'published');
    for (const tie of own) if (!published.has(tie.target)) found.add(tie);
  }
  return found;
}

/** Reads them for rows of one type at once: the statements depend on the depth, not on the number of components. */
export async function draftLinksOf(
  type: ContentType,
  rows: readonly number[],
  reading: Reading,
): Promise<Map<number, DraftLinks>> {
  const { transaction, registry } = reading;
  const links = rows.map(
    (row) =>
      [
        row,
        { lists: new Map<Nested, KeptList>(), parts: new Map<Nested, { uid: string; links: DraftLinks }[]>() },
      ] as const,
  );
  for (const nested of type.nested.values()) {
    if (!isLink(nested) && !isPart(nested)) continue;
    const ties = await transaction.ties(type, nested, rows);
    if (ties.length === 0) continue;
    if (isLink(nested)) {
      const unpublished = await unpublishedAmong(ties, reading);
      const byOwner = grouped(ties, ({ owner }) => owner);
      for (const [row, { lists }] of links) {
        const order = byOwner.get(row) ?? [];
        const kept = order.filter((tie) => unpublished.has(tie));
        if (kept.length > 0) lists.set(nested, { order, unpublished: kept });
      }
      continue;
    }
    const inside = new Map<string, DraftLinks>();
    for (const uid of new Set(ties.map((tie) => tie.uid))) {
      const partType = registry.types.get(uid);
      const ids = ties.filter((tie) => tie.uid === uid).map(({ target }) => target);
      if (partType)
        for (const [id, found] of await draftLinksOf(partType, ids, reading)) inside.set(`${uid} ${id}`, found);
    }
    const byOwner = grouped(
      ties.filter(({ uid, target }) => inside.has(`${uid} ${target}`)),
      ({ owner }) => owner,
    );
    for (const [row, { parts }] of links) {
      const own = byOwner.get(row) ?? [];
      if (own.length > 0)
        parts.set(
          nested,
          own.map(({ uid, target }) => ({ uid, links: inside.get(`${uid} ${target}`)! })),
        );
    }
  }
  return new Map(links);
}

const holdsAny = ({ lists, parts }: DraftLinks): boolean =>
  lists.size > 0 || [...parts.values()].flat().some(({ links }) => holdsAny(links));

/** A link's list with what it lost, each where it stood among the others; undefined where it stays as it is. */
function restored({ many }: Nested, now: readonly Tie[], { order, unpublished }: KeptList): Tie[] | undefined {
  if (!many && now.length > 0) return undefined;
  const list = [...now];
  for (const tie of unpublished) {
    if (list.some(isSame(tie))) continue;
    const before = order.slice(0, order.findIndex(isSame(tie))).map(keyOf);
    list.splice(placeIn(list.map(keyOf), before), 0, tie);
  }
  return list;
}

/**
 * Links rows again with what they were linked with; a to-one link only if it is free. What can have one owner only is taken from
 * `rivals`: from any row, unless they are named.
 */
export async function restoreDraftLinks(
  type: ContentType,
  links: ReadonlyMap<number, DraftLinks>,
  reading: Reading,
  rivals?: RowMatch,
): Promise<void> {
  const { transaction, registry } = reading;
  const tiesOf = async (nested: Nested, rows: readonly number[]): Promise<Map<number, Tie[]>> =>
    grouped(rows.length > 0 ? await transaction.ties(type, nested, rows) : [], ({ owner }) => owner);
  const below = new Map<ContentType, Map<number, DraftLinks>>();
  for (const nested of type.nested.values()) {
    const listed = flatMapped(links, ([row, { lists }]) =>
      lists.has(nested) ? [[row, lists.get(nested)!] as const] : [],
    );
    const ties = await tiesOf(
      nested,
      listed.map(([row]) => row),
    );
    const tyings = flatMapped(listed, ([owner, kept]) => {
      const targets = restored(nested, ties.get(owner) ?? [], kept);
      return targets ? [{ owner, targets, rivals }] : [];
    });
    if (tyings.length > 0) await transaction.tie(type, nested, tyings);

    const holding = flatMapped(links, ([row, { parts }]) => {
      const held = parts.get(nested) ?? [];
      return held.some((part) => holdsAny(part.links)) ? [[row, held] as const] : [];
    });
    const now = await tiesOf(
      nested,
      holding.map(([row]) => row),
    );
    for (const [row, held] of holding) {
      for (const [place, part] of held.entries()) {
        const there = now.get(row)?.[place];
        const partType = registry.types.get(part.uid);
        if (there?.uid !== part.uid || !partType || !holdsAny(part.links)) continue;
        below.set(partType, (below.get(partType) ?? new Map<number, DraftLinks>()).set(there.target, part.links));
      }
    }
  }
  for (const [partType, inside] of below) await restoreDraftLinks(partType, inside, reading);
}
