import { flatMapped } from '../../flat-mapped';
import { together } from '../../together';
import type { ContentRegistry, ContentType } from '../content-type';
import { isPart, type Nested, otherSideOf } from '../nested';
import type { NestedTyings, RowMatch, StoreTransaction, Tie, Tying } from '../store';
import { isTied, mayLeadHome, type TreeRows } from './row-tree';

/** Where the copy of a link leads, for rows of a type that links lead to; a row without an entry is left out. */
export type TargetsOf = (
  type: ContentType,
  rows: readonly number[],
) => Promise<ReadonlyMap<number, number | undefined>>;

export interface Copying {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
  readonly targets: TargetsOf;
  /**
   * Where copies are to stand in the own lists of what they are linked with: target row → place; as the originals, if none. Lists of
   * copies are copied themselves.
   */
  readonly places?: ReadonlyMap<Nested, ReadonlyMap<number, number>>;
  /** Ties of the originals that copies don't get. */
  readonly omitted?: ReadonlySet<Tie>;
  /** Attributes through which copies are tied to what they were before. */
  readonly without?: ReadonlySet<Nested>;
  /** They come last in those lists instead, wherever the originals stand. */
  readonly comeLast?: boolean;
}

/** A row and its copy. */
export interface Pair {
  readonly from: number;
  readonly to: number;
  readonly isNew: boolean;
  /** The rows that may lose a target to this one; all, unless given. */
  readonly rivals?: RowMatch;
  /** What it takes over of a row that is about to go, in place of copies. */
  readonly takes?: Takeover | undefined;
}

export interface Takeover {
  readonly from: number;
  readonly through: ReadonlySet<Nested>;
}

/** Those whose ties through an attribute are copied. */
export const copiedThrough = <Each extends Pair>(nested: Nested, pairs: readonly Each[]): readonly Each[] =>
  pairs.filter(({ takes }) => !takes?.through.has(nested));

/** What is copied of one type, on one level. */
export interface Copied {
  readonly type: ContentType;
  readonly pairs: readonly Pair[];
  readonly original: TreeRows;
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

/** By type and row that links lead to: where their copies lead. */
export type Counterparts = ReadonlyMap<string, ReadonlyMap<number, number | undefined>>;

/** Looks up where copies of links lead; what leads to a type that is no longer there has no counterpart. */
export async function counterpartsOf(
  links: Iterable<Tie>,
  { registry, targets }: Pick<Copying, 'registry' | 'targets'>,
): Promise<Counterparts> {
  const leads = new Map<string, Set<number>>();
  for (const { uid, target } of links) leads.set(uid, (leads.get(uid) ?? new Set()).add(target));
  const known = [...leads.keys()].filter((uid) => registry.types.has(uid));
  const found = await together(known.map((uid) => targets(registry.get(uid), [...leads.get(uid)!])));
  return new Map(known.map((uid, at) => [uid, found[at]!]));
}

/**
 * Looks up what the links of the copies are to be, as far as their targets have a counterpart. What it answers tells them, once
 * the copies are there.
 */
export async function copiedLinks(all: readonly Copied[], copying: Copying): Promise<() => NestedTyings[]> {
  const { registry, places, omitted, without, comeLast = false } = copying;
  const links = flatMapped(all, ({ type, pairs, original }) => {
    const areNew = pairs.every(({ isNew }) => isNew);
    return flatMapped(original.ties, ([nested, ties]) =>
      // What is new and to be tied to nothing is that already.
      (areNew && ties.size === 0) ||
      without?.has(nested) ||
      !isTied(nested) ||
      isPart(nested) ||
      leadsBackOnce(type, nested, registry)
        ? []
        : [{ type, nested, pairs: copiedThrough(nested, pairs), ties }],
    );
  });
  const copied = flatMapped(links, ({ pairs, ties }) => flatMapped(pairs, ({ from }) => ties.get(from) ?? []));
  const counterparts = await counterpartsOf(copied, copying);
  const mapped =
    (type: ContentType, nested: Nested, copies: ReadonlySet<number>) =>
    (tie: Tie): Omit<Tie, 'owner'>[] => {
      const { uid, shownBy } = tie;
      const target = counterparts.get(uid)?.get(tie.target);
      if (target === undefined || omitted?.has(tie)) return [];
      // The list of a copy is copied, too, and says where the others stand in it.
      const isInCopy = uid === type.uid && copies.has(target);
      const back = isInCopy || comeLast ? undefined : (places?.get(nested)?.get(target) ?? tie.back);
      return [{ target, uid, back, shownBy }];
    };
  const tyingsOf = ({ type, nested, pairs, ties }: (typeof links)[number]): NestedTyings[] => {
    const mappedTie = mapped(type, nested, new Set(pairs.map(({ to }) => to)));
    const tyings = pairs.map(({ from, to, isNew, rivals }): Tying => {
      // A new row is tied to nothing yet, but by the other side of a link that leads to its own type.
      const current = isNew && !mayLeadHome(type, nested) ? [] : undefined;
      return { owner: to, targets: flatMapped(ties.get(from) ?? [], mappedTie), rivals, current };
    });
    const changed = tyings.filter(({ targets: wanted }, index) => wanted.length > 0 || !pairs[index]!.isNew);
    return changed.length > 0 ? [{ type, nested, tyings: changed }] : [];
  };
  return () => flatMapped(links, tyingsOf);
}
