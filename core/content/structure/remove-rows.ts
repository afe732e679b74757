import type { ContentRegistry, ContentType } from '../content-type';
import { isPart, type Nested, otherSideOf } from '../nested';
import type { NestedTyings, StoreTransaction } from '../store';
import { grouped } from './grouped';
import { partsAmong, tiesAmong } from './row-tree';

interface Removing {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

/** Kept without a foreign key: nothing else notices when the row goes. */
const isLoose = (nested: Nested): boolean =>
  nested.storage === 'attached' || nested.storage === 'morph' || otherSideOf(nested) !== undefined;

const concernsRemoval = (nested: Nested): boolean => isPart(nested) || isLoose(nested);

/** Deletes rows with all their components, at any depth. Their links go with them. */
export const removeRows = (type: ContentType, rows: readonly number[], removing: Removing): Promise<void> =>
  removeAll(rows.length > 0 ? new Map([[type, rows]]) : new Map(), removing);

/** The same for rows of several types: the statements depend on the depth and the types, not on the number of rows. */
export async function removeAll(rows: ReadonlyMap<ContentType, readonly number[]>, removing: Removing): Promise<void> {
  const { transaction, registry } = removing;
  const levels: ReadonlyMap<ContentType, readonly number[]>[] = [];
  for (let level = rows; level.size > 0; ) {
    levels.push(level);
    const ties = await tiesAmong(level, concernsRemoval, transaction);
    const loose: NestedTyings[] = [];
    for (const [type, own] of ties) {
      for (const [nested, list] of own) {
        if (!isLoose(nested)) continue;
        const tyings = [...grouped(list, ({ owner }) => owner)].map(([owner, current]) => ({
          owner,
          targets: [],
          current,
        }));
        if (tyings.length > 0) loose.push({ type, nested, tyings });
      }
    }
    if (loose.length > 0) await transaction.tieAll(loose);
    level = partsAmong(ties, registry);
  }
  for (const level of levels.reverse()) for (const [type, ids] of level) await transaction.delete(type, { id: ids });
}
