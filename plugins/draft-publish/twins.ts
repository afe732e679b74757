import {
  attributeOf,
  type Choice,
  type Chosen,
  type ContentType,
  documentKey,
  type Row,
  rowId,
  rowIds,
  type StoreTransaction,
  together,
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
export function variantKey({ dimensions }: ContentType, row: Row): string {
  let key = String(row['documentId']);
  for (const { attribute } of dimensions) if (attribute.name !== publishedAt) key += ` ${row[attribute.name] ?? ''}`;
  return key;
}

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
  const byVariant = new Map(wanted.map((row) => [variantKey(type, row), rowId(row)]));
  const asked = new Set(ids);
  const twins = new Map<number, number>();
  for (const row of rows) {
    const twin = byVariant.get(variantKey(type, row));
    if (twin !== undefined && asked.has(rowId(row))) twins.set(rowId(row), twin);
  }
  return twins;
}

/** Finds twins: for each row, the row of the same document and variant in a version. Rows of types without drafts are their own. */
export interface Twins {
  /** Rows that have no such twin are left out. */
  of(type: ContentType, ids: readonly number[], version: Version): Promise<Map<number, number>>;
  /**
   * Waits for those who write the documents of rows that are linked, if any of these rows are: they may replace or add what is
   * to be linked, and don't see who links it before he is done. Of more documents than `most`, for some or none.
   */
  wait(type: ContentType, ids: readonly number[], linked: ReadonlySet<number>, most?: number): Promise<void>;
  /** Once rows of a document have changed. */
  forget(type: ContentType, documentId: string): void;
}

/**
 * A server has room for some thousand locks in all: who links more than so many documents waits for those that aren't published
 * only, for what is replaced meanwhile makes him begin again; who links more of these waits for none.
 */
const mostAwaited = { inAll: 50, unpublished: 500 };

/** The documents of the rows that are linked, as far as they are waited for. */
function awaitedAmong(type: ContentType, rows: readonly Row[], linked: ReadonlySet<number>, most: number): string[] {
  const own = rows.filter((row) => linked.has(rowId(row)));
  const documents = new Set(own.map(documentOf));
  if (documents.size <= most) return [...documents];
  const ids = rowIds(own);
  const published = twinsAmong(type, rows, ids, 'published');
  const missing = new Set(own.filter((row) => !published.has(rowId(row))).map(documentOf));
  return missing.size > mostAwaited.unpublished ? [] : [...missing];
}

/** Rows of a type by id, and by whom they were asked for. */
interface Known {
  readonly rows: Map<number, Row>;
  readonly asked: Map<number, Promise<void>>;
}

/** Looks twins up; rows are read once, and again after waiting. */
export function createTwins(transaction: StoreTransaction): Twins {
  const known = new Map<ContentType, Known>();

  /** All that is known of a type, once that of these rows is: asked for what others have not asked for, who may still wait. */
  async function read(type: ContentType, ids: readonly number[]): Promise<Row[]> {
    const { rows, asked } = known.get(type) ?? { rows: new Map(), asked: new Map() };
    known.set(type, { rows, asked });
    const unknown = ids.filter((id) => !rows.has(id) && !asked.has(id));
    if (unknown.length > 0) {
      const reading = (async () => {
        for (const row of await rowsBeside(transaction, type, unknown)) rows.set(rowId(row), row);
      })();
      for (const id of unknown) asked.set(id, reading);
    }
    await together([...new Set(ids.map((id) => asked.get(id)))]);
    return [...rows.values()];
  }

  const own = (ids: readonly number[]): Map<number, number> => new Map(ids.map((id) => [id, id]));

  return {
    of: async (type, ids, version) =>
      hasDrafts(type.definition) ? twinsAmong(type, await read(type, ids), ids, version) : own(ids),
    async wait(type, ids, linked, most = mostAwaited.inAll) {
      if (!hasDrafts(type.definition)) return;
      const keys = awaitedAmong(type, await read(type, ids), linked, most).map((id) => ({
        shared: documentKey(type, id),
      }));
      if (await transaction.lock(...keys)) known.delete(type);
    },
    forget(type, documentId) {
      const own = known.get(type);
      for (const [id, row] of own?.rows ?? [])
        if (documentOf(row) === documentId) {
          own!.rows.delete(id);
          own!.asked.delete(id);
        }
    },
  };
}
