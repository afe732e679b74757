import type { ContentRegistry, ContentType } from '../content-type';
import { rowId } from '../row-id';
import type { Row, StoreTransaction } from '../store';
import { type RowTree, readTree } from './row-tree';

/** Finds a component that a row holds, at any depth, by the number that a body gives. */
export type StoredParts = (type: ContentType, id: number) => Promise<Row | undefined>;

/** What a row holds is read when it is first asked for. Components that others hold are not found: who asks need not see them. */
export function storedPartsOf(
  type: ContentType,
  row: Row | undefined,
  reading: { readonly transaction: StoreTransaction; readonly registry: ContentRegistry },
): StoredParts {
  let held: Promise<RowTree> | undefined;
  return async (part, id) => {
    if (!row) return undefined;
    held ??= readTree(type, [rowId(row)], reading);
    for (const level of await held) {
      const found = level.get(part)?.rows.get(id);
      if (found) return found;
    }
    return undefined;
  };
}
