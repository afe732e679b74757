import type { ContentRegistry, ContentType } from '../content-type';
import { isPart, type Nested, otherSideOf } from '../nested';
import type { StoreTransaction, Tie } from '../store';
import { grouped } from './grouped';

interface Removing {
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

/** Kept without a foreign key: nothing else notices when the row goes. */
const isLoose = (nested: Nested): boolean =>
  nested.storage === 'attached' || nested.storage === 'morph' || otherSideOf(nested) !== undefined;

/** Deletes rows with all their components, at any depth. Their links go with them. */
export async function removeRows(type: ContentType, rows: readonly number[], removing: Removing): Promise<void> {
  if (rows.length === 0) return;
  const { transaction, registry } = removing;
  const parts: Tie[] = [];
  for (const nested of type.nested.values()) {
    if (isPart(nested)) parts.push(...(await transaction.ties(type, nested, rows)));
    else if (isLoose(nested))
      await transaction.tie(
        type,
        nested,
        rows.map((owner) => ({ owner, targets: [] })),
      );
  }
  for (const [uid, ties] of grouped(parts, (tie) => tie.uid)) {
    const partType = registry.types.get(uid);
    if (partType)
      await removeRows(
        partType,
        ties.map(({ target }) => target),
        removing,
      );
  }
  await transaction.delete(type, { id: rows });
}
