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

/** Where a tie comes to stand in a list whose end is noted, not known. */
export interface NotedPlace {
  /** The name of that note. */
  readonly end: string;
  /** How many places behind that end: 1 for the first tie that is added to the list. */
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
    // Counted as the database counts from what it noted, to the last digit.
    tie.back = from + (behind + 1);
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

/** More ties than this are not worth noted places: each takes its part of the statement's text. */
const mostNoted = 100;

/**
 * The places that ties get in these lists, named by the notes of their ends; undefined where others that are added have places
 * in them already, which may lie behind the ends.
 */
export function placesBehind(
  all: readonly AddedTies[],
  notes: ReadonlyMap<string, string>,
): ReadonlyMap<AddedTie, NotedPlace> | undefined {
  const counts = new Map<string, number>();
  const places = new Map<AddedTie, NotedPlace>();
  for (const { kept, added } of all)
    for (const tie of added) {
      if (kept.order !== undefined && notes.has(listKey(kept, kept.order, tie.owner))) return undefined;
      const end = kept.back === undefined ? undefined : notes.get(listKey(kept, kept.back, tie.target));
      if (end === undefined) continue;
      if (tie.back !== undefined) return undefined;
      const behind = (counts.get(end) ?? 0) + 1;
      counts.set(end, behind);
      places.set(tie, { end, behind });
    }
  return places.size <= mostNoted ? places : undefined;
}

/**
 * Names for notes of the ends of lists, each within its side of its table: so the text that adds ties to one table doesn't
 * depend on what is added to others.
 */
export function createNoteNames(): (lists: readonly (readonly [key: string, list: OwnList])[]) => Map<string, string> {
  const sides = new Map<string, number>();
  return (lists) => {
    const counts = new Map<number, number>();
    const names = new Map<string, string>();
    for (const [key, { kept }] of lists) {
      const name = `${kept.table} ${kept.back}`;
      const side = sides.get(name) ?? sides.size;
      sides.set(name, side);
      const at = counts.get(side) ?? 0;
      counts.set(side, at + 1);
      names.set(key, `end${side}_${at}`);
    }
    return names;
  };
}
