import type { ContentRegistry, ContentType } from '../content-type';
import { isPart, type Nested, otherSideOf } from '../nested';
import type { Row, RowMatch, StoreTransaction, Tie, Tying } from '../store';
import { grouped } from './grouped';
import { removeRows } from './remove-rows';
import { tiedVariants, variantOf } from './resolve-links';

/** Where the copy of a link leads, for rows of a type that links lead to; a row without an entry is left out. */
export type TargetsOf = (
  type: ContentType,
  rows: readonly number[],
) => Promise<ReadonlyMap<number, number | undefined>>;

export interface Copying {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
  readonly targets: TargetsOf;
}

export interface CopiedRow {
  readonly from: number;
  /** The row that takes the copy and loses what it held; a new one unless given. */
  readonly into?: number;
  /** What the copy has of its own instead. */
  readonly values: Row;
}

/**
 * Copies rows with their values, links and components, at any depth; answers the ids of the copies. Links keep their
 * order on both sides.
 */
export async function copyRows(type: ContentType, copied: readonly CopiedRow[], copying: Copying): Promise<number[]> {
  if (copied.length === 0) return [];
  const { transaction } = copying;
  const found = await transaction.rows(type, { id: copied.map(({ from }) => from) });
  const originals = new Map(found.map((row) => [Number(row['id']), row]));
  const copyOf = ({ from, values }: CopiedRow): Row => {
    const { id: _id, ...own } = originals.get(from)!;
    return { ...own, ...values };
  };
  const added = copied.filter(({ into }) => into === undefined);
  const ids = added.length > 0 ? await transaction.insert(type, added.map(copyOf)) : [];
  const rows = new Map(added.map((each, index) => [each, ids[index]!]));
  for (const each of copied) {
    if (each.into === undefined) continue;
    await transaction.update(type, { id: each.into }, copyOf(each));
    rows.set(each, each.into);
  }
  const pairs = copied.map((each): Pair => {
    const rivals = { where: tiedVariants(type, variantOf(type, copyOf(each))) };
    return { from: each.from, to: rows.get(each)!, isNew: each.into === undefined, rivals };
  });
  for (const nested of type.nested.values()) {
    if (isPart(nested)) await copyParts(type, nested, pairs, copying);
    else if (nested.storage !== 'variants' && !leadsBackOnce(type, nested, copying.registry))
      await copyLinks(type, nested, pairs, copying);
  }
  return pairs.map(({ to }) => to);
}

/**
 * The other side of links that lead to one row each, from a type that has fewer variants: a copy would take them from the
 * original.
 */
function leadsBackOnce(type: ContentType, nested: Nested, { types }: ContentRegistry): boolean {
  const side = otherSideOf(nested);
  const target = types.get(nested.targets[0] ?? '');
  if (side === undefined || !target || target.nested.get(side)?.many) return false;
  return type.dimensions.some((dimension) => !target.dimensions.includes(dimension));
}

export interface Pair {
  readonly from: number;
  readonly to: number;
  readonly isNew?: boolean;
  /** The rows that may lose a target to this one; all, unless given. */
  readonly rivals?: RowMatch;
}

/** Makes the links of rows through one attribute those of other rows, as far as their targets have a counterpart. */
export async function copyLinks(
  type: ContentType,
  nested: Nested,
  pairs: readonly Pair[],
  { transaction, registry, targets }: Copying,
): Promise<void> {
  const ties = await transaction.ties(
    type,
    nested,
    pairs.map(({ from }) => from),
  );
  const counterparts = new Map<string, ReadonlyMap<number, number | undefined>>();
  for (const [uid, group] of grouped(ties, (tie) => tie.uid)) {
    const target = registry.types.get(uid);
    if (target) counterparts.set(uid, await targets(target, [...new Set(group.map((tie) => tie.target))]));
  }
  const held = grouped(ties, ({ owner }) => owner);
  const mapped = ({ owner: _, ...tie }: Tie): Omit<Tie, 'owner'>[] => {
    const counterpart = counterparts.get(tie.uid)?.get(tie.target);
    return counterpart === undefined ? [] : [{ ...tie, target: counterpart }];
  };
  const tyings = pairs.map(({ from, to, rivals }): Tying => {
    return { owner: to, targets: (held.get(from) ?? []).flatMap(mapped), rivals };
  });
  // A new row has nothing that could be untied.
  const changed = tyings.filter(({ targets: wanted }, index) => wanted.length > 0 || !pairs[index]!.isNew);
  if (changed.length > 0) await transaction.tie(type, nested, changed);
}

async function copyParts(type: ContentType, nested: Nested, pairs: readonly Pair[], copying: Copying): Promise<void> {
  const { transaction, registry } = copying;
  const replaced = pairs.filter(({ isNew }) => !isNew).map(({ to }) => to);
  const old = replaced.length > 0 ? await transaction.ties(type, nested, replaced) : [];
  const ties = await transaction.ties(
    type,
    nested,
    pairs.map(({ from }) => from),
  );
  const copies = new Map<Tie, number>();
  for (const [uid, group] of grouped(ties, (tie) => tie.uid)) {
    const partType = registry.types.get(uid);
    if (!partType) continue;
    // The peer leaves ties to components behind that are gone.
    const rows = await transaction.rows(partType, { id: group.map(({ target }) => target) }, ['id']);
    const there = new Set(rows.map(({ id }) => Number(id)));
    const alive = group.filter(({ target }) => there.has(target));
    const ids = await copyRows(
      partType,
      alive.map(({ target }) => ({ from: target, values: {} })),
      copying,
    );
    for (const [index, tie] of alive.entries()) copies.set(tie, ids[index]!);
  }
  // In the order of the ties, not of the types by which they were copied.
  const held = grouped(
    ties.filter((tie) => copies.has(tie)),
    ({ owner }) => owner,
  );
  const tyings = pairs.map(
    ({ from, to }): Tying => ({
      owner: to,
      targets: (held.get(from) ?? []).map((tie) => ({ target: copies.get(tie)!, uid: tie.uid })),
    }),
  );
  if (held.size > 0 || old.length > 0) await transaction.tie(type, nested, tyings);
  for (const [uid, group] of grouped(old, (tie) => tie.uid)) {
    const partType = registry.types.get(uid);
    if (partType)
      await removeRows(
        partType,
        group.map(({ target }) => target),
        copying,
      );
  }
}
