import { type ContentType, type Nested, type Row, rowId, rowIds, type StoreTransaction, type Tie } from '../../core';
import { isPerLocale } from './shared-attributes';

/** The attachments that a document has in common in all its locales. */
export const sharedAttachments = (type: ContentType): Nested[] =>
  [...type.nested.values()].filter(
    ({ storage, system, definition }) => storage === 'attached' && !system && !isPerLocale(definition),
  );

const targetsIn = (ties: readonly Tie[]): string => ties.map(({ target }) => target).join();

/** Keeps shared attachments equal to those of the written row; answers the rows that were changed. */
export async function shareAttachments(
  type: ContentType,
  own: Row,
  others: readonly Row[],
  transaction: StoreTransaction,
): Promise<Row[]> {
  const changed = new Set<Row>();
  if (others.length === 0) return [];
  for (const nested of sharedAttachments(type)) {
    const ties = await transaction.ties(type, nested, rowIds([own, ...others]));
    const heldBy = (row: Row): Tie[] => ties.filter(({ owner }) => owner === rowId(row));
    const wanted = heldBy(own);
    const differing = others.filter((row) => targetsIn(heldBy(row)) !== targetsIn(wanted));
    if (differing.length === 0) continue;
    const targets = wanted.map(({ target, uid }) => ({ target, uid }));
    await transaction.tie(
      type,
      nested,
      differing.map((row) => ({ owner: rowId(row), targets })),
    );
    for (const row of differing) changed.add(row);
  }
  return [...changed];
}

/** A row's shared attachments as a body would give them. */
export async function attachmentsAsBody(
  type: ContentType,
  row: Row,
  transaction: StoreTransaction,
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const nested of sharedAttachments(type)) {
    const ties = await transaction.ties(type, nested, [rowId(row)]);
    body[nested.name] = ties.map(({ target }) => ({ id: target }));
  }
  return body;
}
