import type { AddedTie } from './tie-changes';
import type { TieTable } from './tie-table';

/** Ties that are added to one table, as one attribute has them. */
export interface AddedTies {
  readonly kept: TieTable;
  readonly added: readonly AddedTie[];
}

/** A target's own list, which the column `back` of its ties orders. */
export interface OwnList {
  readonly kept: TieTable;
  readonly target: number;
  /** Whether ties are added to its end. */
  readonly isOpen: boolean;
}

/** The end of such a list, or what comes to stand there: so many places behind one that is known. */
export interface End {
  readonly from: number;
  readonly behind: number;
  /** What stands there, null where nothing does; undefined where that is not known. */
  readonly last: number | null | undefined;
}

/** By the keys of lists. */
export type Ends = ReadonlyMap<string, End>;

/** Where a tie comes to stand whose list's end is noted: behind the first, the second … of the ends, at the first, the second … place. */
export interface NotedPlace {
  readonly end: number;
  readonly behind: number;
}

/** The other side of a table orders its lists by the column that is `order` on this one. */
const listKey = ({ table }: TieTable, column: string, row: number): string => `${table} ${column} ${row}`;

/**
 * The lists that ties are added to, by their keys: attribute by attribute, and in the order of their rows, as all find them
 * who write the same.
 */
export function listsOf(all: readonly AddedTies[]): Map<string, OwnList> {
  const lists = new Map<string, OwnList>();
  for (const { kept, added } of all) {
    if (kept.back === undefined) continue;
    for (const { target, back } of [...added].sort((one, other) => one.target - other.target)) {
      const key = listKey(kept, kept.back, target);
      lists.set(key, { kept, target, isOpen: back === undefined || (lists.get(key)?.isOpen ?? false) });
    }
  }
  return lists;
}

/** Gives ties their places at the ends of lists, behind those that are added before them. */
export function givePlaces(all: readonly AddedTies[], found: Ends): void {
  const ends = new Map(found);
  /** Notes a place that was given: what is as far behind as the end stands behind it, for it came later. */
  const raise = (key: string, place: number): void => {
    const end = ends.get(key);
    if (end && place >= end.from + end.behind) ends.set(key, { from: place, behind: 0, last: undefined });
  };
  const append = (key: string, tie: AddedTie): void => {
    const { from, behind, last } = ends.get(key)!;
    tie.back = from + behind + 1;
    tie.ahead = last;
    ends.set(key, { from, behind: behind + 1, last: tie.owner });
  };
  for (const { kept, added } of all)
    for (const tie of added) {
      if (kept.back !== undefined) {
        const key = listKey(kept, kept.back, tie.target);
        if (tie.back === undefined) append(key, tie);
        else raise(key, tie.back);
      }
      if (kept.order !== undefined) raise(listKey(kept, kept.order, tie.owner), tie.order);
    }
}

/**
 * The places that ties get in these lists, by the ends as they are now; undefined where others that are added have places
 * in them already, which may lie behind the ends.
 */
export function placesBehind(
  all: readonly AddedTies[],
  lists: readonly string[],
): ReadonlyMap<AddedTie, NotedPlace> | undefined {
  const ends = new Map(lists.map((key, at) => [key, { at, count: 0 }]));
  const places = new Map<AddedTie, NotedPlace>();
  for (const { kept, added } of all)
    for (const tie of added) {
      if (kept.order !== undefined && ends.has(listKey(kept, kept.order, tie.owner))) return undefined;
      const end = kept.back === undefined ? undefined : ends.get(listKey(kept, kept.back, tie.target));
      if (!end) continue;
      if (tie.back !== undefined) return undefined;
      end.count += 1;
      places.set(tie, { end: end.at, behind: end.count });
    }
  return places;
}
