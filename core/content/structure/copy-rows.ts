import { flatMapped } from '../../flat-mapped';
import { together } from '../../together';
import type { ContentType } from '../content-type';
import { isPart, mayHold, type Nested } from '../nested';
import type { NestedTyings, Row, StoreTransaction, Tying } from '../store';
import { type Copied, type Copying, copiedLinks, copiedThrough, type Pair, type Takeover } from './copied-links';
import { grouped } from './grouped';
import { type RowsOfTypes, removeAll } from './remove-rows';
import { rivalsOf } from './resolve-links';
import { rowWith } from './row-input';
import { partsAmong, type RowTree, readTree, type TreeRows, tiesAmong } from './row-tree';
import { differs, type TwinRows, unusedTwins } from './twin-rows';

export type CopiedRow = {
  readonly from: number;
  /** What the copy has of its own instead. */
  readonly values: Row;
} & (
  | {
      /** The row that takes the copy and loses what it held; a new one unless given. */
      readonly into?: number;
      readonly twins?: never;
      readonly takes?: never;
    }
  | {
      readonly into?: never;
      /** A new copy, as far as it was added with its original. */
      readonly twins: TwinRows | undefined;
      readonly takes?: Takeover | undefined;
    }
);

/** A copy, whose number is known once it is written. */
interface Copy extends Pair {
  to: number;
  readonly row: Row;
  readonly twins: TwinRows | undefined;
  /** What it holds already, if it was added with its original. */
  readonly given: Row | undefined;
}

/** The copies of one type on one level. */
interface Copies extends Copied {
  readonly pairs: readonly Copy[];
}

/** What copies embed through one of their attributes. */
interface EmbeddedCopies {
  readonly type: ContentType;
  readonly nested: Nested;
  readonly pairs: readonly Copy[];
  readonly parts: readonly { readonly owner: Copy; readonly type: ContentType; readonly copy: Copy }[];
}

/** What the original holds, without its id, and what the copy has of its own instead. */
const copyOf = (original: Row, values: Row): Row => rowWith(original, values, 'id');

/**
 * Copies rows with their values, links and components, at any depth, as far as these may stand there; answers the ids of the
 * copies. Links keep their order on both sides. What is copied is read, unless it was read already.
 */
export async function copyRows(
  type: ContentType,
  copied: readonly CopiedRow[],
  copying: Copying,
  known?: RowTree,
): Promise<number[]> {
  if (copied.length === 0) return [];
  const { transaction } = copying;
  const originals = copied.map(({ from }) => from);
  const tree = known ?? (await readTree(type, originals, copying));
  const old = await oldParts(type, copied, copying);
  const own = ownCopies(type, copied, tree);
  const all = [own];
  const embedded: EmbeddedCopies[] = [];
  for (let level = [own], depth = 1; level.length > 0; depth++) {
    level = partCopies(level, tree[depth], embedded);
    all.push(...level);
  }
  // In this order: a copy may lead to one that is added with it.
  const [, links] = await together([
    together(all.map((copies) => write(copies, transaction))),
    copiedLinks(all, copying),
  ]);
  for (const { to, takes } of own.pairs)
    if (takes && takes.through.size > 0) await transaction.handOver(type, [...takes.through], { from: takes.from, to });
  await transaction.tieAll([...links(), ...flatMapped(embedded, partTyings)]);
  await removeAll(old, copying);
  for (const { twins } of copied) if (twins) await removeAll(unusedAmong(twins, all), copying);
  return own.pairs.map(({ to }) => to);
}

/** The components that rows hold now which are copied over. */
async function oldParts(
  type: ContentType,
  copied: readonly CopiedRow[],
  { transaction, registry }: Copying,
): Promise<Map<ContentType, number[]>> {
  const replaced = flatMapped(copied, ({ into }) => (into === undefined ? [] : [into]));
  if (replaced.length === 0) return new Map();
  return partsAmong(await tiesAmong(new Map([[type, replaced]]), isPart, transaction), registry);
}

