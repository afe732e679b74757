import {
  type ContentRegistry,
  type ContentType,
  flatMapped,
  grouped,
  type Nested,
  type StoreTransaction,
  type Tie,
  together,
} from '../../core';
import type { KnownPairs } from './known-pairs';
import type { Twins, Version } from './twins';

interface Reading {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
  readonly needsNoPlaces?: boolean;
}

/** An attribute whose links the target's type lists, too. */
interface TwoSided {
  readonly nested: Nested;
  readonly target: ContentType;
  readonly inverse: Nested;
}

/** For each attribute: target row → where the row stands in that one's own list. */
export type InversePlaces = ReadonlyMap<Nested, ReadonlyMap<number, number>>;

const sidesByType = new WeakMap<ContentType, readonly TwoSided[]>();

function twoSidedIn(type: ContentType, registry: ContentRegistry): readonly TwoSided[] {
  const known = sidesByType.get(type);
  if (known) return known;
  const found = sidesOf(type, registry);
  sidesByType.set(type, found);
  return found;
}

function sidesOf(type: ContentType, registry: ContentRegistry): TwoSided[] {
  return flatMapped(type.nested.values(), (nested) => {
    const side = (nested.definition['mappedBy'] ?? nested.definition['inversedBy']) as string | undefined;
    const target = registry.types.get(nested.targets[0] ?? '');
    const inverse = nested.storage === 'link' && side !== undefined ? target?.nested.get(side) : undefined;
    return target && inverse?.many ? [{ nested, target, inverse }] : [];
  });
}

/** What a row is linked with through such an attribute. */
interface LinkedSide extends TwoSided {
  readonly ties: readonly Tie[];
}

export async function linkedSides(
  type: ContentType,
  row: number,
  { transaction, registry, needsNoPlaces }: Reading,
): Promise<LinkedSide[]> {
  const sides = twoSidedIn(type, registry);
  if (sides.length === 0) return [];
  const found = await transaction.tiesOf(sides.map(({ nested }) => ({ type, nested, owners: [row], needsNoPlaces })));
  return sides.map(({ nested, target, inverse }, at) => ({ nested, target, inverse, ties: found[at]! }));
}

/** Where a row stands in the lists of what it is linked with, before it is copied over or gives way. */
export const inversePlaces = (sides: readonly LinkedSide[]): InversePlaces =>
  new Map(
    sides.map(({ nested, ties }) => [
      nested,
      new Map(flatMapped(ties, ({ target, back }) => (back === undefined ? [] : [[target, back] as const]))),
    ]),
  );

export interface Copied {
  readonly from: number;
  readonly into: number;
  /** The version copied from. */
  readonly version: Version;
}

interface Anchoring extends TwoSided {
  readonly type: ContentType;
  readonly copied: Copied;
  readonly placing: Placing;
}

export interface Placing {
  readonly transaction: StoreTransaction;
  readonly twins: Twins;
  /** Of drafts that are published. */
  readonly pairs?: KnownPairs;
}

/** How many predecessors are looked at first, which most often is enough, and how many times as many each time after. */
const fewest = 1;
const more = 8;

/**
 * What a copy is to stand behind in each list: the nearest of those before the original, in the list of the other version,
 * that the list has. Most often that is its neighbour there, what it stands behind already.
 */
