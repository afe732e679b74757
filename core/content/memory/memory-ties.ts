import type { ContentType } from '../content-type';
import type { Nested } from '../nested';
import { rowIds } from '../row-id';
import type { Row, RowMatch, StoreTransaction, Tie, Tying } from '../store';

/** A tie as the side that owns it sees it: each end has its place in the other's list. */
interface Kept {
  readonly owner: number;
  readonly target: number;
  readonly uid: string;
  readonly order: number;
  readonly back: number;
}

export interface MemoryTies
  extends Pick<
    StoreTransaction,
    'ties' | 'tiesTo' | 'tiesOf' | 'tie' | 'tieAll' | 'retie' | 'handOver' | 'before' | 'place'
  > {
  /** Drops what is tied to rows that are gone. */
  forget(rows: readonly number[]): void;
  /** Answers how to go back to now. */
  mark(): () => void;
}

const mappedBy = ({ definition }: Nested): string | undefined => definition['mappedBy'] as string | undefined;

/** Both sides of a link share one list, which is kept as the owning side sees it. */
const keyOf = ({ uid }: ContentType, nested: Nested): string => {
  const by = mappedBy(nested);
  return by === undefined ? `${uid}.${nested.name}` : `${nested.targets[0]}.${by}`;
};

const byOrder = (a: Kept, b: Kept): number => a.owner - b.owner || a.order - b.order;

/** A target of the other side's only owner, which it can have one of. */
const isExclusive = ({ definition }: Nested): boolean => {
  const twoSided = definition['mappedBy'] !== undefined || definition['inversedBy'] !== undefined;
  return twoSided && String(definition['relation']).startsWith('one');
};

const after = (places: readonly number[]): number => Math.max(0, ...places) + 1;

/** What ties rows together in memory. Row numbers are unique among all types there. */
export function createMemoryTies(rowsOf: (type: ContentType, match: RowMatch) => readonly Row[]): MemoryTies {
  let lists = new Map<string, readonly Kept[]>();

  function seen(type: ContentType, nested: Nested): Kept[] {
    const kept = lists.get(keyOf(type, nested)) ?? [];
    if (mappedBy(nested) === undefined) return [...kept];
    const uid = nested.targets[0]!;
    return kept.map(({ owner, target, order, back }) => ({
      owner: target,
      target: owner,
      uid,
      order: back,
      back: order,
    }));
  }

  function keep(type: ContentType, nested: Nested, list: readonly Kept[]): void {
    const { uid } = type;
    const turned = ({ owner, target, order, back }: Kept): Kept => ({
      owner: target,
      target: owner,
      uid,
      order: back,
      back: order,
    });
    lists.set(keyOf(type, nested), mappedBy(nested) === undefined ? list : list.map(turned));
  }

  const shown = ({ owner, target, uid, back }: Kept): Tie => ({ owner, target, uid, back });

  const listOf = (type: ContentType, nested: Nested, owner: number): Kept[] =>
    seen(type, nested)
      .filter((tie) => tie.owner === owner)
      .sort(byOrder);

  const ties = (type: ContentType, nested: Nested, owners: readonly number[]): Tie[] =>
    seen(type, nested)
      .filter(({ owner }) => owners.includes(owner))
      .sort(byOrder)
      .map(shown);

  const tiesTo = (type: ContentType, nested: Nested, uid: string, targets: readonly number[]): Tie[] =>
    seen(type, nested)
      .filter((tie) => tie.uid === uid && targets.includes(tie.target))
      .sort(byOrder)
      .map(shown);

  function tie(type: ContentType, nested: Nested, tyings: readonly Tying[]): void {
    let list = seen(type, nested);
    for (const { owner, targets, rivals } of tyings) {
      const losing = new Set(rivals ? rowIds(rowsOf(type, rivals)) : list.map((tie) => tie.owner));
      const taken = new Set(isExclusive(nested) ? targets.map(({ target }) => target) : []);
      const own = list.filter((tie) => tie.owner === owner);
      list = list.filter((tie) => tie.owner !== owner && !(taken.has(tie.target) && losing.has(tie.owner)));
      for (const [index, { target, uid, back }] of targets.entries()) {
        const known = own.find((tie) => tie.target === target && tie.uid === uid);
        const end = after(list.filter((tie) => tie.target === target && tie.uid === uid).map((tie) => tie.back));
        list.push({ owner, target, uid, order: index + 1, back: back ?? known?.back ?? end });
      }
    }
    keep(type, nested, list);
  }

  return {
    retie(type, nested, { uid, from, to }) {
      const list = seen(type, nested);
      const leadsTo = (target: number) => (tie: Kept) => tie.target === target && tie.uid === uid;
      const both = new Set(list.filter(leadsTo(to)).map(({ owner }) => owner));
      const isMoved = (tie: Kept): boolean => leadsTo(from)(tie) && !both.has(tie.owner);
      keep(
        type,
        nested,
        list.map((tie) => (isMoved(tie) ? { ...tie, target: to } : tie)),
      );
    },
    handOver(type, through, { from, to }) {
      for (const nested of through) {
        const list = seen(type, nested).map((tie) => (tie.owner === from ? { ...tie, owner: to } : tie));
        keep(type, nested, list);
      }
    },
    before: (type, nested, owners, target, most) =>
      owners.flatMap((owner) => {
        const list = listOf(type, nested, owner);
        const at = list.findIndex((tie) => tie.target === target);
        return list.slice(0, Math.max(0, at)).reverse().slice(0, most).map(shown);
      }),
    place(type, nested, owner, target, after) {
      const list = listOf(type, nested, owner);
      const moved = list.find((tie) => tie.target === target)!;
      const others = list.filter((tie) => tie !== moved);
      others.splice(others.findIndex((tie) => tie.target === after) + 1, 0, moved);
      const placed = others.map((tie, index) => ({ ...tie, order: index + 1 }));
      keep(type, nested, [...seen(type, nested).filter((tie) => tie.owner !== owner), ...placed]);
    },
    ties,
    tiesTo,
    tiesOf: (all) =>
      all.map((sought) =>
        'owners' in sought
          ? ties(sought.type, sought.nested, sought.owners)
          : tiesTo(sought.type, sought.nested, sought.uid, sought.targets),
      ),
    tie,
    tieAll(all) {
      for (const { type, nested, tyings } of all) tie(type, nested, tyings);
    },
    forget(rows) {
      const gone = new Set(rows);
      const remains = ({ owner, target }: Kept): boolean => !gone.has(owner) && !gone.has(target);
      lists = new Map([...lists].map(([key, list]) => [key, list.filter(remains)]));
    },
    mark() {
      const before = new Map(lists);
      return () => {
        lists = before;
      };
    },
  };
}