function ownCopies(type: ContentType, copied: readonly CopiedRow[], tree: RowTree): Copies {
  const original = tree[0]!.get(type)!;
  const pairs = copied.map(({ from, into, values, twins, takes }): Copy => {
    const row = copyOf(original.rows.get(from)!, values);
    const rivals = rivalsOf(type, row);
    const twin = twins?.get(type)?.get(from);
    return { from, to: into ?? twin?.id ?? 0, isNew: into === undefined, row, rivals, twins, given: twin?.row, takes };
  });
  return { type, pairs, original };
}

/** The copies of what one level embeds, by type; adds which of them is held by which. */
function partCopies(
  level: readonly Copies[],
  originals: ReadonlyMap<ContentType, TreeRows> | undefined,
  embedded: EmbeddedCopies[],
): Copies[] {
  const types = new Map([...(originals?.keys() ?? [])].map((type) => [type.uid, type]));
  const copies = new Map<ContentType, Copy[]>();
  for (const { type, pairs, original } of level) {
    for (const [nested, ties] of original.ties) {
      if (!isPart(nested)) continue;
      const copied = copiedThrough(nested, pairs);
      const parts = flatMapped(copied, (owner) =>
        flatMapped(ties.get(owner.from) ?? [], ({ uid, target }) => {
          const part = mayHold(nested, uid) ? types.get(uid) : undefined;
          const row = part && originals!.get(part)!.rows.get(target);
          // The peer leaves ties to components behind that are gone.
          if (!row) return [];
          const { twins } = owner;
          const twin = twins?.get(part)?.get(target);
          const copy: Copy = {
            from: target,
            to: twin?.id ?? 0,
            isNew: true,
            row: copyOf(row, {}),
            twins,
            given: twin?.row,
          };
          const others = copies.get(part);
          if (others) others.push(copy);
          else copies.set(part, [copy]);
          return [{ owner, type: part, copy }];
        }),
      );
      embedded.push({ type, nested, pairs: copied, parts });
    }
  }
  return [...copies].map(([type, pairs]) => ({ type, pairs, original: originals!.get(type)! }));
}

/** Adds what is new with one statement, and changes the others. */
async function write({ type, pairs }: Copies, transaction: StoreTransaction): Promise<void> {
  const others = pairs.filter(({ given, row }) => given && differs(row, given));
  // One is changed; more are added again, so that the statements do not depend on how many they are.
  const again = new Set(others.length > 1 ? others : []);
  const added = pairs.filter((copy) => again.has(copy) || (copy.isNew && !copy.given));
  const rows = added.map(({ row }) => row);
  const ids = rows.length > 0 ? await transaction.insert(type, rows) : [];
  for (const [at, copy] of added.entries()) copy.to = ids[at]!;
  const changed = [...pairs.filter(({ isNew }) => !isNew), ...others.filter((copy) => !again.has(copy))];
  for (const { to, row } of changed) await transaction.update(type, { id: to }, row);
}

/** What was added for components that the original no longer holds. */
function unusedAmong(twins: TwinRows, all: readonly Copies[]): RowsOfTypes {
  const used = new Map<ContentType, Set<number>>();
  for (const { type, pairs } of all) used.set(type, new Set([...(used.get(type) ?? []), ...pairs.map(({ to }) => to)]));
  return unusedTwins(twins, used);
}

function partTyings({ type, nested, pairs, parts }: EmbeddedCopies): NestedTyings[] {
  const byOwner = grouped(parts, ({ owner }) => owner);
  const own = pairs.map((pair): Tying => {
    const targets = (byOwner.get(pair) ?? []).map((part) => ({ target: part.copy.to, uid: part.type.uid }));
    return { owner: pair.to, targets, current: pair.isNew ? [] : undefined };
  });
  const tyings = own.filter(({ targets, current }) => targets.length > 0 || !current);
  return tyings.length > 0 ? [{ type, nested, tyings }] : [];
}