async function anchorsOf(
  rows: readonly number[],
  models: ReadonlyMap<number, number>,
  neighbours: Promise<ReadonlyMap<number, number>>,
  anchoring: Anchoring,
): Promise<Map<number, number>> {
  const { type, nested, target, inverse, copied, placing } = anchoring;
  const { transaction, twins, pairs } = placing;
  const { from, into, version } = copied;
  const anchors = new Map<number, number>();
  // A target without versions lists both: the copy stands behind its original.
  let open = rows.filter((row) => models.get(row) !== row || !anchors.set(row, from));
  for (let most = fewest; open.length > 0; most *= more) {
    const owners = open.map((row) => models.get(row)!);
    const ahead = grouped(await transaction.before(target, inverse, owners, from, most), ({ owner }) => owner);
    const near = await neighbours;
    // What was published here lately stands at the ends of most lists, and need not be looked up.
    open = open.filter((row) => {
      const [first] = ahead.get(models.get(row)!) ?? [];
      const next = near.get(row);
      const isKnown = first !== undefined && next !== undefined && pairs?.has(type, first.target, next);
      return !isKnown || !anchors.set(row, next);
    });
    if (open.length === 0) break;
    const all = [...new Set([...ahead.values()].flat().map((tie) => tie.target))];
    const counterparts = await twins.of(type, all, version === 'draft' ? 'published' : 'draft');
    const listOf = (row: number): number[] =>
      (ahead.get(models.get(row)!) ?? []).map((tie) => counterparts.get(tie.target) ?? tie.target);
    const isNext = (row: number): boolean =>
      near.has(row) && near.get(row) === listOf(row).find((each) => each !== into);
    open = open.filter((row) => !isNext(row) || !anchors.set(row, near.get(row)!));
    const there = [...new Set(flatMapped(open, listOf))].filter((each) => each !== into);
    const ties = there.length > 0 ? await transaction.ties(type, nested, there) : [];
    const linked = new Set(ties.map((tie) => `${tie.owner} ${tie.target}`));
    open = open.filter((row) => {
      const list = listOf(row);
      const anchor = list.find((each) => each !== into && linked.has(`${each} ${row}`));
      if (anchor !== undefined) anchors.set(row, anchor);
      return anchor === undefined && list.length === most;
    });
  }
  return anchors;
}

async function settleSide(
  type: ContentType,
  copied: Copied,
  { nested, target, inverse, ties: now }: LinkedSide,
  known: ReadonlyMap<number, number> | undefined,
  placing: Placing,
): Promise<void> {
  const { into, version } = copied;
  const { transaction, twins } = placing;
  // In its own lists it stands where these were copied from.
  const isItself = (tie: Tie): boolean => target === type && tie.target === into;
  const knownPlace = (tie: Tie): number | undefined => (isItself(tie) ? undefined : known?.get(tie.target));
  const moved = now.map((tie) => ({ ...tie, back: knownPlace(tie) ?? tie.back }));
  if (moved.some(({ back }, index) => back !== now[index]!.back))
    await transaction.tie(type, nested, [{ owner: into, targets: moved, current: now }]);

  const fresh = now.filter((tie) => !known?.has(tie.target) && !isItself(tie)).map((tie) => tie.target);
  if (fresh.length === 0) return;
  const models = await twins.of(target, fresh, version);
  const placed = fresh.filter((row) => models.has(row));
  if (placed.length === 0) return;
  const neighboursOf = async (): Promise<ReadonlyMap<number, number>> =>
    new Map((await transaction.before(target, inverse, placed, into, 1)).map((tie) => [tie.owner, tie.target]));
  const looking = neighboursOf();
  const [anchors, neighbours] = await together([
    anchorsOf(placed, models, looking, { type, nested, target, inverse, copied, placing }),
    looking,
  ]);
  for (const row of placed)
    if (neighbours.get(row) !== anchors.get(row)) await transaction.place(target, inverse, row, into, anchors.get(row));
}

/**
 * Puts a copy in its place in the lists of what it is linked with: where it stood before; where it is new, behind those
 * that come before the original in the list of the other version. Its own lists are left as they are.
 */
export async function settle(
  type: ContentType,
  copied: Copied,
  sides: readonly LinkedSide[],
  places: InversePlaces,
  placing: Placing,
): Promise<void> {
  const settled = (side: LinkedSide): Promise<void> => settleSide(type, copied, side, places.get(side.nested), placing);
  // Two attributes that link the same type may show the same links from both sides.
  const [home, away] = [sides.filter(({ target }) => target === type), sides.filter(({ target }) => target !== type)];
  for (const side of home) await settled(side);
  await together(away.map(settled));
}
