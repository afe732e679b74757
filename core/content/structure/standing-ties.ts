import { flatMapped, flattened } from '../../flat-mapped';
import type { ContentRegistry, ContentType } from '../content-type';
import { isPart, isTwoSided, mayHold, type Nested, otherSideOf } from '../nested';
import type { Row, Tie } from '../store';
import { type Copying, type Counterparts, counterpartsOf } from './copied-links';
import { isTied, mayLeadHome, type RowTree, type TreeRows } from './row-tree';

/** A row with what it holds. */
export interface RowInTree {
  readonly row: number;
  readonly tree: RowTree;
}

/** The attributes through which a row is tied to just what a copy of another would be. */
export type StandingTies = ReadonlySet<Nested>;

const none: readonly Tie[] = [];

const tiesOf = ({ ties }: TreeRows, nested: Nested, owner: number): readonly Tie[] =>
  ties.get(nested)?.get(owner) ?? none;

const holdsSame = (row: Row, other: Row): boolean =>
  Object.keys(row).every((name) => name === 'id' || row[name] === other[name]);

/** Whether an attribute of a component ties nothing but what is seen from there. */
const isOneSided = (nested: Nested): boolean =>
  isPart(nested) || nested.storage === 'attached' || (nested.storage === 'link' && !isTwoSided(nested));

type AreSame = (nested: Nested, ties: readonly Tie[], others: readonly Tie[], level?: number) => boolean;

/** Compares what is tied to rows of one tree with what is tied to rows of another that may become copies of these. */
function comparison(
  original: RowTree,
  standing: RowTree,
  { types }: ContentRegistry,
  counterparts: Counterparts,
): AreSame {
  function areSameLinks(links: readonly Tie[], others: readonly Tie[]): boolean {
    const copied = flatMapped(links, ({ uid, target }) => {
      const counterpart = counterparts.get(uid)?.get(target);
      return counterpart === undefined ? [] : [{ uid, target: counterpart }];
    });
    return (
      copied.length === others.length &&
      copied.every(({ uid, target }, at) => uid === others[at]!.uid && target === others[at]!.target)
    );
  }

  function isSamePart(uid: string, level: number, row: number, other: number): boolean {
    const type = types.get(uid);
    const [own, its] = type ? [original[level]?.get(type), standing[level]?.get(type)] : [];
    const [given, held] = [own?.rows.get(row), its?.rows.get(other)];
    if (!given || !held || !holdsSame(given, held)) return false;
    return [...type!.nested.values()].every((nested) => {
      if (!isTied(nested)) return true;
      const [ties, others] = [tiesOf(own!, nested, row), tiesOf(its!, nested, other)];
      if (ties.length + others.length === 0) return true;
      return isOneSided(nested) && areSame(nested, ties, others, level);
    });
  }

  function areSameParts(nested: Nested, ties: readonly Tie[], others: readonly Tie[], level: number): boolean {
    const isSame = ({ uid, target }: Tie, other: Tie): boolean =>
      uid === other.uid && mayHold(nested, uid) && isSamePart(uid, level, target, other.target);
    return ties.length === others.length && ties.every((tie, at) => isSame(tie, others[at]!));
  }

  const areSame: AreSame = (nested, ties, others, level = 0) =>
    isPart(nested) ? areSameParts(nested, ties, others, level + 1) : areSameLinks(ties, others);
  return areSame;
}

/**
 * The attributes through which a row that is about to go is tied to just what a copy of the original would be: to components that
 * hold the same, at any depth, and to the counterparts of what the original links, in the same order.
 */
export async function standingTies(
  type: ContentType,
  original: RowInTree,
  standing: RowInTree,
  copying: Copying,
): Promise<StandingTies> {
  const [ours, theirs] = [original.tree[0]!.get(type), standing.tree[0]!.get(type)];
  if (!ours || !theirs) return new Set();
  const { registry } = copying;
  // A morph link and its other side share their places: a copy numbers them anew, so that they are in the original's order.
  const mayStand = (nested: Nested): boolean =>
    isOneSided(nested) ||
    (nested.storage === 'link' && !mayLeadHome(type, nested) && otherSideOf(nested) === undefined);
  const links = flatMapped(original.tree, (level) =>
    flatMapped(level.values(), ({ ties }) =>
      flatMapped(ties, ([nested, lists]) => (isTied(nested) && !isPart(nested) ? flattened(lists.values()) : [])),
    ),
  );
  const areSame = comparison(original.tree, standing.tree, registry, await counterpartsOf(links, copying));
  const candidates = [...type.nested.values()].filter((nested) => isTied(nested) && mayStand(nested));
  return new Set(
    candidates.filter((nested) => {
      const [ties, others] = [tiesOf(ours, nested, original.row), tiesOf(theirs, nested, standing.row)];
      return others.length > 0 && areSame(nested, ties, others);
    }),
  );
}
