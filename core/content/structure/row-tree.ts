import { flatMapped, flattened } from '../../flat-mapped';
import { together } from '../../together';
import type { ContentRegistry, ContentType } from '../content-type';
import { isOtherSide, isPart, isTwoSided, type Nested } from '../nested';
import { rowId } from '../row-id';
import type { Row, SoughtTies, StoreTransaction, Tie } from '../store';
import { grouped } from './grouped';

interface Reading {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

/** Rows of one type, with what is tied to them. */
export interface TreeRows {
  readonly rows: ReadonlyMap<number, Row>;
  /** By attribute and owner. */
  readonly ties: ReadonlyMap<Nested, ReadonlyMap<number, readonly Tie[]>>;
}

/** Rows with all that they hold: first themselves, then their components, then those of the components, and so on. */
export type RowTree = readonly ReadonlyMap<ContentType, TreeRows>[];

/** Ties to other rows, or to components; other variants of the same document are tied by nothing. */
export const isTied = ({ storage }: Nested): boolean => storage !== 'variants';

/** May tie a row of the type to another one of the same, so that its ties are those of another attribute, too. */
export function mayLeadHome(type: ContentType, nested: Nested): boolean {
  if (isPart(nested)) return false;
  if (nested.targets.length === 0) return true;
  if (!nested.targets.includes(type.uid)) return false;
  return isTwoSided(nested) || [...type.nested.values()].some((other) => isOtherSide(other, nested));
}

/**
 * Looks up the ties of rows of several types through those of their attributes that are asked for, all in one go. Those that
 * wait to be added may have no place yet in the own lists of what they lead to.
 */
export async function tiesAmong(
  rows: ReadonlyMap<ContentType, readonly number[]>,
  isSought: (nested: Nested, type: ContentType) => boolean,
  transaction: StoreTransaction,
): Promise<Map<ContentType, Map<Nested, Tie[]>>> {
  const sought = flatMapped(rows, ([type, owners]) =>
    flatMapped(type.nested.values(), (nested) =>
      isSought(nested, type) ? [{ type, nested, owners, needsNoPlaces: true }] : [],
    ),
  ) satisfies SoughtTies[];
  const found = sought.length > 0 ? await transaction.tiesOf(sought) : [];
  const ties = new Map<ContentType, Map<Nested, Tie[]>>([...rows.keys()].map((type) => [type, new Map()]));
  for (const [at, { type, nested }] of sought.entries()) ties.get(type)!.set(nested, found[at]!);
  return ties;
}

/** The components that ties lead to, by type; those of types that are no longer there are left out. */
export function partsAmong(
  ties: ReadonlyMap<ContentType, ReadonlyMap<Nested, readonly Tie[]>>,
  { types }: ContentRegistry,
): Map<ContentType, number[]> {
  const parts = new Map<ContentType, number[]>();
  for (const own of ties.values()) {
    for (const [nested, list] of own) {
      if (!isPart(nested)) continue;
      for (const [uid, some] of grouped(list, (tie) => tie.uid)) {
        const type = types.get(uid);
        if (type) parts.set(type, [...(parts.get(type) ?? []), ...some.map(({ target }) => target)]);
      }
    }
  }
  return parts;
}

type OwnTies = ReadonlyMap<Nested, ReadonlyMap<number, readonly Tie[]>>;

/** For the many attributes that tie nothing. */
const nothing: ReadonlyMap<number, readonly Tie[]> = new Map();

const byOwner = (ties: ReadonlyMap<Nested, readonly Tie[]>): OwnTies =>
  new Map([...ties].map(([nested, list]) => [nested, list.length > 0 ? grouped(list, ({ owner }) => owner) : nothing]));

function those<Value>(all: ReadonlyMap<number, Value>, isOwn: (id: number) => boolean): ReadonlyMap<number, Value> {
  for (const id of all.keys()) if (!isOwn(id)) return new Map([...all].filter(([each]) => isOwn(each)));
  return all;
}

/** What belongs to some of the rows that were read. The peer leaves ties of components behind that are gone. */
function treeRows(all: ReadonlyMap<number, Row>, ties: OwnTies, ids: readonly number[]): TreeRows {
  const asked = new Set(ids);
  const rows = those(all, (id) => asked.has(id));
  const isOwn = (id: number): boolean => rows.has(id);
  return { rows, ties: new Map([...ties].map(([nested, lists]) => [nested, those(lists, isOwn)])) };
}

function partTiesOf({ ties }: TreeRows): Map<Nested, Tie[]> {
  const parts = new Map<Nested, Tie[]>();
  for (const [nested, lists] of ties) if (isPart(nested)) parts.set(nested, flattened(lists.values()));
  return parts;
}

/** What stands in the components of rows that were read, by type. */
function partsIn(rows: ReadonlyMap<ContentType, TreeRows>, registry: ContentRegistry): Map<ContentType, number[]> {
  const ties = new Map([...rows].map(([type, own]) => [type, partTiesOf(own)]));
  return partsAmong(ties, registry);
}

/**
 * Reads rows with what they hold, in groups that hold nothing together: for each level one statement for all ties, and at the same
 * time one for the rows of each type.
 */
export async function readTrees(
  type: ContentType,
  groups: readonly (readonly number[])[],
  { transaction, registry }: Reading,
): Promise<RowTree[]> {
  const trees = groups.map((): Map<ContentType, TreeRows>[] => []);
  let levels = groups.map((rows) => new Map([[type, rows]]));
  while (levels.some(({ size }) => size > 0)) {
    const ids = new Map<ContentType, number[]>();
    for (const level of levels) for (const [each, own] of level) ids.set(each, [...(ids.get(each) ?? []), ...own]);
    const types = [...ids.keys()];
    const [found, ties] = await together([
      together(types.map((each) => transaction.rows(each, { id: ids.get(each)! }))),
      tiesAmong(ids, isTied, transaction),
    ]);
    const rows = new Map(types.map((each, at) => [each, new Map(found[at]!.map((row) => [rowId(row), row]))]));
    const tied = new Map(types.map((each) => [each, byOwner(ties.get(each)!)]));
    levels = levels.map((level, at) => {
      if (level.size === 0) return level;
      const own = new Map([...level].map(([each, some]) => [each, treeRows(rows.get(each)!, tied.get(each)!, some)]));
      trees[at]!.push(own);
      return partsIn(own, registry);
    });
  }
  return trees;
}

/** The same for one group. */
export const readTree = async (type: ContentType, rows: readonly number[], reading: Reading): Promise<RowTree> =>
  (await readTrees(type, [rows], reading))[0]!;
