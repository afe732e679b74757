import type { ContentRegistry, ContentType, Nested, StoreTransaction, Tying } from '../../core';
import { placeIn } from './place-in';
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

/**
 * Puts a copy in its place in the lists of what it is linked with: where it stood before; where it is new, behind those
 * that come before the original in the list of the other version.
 */
export async function settle(
  type: ContentType,
  { from, into, version }: Copied,
  places: InversePlaces,
  { transaction, registry }: Reading,
): Promise<void> {
  for (const { nested, target, inverse } of twoSidedIn(type, registry)) {
    const known = places.get(nested);
    const now = await transaction.ties(type, nested, [into]);
    const moved = now.map((tie) => ({ ...tie, back: known?.get(tie.target) ?? tie.back }));
    if (moved.some(({ back }, index) => back !== now[index]!.back))
      await transaction.tie(type, nested, [{ owner: into, targets: moved }]);

    const fresh = now.filter((tie) => !known?.has(tie.target)).map((tie) => tie.target);
    if (fresh.length === 0) continue;
    const models = await twinsOf(transaction, target, fresh, version);
    const ties = await transaction.ties(target, inverse, [...new Set([...fresh, ...models.values()])]);
    const listOf = (row: number): number[] => ties.filter(({ owner }) => owner === row).map((tie) => tie.target);
    const modelled = [...models.values()].flatMap(listOf);
    const counterparts = await twinsOf(
      transaction,
      type,
      [...new Set(modelled)],
      version === 'draft' ? 'published' : 'draft',
    );
    const tyings = fresh.flatMap((row): Tying[] => {
      const model = models.get(row);
      if (model === undefined) return [];
      const list = listOf(row).filter((each) => each !== into);
      const before = listOf(model);
      // A target without versions lists both: the copy stands behind its original.
      const predecessors =
        model === row
          ? before.slice(0, before.indexOf(from) + 1)
          : before.slice(0, before.indexOf(from)).map((each) => counterparts.get(each) ?? each);
      list.splice(placeIn(list, predecessors), 0, into);
      return [{ owner: row, targets: list.map((each) => ({ target: each, uid: type.uid })) }];
    });
    if (tyings.length > 0) await transaction.tie(target, inverse, tyings);
  }
}
