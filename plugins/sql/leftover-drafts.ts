import { type ContentRegistry, type ContentType, chunksOf, type Problem, problem } from '../../core';
import type { Database } from './database/database';
import type { Layout } from './layout/layout';

interface Kept {
  readonly type: ContentType;
  readonly table: string;
}

/** Rows without `publishedAt`, which only drafts lack, of types that have no drafts. */
export interface LeftoverDrafts extends Kept {
  /** Whether some document has a published version, too: then it is there twice. */
  readonly isDoubled: boolean;
}

const attribute = 'publishedAt';

/** The types that show whatever their tables hold, published or not. */
function withoutVersions({ documents }: ContentRegistry, { types }: Layout): Kept[] {
  return documents
    .filter(
      (type) => type.attributes.has(attribute) && type.dimensions.every((each) => each.attribute.name !== attribute),
    )
    .map((type) => ({ type, table: types[type.uid]!.table }));
}

/** How many tables one statement looks at. */
const mostAtOnce = 100;

/** Of the types, those for whose table the select finds something. */
async function finding(
  { rows }: Pick<Database, 'rows'>,
  types: readonly Kept[],
  select: (table: string) => string,
): Promise<Kept[]> {
  const found: Kept[] = [];
  for (const some of chunksOf(types, mostAtOnce)) {
    const selects = some.map(
      ({ table }, at) => `select ${at} n from (select 1 one) x${at} where exists(${select(table)})`,
    );
    const sql = selects.join(' union all ');
    for (const [at] of await rows({ sql, isAskedOnce: true }, [])) found.push(some[Number(at)]!);
  }
  return found;
}

/**
 * Looks for drafts from a time when a type had such: nearly all tables have an index that begins with what drafts lack. Only
 * where there are some it asks for their published versions, for to plan that takes a server longer than to look.
 */
export async function findLeftoverDrafts(
  database: Pick<Database, 'rows' | 'dialect'>,
  registry: ContentRegistry,
  layout: Layout,
): Promise<LeftoverDrafts[]> {
  const { id } = database.dialect;
  const [publishedAt, documentId, locale] = ['published_at', 'document_id', 'locale'].map(id);
  const draftIn = (table: string): string => `select 1 from ${id(table)} d where d.${publishedAt} is null`;
  const same = `p.${documentId}=d.${documentId} and coalesce(p.${locale},'')=coalesce(d.${locale},'')`;
  const leftover = await finding(database, withoutVersions(registry, layout), draftIn);
  const doubled = await finding(
    database,
    leftover,
    (table) =>
      `${draftIn(table)} and exists(select 1 from ${id(table)} p where ${same} and p.${publishedAt} is not null)`,
  );
  return leftover.map((each) => ({ ...each, isDoubled: doubled.includes(each) }));
}

const remedyFor = ({ table }: LeftoverDrafts): string =>
  `Set options.draftAndPublish to true, or delete the rows of the table ${table} whose published_at is null: with them go documents that were never published.`;

/** Where drafts stand beside what is published, they surely are such: documents would be there twice. */
export const refusalsOf = (leftover: readonly LeftoverDrafts[]): Problem[] =>
  leftover
    .filter(({ isDoubled }) => isDoubled)
    .map((each) => {
      const what = `has no drafts any more, but its table ${each.table} holds some: these documents would be there twice, and who may read them would see what was never published.`;
      return problem(each.type.definition.file, what, remedyFor(each), 'options.draftAndPublish');
    });

/** What may as well have been written by others, without a moment of publication. */
export const noticesOf = (leftover: readonly LeftoverDrafts[]): string[] =>
  leftover
    .filter(({ isDoubled }) => !isDoubled)
    .map((each) => {
      const { type, table } = each;
      return `${type.uid} has no drafts, but its table ${table} holds rows without published_at, as drafts are: they are shown. If they are left from a time when it had drafts: ${remedyFor(each)}`;
    });
