import {
  attributeOf,
  type Choice,
  type Chosen,
  type ContentType,
  documentKey,
  type Row,
  type StoreTransaction,
} from '../../core';
import { hasDrafts, publishedAt } from './status';

export type Version = 'draft' | 'published';

const choiceOf = (version: Version): Choice => ({ present: version === 'published' });

export const versionOf = (row: Row): Version => (row[publishedAt] === null ? 'draft' : 'published');

/** The choices that find one version of the variant that a row is of: the same in all other dimensions. */
export function versionBeside(type: ContentType, row: Row, version: Version): Chosen[] {
  return type.dimensions.map(({ attribute: { name } }) => {
    const attribute = attributeOf(type, name);
    if (name === publishedAt) return { attribute, choice: choiceOf(version) };
    const value = row[name];
    return {
      attribute,
      choice: typeof value === 'string' || typeof value === 'number' ? { is: value } : { present: false },
    };
  });
}

/** Tells two rows of one type's variants apart, but for their version. */
export const variantKey = (type: ContentType, row: Row): string =>
  [
    row['documentId'],
    ...type.dimensions
      .filter(({ attribute }) => attribute.name !== publishedAt)
      .map(({ attribute }) => row[attribute.name]),
  ].join(' ');

const documentOf = ({ documentId }: Row): string => String(documentId);

/** What tells which version of what a row is. */
export const versionNames = (type: ContentType): string[] => [
  'id',
  'documentId',
  ...type.dimensions.map(({ attribute }) => attribute.name),
];

const rowsBeside = (transaction: StoreTransaction, type: ContentType, ids: readonly number[]): Row[] | Promise<Row[]> =>
  transaction.rows(type, { documentOf: ids }, versionNames(type));

function twinsAmong(
  type: ContentType,
  rows: readonly Row[],
  ids: readonly number[],
  version: Version,
): Map<number, number> {
  const wanted = rows.filter((row) => versionOf(row) === version);
  const byVariant = new Map(wanted.map((row) => [variantKey(type, row), Number(row['id'])]));
  const asked = new Set(ids);
  const twins = new Map<number, number>();
  for (const row of rows) {
    const twin = byVariant.get(variantKey(type, row));
    if (twin !== undefined && asked.has(Number(row['id']))) twins.set(Number(row['id']), twin);
  }
  return twins;
}

/**
 * For each row, the row of the same document and variant in a version; rows of types without drafts are their own.
 * Rows that have no such twin are left out.
 */
export async function twinsOf(
  transaction: StoreTransaction,
  type: ContentType,
  ids: readonly number[],
  version: Version,
): Promise<Map<number, number>> {
  if (!hasDrafts(type.definition)) return new Map(ids.map((id) => [id, id]));
  if (ids.length === 0) return new Map();
  return twinsAmong(type, await rowsBeside(transaction, type, ids), ids, version);
}

/**
 * The published twins of rows that had none, once those who write their documents just now are done: who publishes one does not
 * see yet what links it from a version that is not committed.
 */
export async function awaitedTwins(
  transaction: StoreTransaction,
  type: ContentType,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const documents = new Set((await transaction.rows(type, { id: ids }, ['id', 'documentId'])).map(documentOf));
  await transaction.lock(...[...documents].map((documentId) => ({ shared: documentKey(type, documentId) })));
  return twinsOf(transaction, type, ids, 'published');
}

export type Twins = (type: ContentType, ids: readonly number[], version: Version) => Promise<Map<number, number>>;

/** Finds twins while rows of one type change, if any do: those of the others are read once. */
export function twinsBut(changing: ContentType | undefined, transaction: StoreTransaction): Twins {
  const known = new Map<ContentType, Map<number, Row>>();
  return async (type, ids, version) => {
    if (type === changing || !hasDrafts(type.definition)) return twinsOf(transaction, type, ids, version);
    const rows = known.get(type) ?? new Map<number, Row>();
    known.set(type, rows);
    const unknown = ids.filter((id) => !rows.has(id));
    if (unknown.length > 0)
      for (const row of await rowsBeside(transaction, type, unknown)) rows.set(Number(row['id']), row);
    return twinsAmong(type, [...rows.values()], ids, version);
  };
}
