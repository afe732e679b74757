import { flatMapped } from '../../flat-mapped';
import type { ContentRegistry, ContentType } from '../content-type';
import { isPart, type Nested, otherSideOf } from '../nested';
import type { NestedTyings, StoreTransaction, Tie } from '../store';
import { grouped } from './grouped';
import { partsAmong, tiesAmong } from './row-tree';
import type { RowInTree, StandingTies } from './standing-ties';

interface Removing {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

/** Kept without a foreign key: nothing else notices when the row goes. */
const isLoose = (nested: Nested): boolean =>
  nested.storage === 'attached' || nested.storage === 'morph' || otherSideOf(nested) !== undefined;

const concernsRemoval = (nested: Nested): boolean => isPart(nested) || isLoose(nested);

export type RowsOfTypes = ReadonlyMap<ContentType, readonly number[]>;

/** What is to be deleted: rows with all their components, level by level, and the ties that don't go with them. */
export interface Removal {
  readonly levels: readonly RowsOfTypes[];
  readonly loose: readonly NestedTyings[];
}

const rowsOf = (type: ContentType, rows: readonly number[]): RowsOfTypes =>
  rows.length > 0 ? new Map([[type, rows]]) : new Map();

/** Deletes rows with all their components, at any depth. Their links go with them. */
export const removeRows = (type: ContentType, rows: readonly number[], removing: Removing): Promise<void> =>
  removeAll(rowsOf(type, rows), removing);

/** The same for rows of several types: the statements depend on the depth and the types, not on the number of rows. */
export const removeAll = async (rows: RowsOfTypes, removing: Removing): Promise<void> =>
  carryOutRemoval(await removalAmong(rows, removing), removing.transaction);

type TiesOfTypes = ReadonlyMap<ContentType, ReadonlyMap<Nested, readonly Tie[]>>;

/** Those among ties that don't go with their rows. */
const looseAmong = (ties: TiesOfTypes): NestedTyings[] =>
  flatMapped(ties, ([type, own]) =>
    flatMapped(own, ([nested, list]) => {
      if (!isLoose(nested) || list.length === 0) return [];
      const lists = grouped(list, ({ owner }) => owner);
      return [{ type, nested, tyings: [...lists].map(([owner, current]) => ({ owner, targets: [], current })) }];
    }),
  );

async function removalAmong(rows: RowsOfTypes, { transaction, registry }: Removing): Promise<Removal> {
  const levels: RowsOfTypes[] = [];
  const loose: NestedTyings[] = [];
  for (let level = rows; level.size > 0; ) {
    levels.push(level);
    const ties = await tiesAmong(level, concernsRemoval, transaction);
    loose.push(...looseAmong(ties));
    level = partsAmong(ties, registry);
  }
  return { levels, loose };
}

/** What goes with a row whose tree is read, but for what another row takes over. */
export function removalIn(
  type: ContentType,
  { row, tree }: RowInTree,
  taken: StandingTies,
  registry: ContentRegistry,
): Removal {
  const levels: RowsOfTypes[] = [];
  const loose: NestedTyings[] = [];
  for (let level = rowsOf(type, [row]); level.size > 0; ) {
    const read = tree[levels.length];
    levels.push(level);
    const ties = new Map(
      [...level].map(([each, rows]) => [
        each,
        new Map(
          [...(read?.get(each)?.ties ?? [])]
            .filter(([nested]) => concernsRemoval(nested) && !taken.has(nested))
            .map(([nested, lists]) => [nested, flatMapped(rows, (owner) => lists.get(owner) ?? [])]),
        ),
      ]),
    );
    loose.push(...looseAmong(ties));
    level = partsAmong(ties, registry);
  }
  return { levels, loose };
}

/** Deletes what was looked up; what is gone by then is no trouble. */
export async function carryOutRemoval({ levels, loose }: Removal, transaction: StoreTransaction): Promise<void> {
  if (loose.length > 0) await transaction.tieAll(loose);
  for (const level of [...levels].reverse())
    for (const [type, ids] of level) await transaction.delete(type, { id: ids });
}
