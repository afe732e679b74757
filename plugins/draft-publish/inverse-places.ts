import {
  type ContentRegistry,
  type ContentType,
  grouped,
  type Nested,
  type StoreTransaction,
  type Tie,
} from '../../core';
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

const tiesOfRow = async (
  type: ContentType,
  row: number,
  sides: readonly TwoSided[],
  transaction: StoreTransaction,
): Promise<Tie[][]> =>
  sides.length > 0 ? transaction.tiesOf(sides.map(({ nested }) => ({ type, nested, owners: [row] }))) : [];

/** Where a row stands in the lists of what it is linked with, before it is copied over or gives way. */
export async function inversePlaces(
  type: ContentType,
  row: number,
  { transaction, registry }: Reading,
): Promise<InversePlaces> {
  const sides = twoSidedIn(type, registry);
  const found = await tiesOfRow(type, row, sides, transaction);
  const backs = (ties: readonly Tie[]): Map<number, number> =>
    new Map(ties.flatMap(({ target, back }) => (back === undefined ? [] : [[target, back] as const])));
  return new Map(sides.map(({ nested }, at) => [nested, backs(found[at]!)]));
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

/** How many predecessors are looked at first, which most often is enough, and how many times as many each time after. */
const fewest = 1;
const more = 8;

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
  for (let most = fewest; open.length > 0; most *= more) {
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
  const sides = twoSidedIn(type, registry);
  const found = await tiesOfRow(type, into, sides, transaction);
  for (const [at, { nested, target, inverse }] of sides.entries()) {
    const known = places.get(nested);
    const now = found[at]!;
    const moved = now.map((tie) => ({ ...tie, back: known?.get(tie.target) ?? tie.back }));
    if (moved.some(({ back }, index) => back !== now[index]!.back))
      await transaction.tie(type, nested, [{ owner: into, targets: moved, current: now }]);

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
