import { flatMapped } from '../../flat-mapped';
import { together } from '../../together';
import type { ContentType } from '../content-type';
import { isPart, type Nested } from '../nested';
import type { NestedTyings } from '../store';
import type { Building, Held, Structured } from './building';
import { changeParts, droppedParts, type Embedded, embeddedIn, partTyings, refuseForeign } from './embedded-parts';
import { grouped } from './grouped';
import { linkTyings } from './link-tyings';
import type { RowsOfTypes } from './remove-rows';
import { mayLeadHome, tiesAmong } from './row-tree';

/**
 * Ties links and writes components, level by level: the statements depend on the depth, not on the number of rows. Answers
 * the components that nothing holds any more, which are to be deleted.
 */
export async function applyStructure(
  type: ContentType,
  rows: readonly Structured[],
  building: Building,
): Promise<RowsOfTypes> {
  const { transaction } = building;
  const [held, added] = await together([heldBy(type, rows, building), building.added]);
  const mentioned = mentionedIn(rows);
  const tyings: NestedTyings[] = [];
  for (const nested of type.nested.values()) {
    if (isPart(nested) || !mentioned.has(nested)) continue;
    const linked = rows.filter(({ input }) => input.links.some((link) => link.nested === nested));
    const own = { type, nested, tyings: await linkTyings(type, nested, linked, held, building) };
    // What a link to the same type ties may be what another of its links shows: each finds what the one before did.
    if (mayLeadHome(type, nested)) await transaction.tie(type, nested, own.tyings);
    else tyings.push(own);
  }
  const embedded: Embedded[] = [];
  for (const nested of type.nested.values()) {
    if (!isPart(nested) || !mentioned.has(nested)) continue;
    const own = flatMapped(rows, (row) => embeddedIn(row, nested, added));
    refuseForeign(own, held, nested);
    embedded.push(...own);
  }
  await together([tyings.length > 0 && transaction.tieAll(tyings), changeParts(embedded, building)]);
  const owners = flatMapped(rows, ({ row, input }) => input.parts.map(({ nested }) => ({ nested, row })));
  if (owners.length > 0) await transaction.tieAll(partTyings(type, owners, embedded, held));
  const dropped = [droppedParts(owners, embedded, held, building.registry)];
  for (const [partType, some] of grouped(embedded, ({ part }) => part.type)) {
    const below = flatMapped(some, ({ row, part: { id, input } }) =>
      input.links.length + input.parts.length > 0 ? [{ row, input, isNew: id === undefined }] : [],
    );
    if (below.length > 0) dropped.push(await applyStructure(partType, below, { ...building, rivals: undefined }));
  }
  return allOf(dropped);
}

const mentionedIn = (rows: readonly Structured[]): ReadonlySet<Nested> =>
  new Set(flatMapped(rows, ({ input }) => [...input.links, ...input.parts].map(({ nested }) => nested)));

function allOf(all: readonly RowsOfTypes[]): RowsOfTypes {
  const dropped = all.filter(({ size }) => size > 0);
  if (dropped.length < 2) return dropped[0] ?? new Map();
  const byType = grouped(
    flatMapped(dropped, (each) => [...each]),
    ([type]) => type,
  );
  return new Map([...byType].map(([type, lists]) => [type, flatMapped(lists, ([, rows]) => rows)]));
}

/** Looks up what is tied through the attributes that the input mentions, all in one go. */
async function heldBy(type: ContentType, rows: readonly Structured[], { transaction }: Building): Promise<Held> {
  const old = rows.filter(({ isNew }) => !isNew).map(({ row }) => row);
  if (old.length === 0) return () => [];
  const mentioned = mentionedIn(rows);
  const isSought = (nested: Nested): boolean => mentioned.has(nested) && !mayLeadHome(type, nested);
  const ties = await tiesAmong(new Map([[type, old]]), isSought, transaction);
  const byOwner = new Map(
    [...(ties.get(type) ?? [])].map(([each, list]) => [each, grouped(list, ({ owner }) => owner)]),
  );
  const isOld = new Set(old);
  return (nested, owner) => {
    if (!isOld.has(owner)) return [];
    const known = byOwner.get(nested);
    return known && (known.get(owner) ?? []);
  };
}
