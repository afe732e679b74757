import type { ContentRegistry, ContentType, Nested, StoreTransaction, Tie } from '../../core';
import { placeIn } from './place-in';
import { twinsOf } from './twins';

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

const isLink = ({ storage }: Nested): boolean => storage === 'link' || storage === 'morph';
const isPart = ({ storage }: Nested): boolean => storage === 'component' || storage === 'zone';
const isSame = (a: Tie) => (b: Tie) => a.target === b.target && a.uid === b.uid;

async function unpublishedAmong(ties: readonly Tie[], { transaction, registry }: Reading): Promise<Set<Tie>> {
  const found = new Set<Tie>();
  for (const uid of new Set(ties.map((tie) => tie.uid))) {
    const type = registry.types.get(uid);
    if (!type) continue;
    const own = ties.filter((tie) => tie.uid === uid);
    const published = await twinsOf(transaction, type, [...new Set(own.map(({ target }) => target))], 'published');
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
      for (const [row, { lists }] of links) {
        const order = ties.filter(({ owner }) => owner === row);
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
    for (const [row, { parts }] of links) {
      const own = ties.filter(({ owner, uid, target }) => owner === row && inside.has(`${uid} ${target}`));
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

/** Links a row again with what it was linked with, each where it stood among the others; a to-one link only if it is free. */
export async function restoreDraftLinks(
  type: ContentType,
  row: number,
  { lists, parts }: DraftLinks,
  reading: Reading,
): Promise<void> {
  const { transaction, registry } = reading;
  for (const [nested, { order, unpublished }] of lists) {
    const list = [...(await transaction.ties(type, nested, [row]))];
    if (!nested.many && list.length > 0) continue;
    for (const tie of unpublished) {
      if (list.some(isSame(tie))) continue;
      const before = order.slice(0, order.findIndex(isSame(tie))).map(({ target }) => target);
      list.splice(
        placeIn(
          list.map(({ target }) => target),
          before,
        ),
        0,
        tie,
      );
    }
    await transaction.tie(type, nested, [{ owner: row, targets: list }]);
  }
  for (const [nested, held] of parts) {
    if (!held.some(({ links }) => holdsAny(links))) continue;
    const now = await transaction.ties(type, nested, [row]);
    for (const [place, { uid, links }] of held.entries()) {
      const part = now[place];
      const partType = registry.types.get(uid);
      if (part?.uid === uid && partType) await restoreDraftLinks(partType, part.target, links, reading);
    }
  }
}
