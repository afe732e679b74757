import { type ContentRegistry, type ContentType, type Problem, problem } from '../../core';
import type { Database } from './database/database';
import type { Layout } from './layout/layout';

/** Rows without `publishedAt`, which only drafts lack, of types that have no drafts. */
export interface LeftoverDrafts {
  readonly type: ContentType;
  readonly table: string;
  /** Whether some document has a published version, too: then it is there twice. */
  readonly isDoubled: boolean;
}

const attribute = 'publishedAt';

interface Kept {
  readonly type: ContentType;
  readonly table: string;
}

/** The types that show whatever their tables hold, published or not. */
function withoutVersions({ documents }: ContentRegistry, { types }: Layout): Kept[] {
  return documents
    .filter(
      (type) => type.attributes.has(attribute) && type.dimensions.every((each) => each.attribute.name !== attribute),
    )
    .map((type) => ({ type, table: types[type.uid]!.table }));
}

/** Looks for drafts from a time when a type had such: one statement, which finds none at the begin of an index. */
export async function findLeftoverDrafts(
  { rows, dialect }: Pick<Database, 'rows' | 'dialect'>,
  registry: ContentRegistry,
  layout: Layout,
): Promise<LeftoverDrafts[]> {
  const kept = withoutVersions(registry, layout);
  if (kept.length === 0) return [];
  const [publishedAt, documentId] = [dialect.id('published_at'), dialect.id('document_id')];
  const sql = kept
    .map(({ table }, at) => {
      const name = dialect.id(table);
      const published = `select 1 from ${name} p where p.${documentId}=d.${documentId} and p.${publishedAt} is not null`;
      const draft = `select 1 from ${name} d where d.${publishedAt} is null`;
      return `select ${at} n,case when exists(${draft} and exists(${published})) then 1 else 0 end doubled from (select 1 one) x${at} where exists(${draft})`;
    })
    .join(' union all ');
  const found = await rows({ sql }, []);
  return found.map(([at, doubled]) => ({ ...kept[Number(at)]!, isDoubled: Number(doubled) === 1 }));
}

const remedyFor = ({ table }: LeftoverDrafts): string =>
  `Set options.draftAndPublish to true, or delete the rows of the table ${table} whose published_at is null.`;

/** What would show documents twice, and drafts to everybody: that is refused. */
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
