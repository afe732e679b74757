import { type ContentRegistry, type ContentType, grouped, type Nested, type StoreTransaction } from '../../core';
import { twinsOf, type Version } from './twins';

interface Reading {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

/** An attribute whose links the target's type lists, too. */
interface TwoSided {
  readonly nested: Nested;
  readonly target: ContentType;
  readonly inverse: Nested;
}

/** For each attribute: target row → where the row stands in that one's own list. */
export type InversePlaces = ReadonlyMap<Nested, ReadonlyMap<number, number>>;

function twoSidedIn(type: ContentType, registry: ContentRegistry): TwoSided[] {
  return [...type.nested.values()].flatMap((nested) => {
    const side = (nested.definition['mappedBy'] ?? nested.definition['inversedBy']) as string | undefined;
    const target = registry.types.get(nested.targets[0] ?? '');
    const inverse = nested.storage === 'link' && side !== undefined ? target?.nested.get(side) : undefined;
    return target && inverse?.many ? [{ nested, target, inverse }] : [];
  });
}

/** Where a row stands in the lists of what it is linked with, before it is copied over or gives way. */
export async function inversePlaces(
  type: ContentType,
  row: number,
  { transaction, registry }: Reading,
): Promise<InversePlaces> {
  const places = new Map<Nested, Map<number, number>>();
  for (const { nested } of twoSidedIn(type, registry)) {
    const ties = await transaction.ties(type, nested, [row]);
    places.set(
      nested,
      new Map(ties.flatMap(({ target, back }) => (back === undefined ? [] : [[target, back] as const]))),
    );
  }
  return places;
}

export interface Copied {
  readonly from: number;
  readonly into: number;
  /** The version copied from. */
  readonly version: Version;
}

interface Anchoring extends TwoSided {
  readonly type: ContentType;
  readonly copied: Copied;
  readonly transaction: StoreTransaction;
}

/** How many predecessors are looked at first; then twice as many, and so on. */
const fewest = 16;

/**
 * What a copy is to stand behind in each list: the nearest of those before the original, in the list of the other version,
 * that the list has.
 */
async function anchorsOf(
  rows: readonly number[],
  models: ReadonlyMap<number, number>,
  anchoring: Anchoring,
): Promise<Map<number, number>> {
  const { type, nested, target, inverse, copied, transaction } = anchoring;
  const { from, into, version } = copied;
  const anchors = new Map<number, number>();
  // A target without versions lists both: the copy stands behind its original.
  let open = rows.filter((row) => models.get(row) !== row || !anchors.set(row, from));
  for (let most = fewest; open.length > 0; most *= 4) {
    const owners = open.map((row) => models.get(row)!);
    const ahead = grouped(await transaction.before(target, inverse, owners, from, most), ({ owner }) => owner);
    const all = [...new Set([...ahead.values()].flat().map((tie) => tie.target))];
    const counterparts = await twinsOf(transaction, type, all, version === 'draft' ? 'published' : 'draft');
    const there = [...new Set(all.map((each) => counterparts.get(each) ?? each))].filter((each) => each !== into);
    const linked = new Set((await transaction.ties(type, nested, there)).map((tie) => `${tie.owner} ${tie.target}`));
    open = open.filter((row) => {
      const list = (ahead.get(models.get(row)!) ?? []).map((tie) => counterparts.get(tie.target) ?? tie.target);
      const anchor = list.find((each) => each !== into && linked.has(`${each} ${row}`));
      if (anchor !== undefined) anchors.set(row, anchor);
      return anchor === undefined && list.length === most;
    });
  }
  return anchors;
}

/**
 * Puts a copy in its place in the lists of what it is linked with: where it stood before; where it is new, behind those
 * that come before the original in the list of the other version.
 */
export async function settle(
  type: ContentType,
  copied: Copied,
  places: InversePlaces,
  { transaction, registry }: Reading,
): Promise<void> {
  const { into, version } = copied;
  for (const { nested, target, inverse } of twoSidedIn(type, registry)) {
    const known = places.get(nested);
    const now = await transaction.ties(type, nested, [into]);
    const moved = now.map((tie) => ({ ...tie, back: known?.get(tie.target) ?? tie.back }));
    if (moved.some(({ back }, index) => back !== now[index]!.back))
      await transaction.tie(type, nested, [{ owner: into, targets: moved }]);

    const fresh = now.filter((tie) => !known?.has(tie.target)).map((tie) => tie.target);
    if (fresh.length === 0) continue;
    const models = await twinsOf(transaction, target, fresh, version);
    const placed = fresh.filter((row) => models.has(row));
    const anchors = await anchorsOf(placed, models, { type, nested, target, inverse, copied, transaction });
    const ahead = new Map(
      (await transaction.before(target, inverse, placed, into, 1)).map((tie) => [tie.owner, tie.target]),
    );
    for (const row of placed)
      if (ahead.get(row) !== anchors.get(row)) await transaction.place(target, inverse, row, into, anchors.get(row));
  }
}
