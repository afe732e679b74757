import { type ContentRegistry, type ContentType, chunksOf, type Problem, problem } from '../../core';
import type { Database } from './database/database';
import type { Dialect } from './dialects/dialect';
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

function lookInto(dialect: Dialect, table: string, at: number): string {
  const name = dialect.id(table);
  const [publishedAt, documentId, locale] = ['published_at', 'document_id', 'locale'].map(dialect.id);
  const same = `p.${documentId}=d.${documentId} and coalesce(p.${locale},'')=coalesce(d.${locale},'')`;
  const published = `select 1 from ${name} p where ${same} and p.${publishedAt} is not null`;
  const draft = `select 1 from ${name} d where d.${publishedAt} is null`;
  const doubled = `case when exists(${draft} and exists(${published})) then 1 else 0 end`;
  return `select ${at} n,${doubled} doubled from (select 1 one) x${at} where exists(${draft})`;
}

/** How many tables one statement looks at. */
const mostAtOnce = 100;

/** Looks for drafts from a time when a type had such: nearly all tables have an index that begins with what drafts lack. */
export async function findLeftoverDrafts(
  { rows, dialect }: Pick<Database, 'rows' | 'dialect'>,
  registry: ContentRegistry,
  layout: Layout,
): Promise<LeftoverDrafts[]> {
  const found: LeftoverDrafts[] = [];
  for (const some of chunksOf(withoutVersions(registry, layout), mostAtOnce)) {
    const sql = some.map(({ table }, at) => lookInto(dialect, table, at)).join(' union all ');
    for (const [at, doubled] of await rows({ sql, isAskedOnce: true }, []))
      found.push({ ...some[Number(at)]!, isDoubled: Number(doubled) === 1 });
  }
  return found;
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
