import type { ContentType } from '../content-type';
import { isPart, type Nested } from '../nested';
import type { NestedTyings, Row, StoreTransaction, Tying } from '../store';
import { type Copied, type Copying, copiedLinks, type Pair } from './copied-links';
import { grouped } from './grouped';
import { removeAll } from './remove-rows';
import { tiedVariants, variantOf } from './resolve-links';
import { partsAmong, type RowTree, readTree, type TreeRows, tiesAmong } from './row-tree';

export interface CopiedRow {
  readonly from: number;
  /** The row that takes the copy and loses what it held; a new one unless given. */
  readonly into?: number;
  /** What the copy has of its own instead. */
  readonly values: Row;
}

/** Copies, as far as one of their attributes goes. */
interface NestedPairs {
  readonly type: ContentType;
  readonly nested: Nested;
  readonly pairs: readonly Pair[];
}

function copyOf(original: Row, values: Row): Row {
  const { id: _id, ...own } = original;
  return { ...own, ...values };
}

/**
 * Copies rows with their values, links and components, at any depth; answers the ids of the copies. Links keep their
 * order on both sides. What is copied is read, unless it was read already.
 */
export async function copyRows(
  type: ContentType,
  copied: readonly CopiedRow[],
  copying: Copying,
  known?: RowTree,
): Promise<number[]> {
  if (copied.length === 0) return [];
  const { transaction } = copying;
  const tree =
    known ?? (await readTree(type, await transaction.rows(type, { id: copied.map(({ from }) => from) }), copying));
  const old = await oldParts(type, copied, copying);
  const pairs = await copyOwn(type, copied, tree, transaction);
  const all: Copied[] = [{ type, pairs, original: tree[0]!.get(type)! }];
  const tyings: NestedTyings[] = [];
  for (let level = all, depth = 1; level.length > 0; depth++) {
    const parts = await copyParts(level, tree[depth], tyings, transaction);
    all.push(...parts);
    level = parts;
  }
  await transaction.tieAll([...(await copiedLinks(all, copying)), ...tyings]);
  await removeAll(old, copying);
  return pairs.map(({ to }) => to);
}

/** The components that rows hold now which are copied over. */
async function oldParts(
  type: ContentType,
  copied: readonly CopiedRow[],
  { transaction, registry }: Copying,
): Promise<Map<ContentType, number[]>> {
  const replaced = copied.flatMap(({ into }) => (into === undefined ? [] : [into]));
  if (replaced.length === 0) return new Map();
  return partsAmong(await tiesAmong(new Map([[type, replaced]]), isPart, transaction), registry);
}

async function copyOwn(
  type: ContentType,
  copied: readonly CopiedRow[],
  tree: RowTree,
  transaction: StoreTransaction,
): Promise<Pair[]> {
  const { rows } = tree[0]!.get(type)!;
  const copies = copied.map(({ from, values }) => copyOf(rows.get(from)!, values));
  const added = copies.filter((_, index) => copied[index]!.into === undefined);
  const ids = added.length > 0 ? await transaction.insert(type, added) : [];
  for (const [index, { into }] of copied.entries())
    if (into !== undefined) await transaction.update(type, { id: into }, copies[index]!);
  let used = 0;
  return copied.map(({ from, into }, index) => ({
    from,
    to: into ?? ids[used++]!,
    isNew: into === undefined,
    rivals: { where: tiedVariants(type, variantOf(type, copies[index]!)) },
  }));
}

/** Copies what rows of one level embed, one statement for each type, and adds what is to be tied to whom. */
async function copyParts(
  level: readonly Copied[],
  originals: ReadonlyMap<ContentType, TreeRows> | undefined,
  tyings: NestedTyings[],
  transaction: StoreTransaction,
): Promise<Copied[]> {
  const types = new Map([...(originals?.keys() ?? [])].map((type) => [type.uid, type]));
  const embedded = new Map<ContentType, { readonly from: number; to: number }[]>();
  const held: (NestedPairs & { readonly parts: { pair: Pair; of: ContentType; place: number }[] })[] = [];
  for (const { type, pairs, original } of level) {
    for (const [nested, ties] of original.ties) {
      if (!isPart(nested)) continue;
      const parts = pairs.flatMap((pair) =>
        (ties.get(pair.from) ?? []).flatMap(({ uid, target }) => {
          const of = types.get(uid);
          // The peer leaves ties to components behind that are gone.
          if (!of || !originals!.get(of)!.rows.has(target)) return [];
          const copies = embedded.get(of) ?? [];
          embedded.set(of, copies);
          return [{ pair, of, place: copies.push({ from: target, to: 0 }) - 1 }];
        }),
      );
      held.push({ type, nested, pairs, parts });
    }
  }
  for (const [type, copies] of embedded) {
    const { rows } = originals!.get(type)!;
    const ids = await transaction.insert(
      type,
      copies.map(({ from }) => copyOf(rows.get(from)!, {})),
    );
    for (const [index, copy] of copies.entries()) copy.to = ids[index]!;
  }
  for (const { type, nested, pairs, parts } of held) {
    const byPair = grouped(parts, ({ pair }) => pair);
    const own = pairs.map((pair): Tying => {
      const targets = (byPair.get(pair) ?? []).map(({ of, place }) => ({
        target: embedded.get(of)![place]!.to,
        uid: of.uid,
      }));
      return { owner: pair.to, targets, current: pair.isNew ? [] : undefined };
    });
    const changed = own.filter(({ targets, current }) => targets.length > 0 || !current);
    if (changed.length > 0) tyings.push({ type, nested, tyings: changed });
  }
  return [...embedded].map(([type, copies]) => ({
    type,
    pairs: copies.map(({ from, to }) => ({ from, to, isNew: true })),
    original: originals!.get(type)!,
  }));
}
