import {
  type Attribute,
  attributeOf,
  type Bound,
  type ContentRegistry,
  type ContentType,
  choicesOf,
  type Dimension,
  type Operation,
  type Row,
  rowId,
  type StoreTransaction,
} from '../../core';
import { localeAttribute } from './locale';
import type { Reading } from './part-trees';
import { attachmentsAsBody, shareAttachments, sharedAttachments } from './shared-attachments';
import { bodyValue, sharedAttributes } from './shared-attributes';
import { sharedParts, sharedPartsAsBody, shareParts } from './shared-parts';

function differing(shared: readonly Attribute[], from: Row, to: Row): Record<string, Bound> {
  const changed = shared.filter(({ name }) => (from[name] ?? null) !== (to[name] ?? null));
  return Object.fromEntries(changed.map(({ name }) => [name, from[name] ?? null]));
}

export interface Sharing {
  readonly operation: Operation;
  readonly documentId: string;
  readonly byDefault: string;
  readonly transaction: StoreTransaction;
  readonly registry: ContentRegistry;
}

/** The row that was written and those of the other locales, as the parameters choose them. */
async function chosenRows({ operation, documentId, byDefault, transaction }: Sharing): Promise<Row[]> {
  const { type, query } = operation;
  const chosen = choicesOf({ type, query, action: 'find' });
  const written = chosen.find(({ attribute }) => attribute.name === localeAttribute)!.choice;
  const where = chosen.filter(({ attribute }) => attribute.name !== localeAttribute);
  const rows = await transaction.rows(type, { documentId, where });
  const isWritten = (row: Row): boolean =>
    'any' in written ? true : row[localeAttribute] === ('is' in written ? written.is : byDefault);
  // What was written in several locales at once takes the values of the default one.
  const own = rows.find((row) => isWritten(row) && row[localeAttribute] === byDefault) ?? rows.find(isWritten);
  return own ? [own, ...rows.filter((row) => row !== own)] : [];
}

/** A row and those of its version in the other locales. */
async function rowsLike({ operation: { type }, documentId, transaction }: Sharing, id: number): Promise<Row[]> {
  const rows = await transaction.rows(type, { documentId });
  const own = rows.find((row) => rowId(row) === id);
  if (!own) return [];
  // Of versions that differ in time, only whether there is one says which they are.
  const kindOf = ({ attribute: { name, definition } }: Dimension, row: Row): unknown =>
    definition.type === 'datetime' ? row[name] === null : row[name];
  const isOfVersion = (row: Row): boolean =>
    type.dimensions.every(
      (dimension) => dimension.attribute.name === localeAttribute || kindOf(dimension, row) === kindOf(dimension, own),
    );
  return [own, ...rows.filter((row) => row !== own && isOfVersion(row))];
}

/**
 * Keeps the shared values equal: what was written in one locale is written to the document's other locales, as far as
 * they are of the version that the write was about.
 */
export async function shareValues(sharing: Sharing): Promise<void> {
  const { operation, transaction } = sharing;
  const { type } = operation;
  const shared = sharedAttributes(type);
  if (shared.length + sharedAttachments(type).length + sharedParts(type).length === 0) return;
  const [own, ...others] =
    operation.row === undefined ? await chosenRows(sharing) : await rowsLike(sharing, operation.row);
  if (!own) return;
  const changed = new Set([
    ...(await shareAttachments(type, own, others, transaction)),
    ...(await shareParts(type, own, others, sharing)),
  ]);
  const now = new Date().toISOString();
  for (const row of others) {
    const values = differing(shared, own, row);
    if (changed.has(row) || Object.keys(values).length > 0)
      await transaction.update(type, { id: rowId(row) }, { ...values, updatedAt: now });
  }
}

export interface Inheritance {
  readonly siblings: readonly Row[];
  readonly byDefault: string;
  /** The locale that is added. */
  readonly locale: string;
  isSameVersion(row: Row): boolean;
}

/** What a new locale takes over from the others: all that is shared, of the version that is written where it has that. */
export async function inherited(
  type: ContentType,
  { siblings, byDefault, locale, isSameVersion }: Inheritance,
  reading: Reading,
): Promise<Record<string, unknown>> {
  const rank = (row: Row): number => (isSameVersion(row) ? 0 : 2) + (row[localeAttribute] === byDefault ? 0 : 1);
  const [source] = [...siblings].sort((a, b) => rank(a) - rank(b));
  if (!source) return {};
  const values = sharedAttributes(type).map(({ name }) => [
    name,
    bodyValue(attributeOf(type, name), source[name] ?? null),
  ]);
  return {
    ...Object.fromEntries(values),
    ...(await attachmentsAsBody(type, source, reading.transaction)),
    ...(await sharedPartsAsBody(type, source, locale, reading)),
  };
}
