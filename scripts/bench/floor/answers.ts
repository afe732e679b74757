import type BetterSqlite3 from 'better-sqlite3';
import { article, author, blocks, blockTables, category, file, type Row, section, seo, tag } from './columns';

// By hand, as somebody would write it who needs these three answers and nothing else: prepared statements, one for each
// thing that is linked, objects, JSON.stringify.

const pageSize = 25;
const isPublished = 'published_at is not null';

type Database = BetterSqlite3.Database;

interface Link {
  readonly owner: number;
}

/** Rows by the article that they are linked to, in the order in which they came. */
function grouped(rows: readonly (Row & Partial<Link>)[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const owner = row['owner'] as number;
    const group = groups.get(owner);
    if (group) group.push(row);
    else groups.set(owner, [row]);
  }
  return groups;
}

const places = Array.from({ length: pageSize }, () => '?').join(',');

const linked = (table: string, target: string, column: string, order: string, condition = ''): string =>
  `select r.*, l.article_id as owner from ${table} l join ${target} r on r.id=l.${column} where l.article_id in (${places})${condition} order by l.${order}`;

const parts = (table: string, field: string): string =>
  `select r.*, l.entity_id as owner from articles_cmps l join ${table} r on r.id=l.cmp_id where l.entity_id in (${places}) and +l.field='${field}' order by l."order", l.id`;

const media = `select r.*, l.related_id as owner, l.field from files_related_mph l join files r on r.id=l.file_id where l.related_id in (${places}) and l.related_type='api::article.article' order by l."order"`;

export function createAnswers(database: Database) {
  const prepare = (sql: string) => database.prepare<unknown[], Row>(sql);
  const page = prepare(`select * from articles where ${isPublished} order by id limit ${pageSize}`);
  const single = prepare(`select * from articles where document_id=? and ${isPublished}`);
  const count = database.prepare<[], number>(`select count(*) from articles where ${isPublished}`).pluck();
  const statements = {
    authors: prepare(linked('articles_author_lnk', 'authors', 'author_id', 'id')),
    leads: prepare(linked('articles_lead_lnk', 'authors', 'author_id', 'id')),
    categories: prepare(
      linked('articles_categories_lnk', 'categories', 'category_id', 'category_ord', ` and r.${isPublished}`),
    ),
    tags: prepare(linked('articles_tags_lnk', 'tags', 'tag_id', 'tag_ord')),
    related: prepare(
      linked('articles_related_lnk', 'articles', 'inv_article_id', 'article_ord', ` and r.${isPublished}`),
    ),
    seo: prepare(parts('components_shared_seos', 'seo')),
    sections: prepare(parts('components_shared_sections', 'sections')),
    zone: prepare(
      `select l.entity_id as owner, l.cmp_id as id, l.component_type as uid from articles_cmps l where l.entity_id in (${places}) and +l.field='zone' order by l."order", l.id`,
    ),
    media: prepare(media),
  };

  const blockRows = Object.fromEntries(
    Object.entries(blockTables).map(([uid, table]) => [
      uid,
      prepare(`select * from ${table} where id in (select value from json_each(?))`),
    ]),
  );

  function zones(ids: readonly unknown[]): Map<number, Row[]> {
    const entries = statements.zone.all(...ids);
    const found = new Map<string, Row>();
    for (const [uid, statement] of Object.entries(blockRows)) {
      const wanted = entries.filter((entry) => entry['uid'] === uid).map(({ id }) => id);
      const rows = statement.all(JSON.stringify(wanted));
      for (const row of rows) found.set(`${uid} ${row['id']}`, blocks[uid]!(row) as Row);
    }
    return grouped(
      entries.map((entry) => ({ owner: entry['owner'] as number, ...found.get(`${entry['uid']} ${entry['id']}`) })),
    );
  }

  const withoutOwner = ({ owner: _owner, ...row }: Row): Row => row;

  function populated(rows: readonly Row[]): object[] {
    const ids = rows.map(({ id }) => id);
    const filled = [...ids, ...Array.from({ length: pageSize - ids.length }, () => null)];
    const of = (statement: BetterSqlite3.Statement<unknown[], Row>) => grouped(statement.all(...filled));
    const authors = of(statements.authors);
    const leads = of(statements.leads);
    const categories = of(statements.categories);
    const tags = of(statements.tags);
    const related = of(statements.related);
    const seos = of(statements.seo);
    const sections = of(statements.sections);
    const files = of(statements.media);
    const zone = zones(filled);
    return rows.map((row) => {
      const id = row['id'] as number;
      const one = (group: Map<number, Row[]>, show: (row: Row) => object) => {
        const [first] = group.get(id) ?? [];
        return first ? show(first) : null;
      };
      const many = (group: Map<number, Row[]>, show: (row: Row) => object) => (group.get(id) ?? []).map(show);
      const own = (files.get(id) ?? []) as Row[];
      const [cover] = own.filter(({ field }) => field === 'cover');
      return {
        ...article(row),
        cover: cover ? file(cover) : null,
        gallery: own.filter(({ field }) => field === 'gallery').map(file),
        author: one(authors, author),
        categories: many(categories, category),
        tags: many(tags, tag),
        related: many(related, article),
        lead: one(leads, author),
        seo: one(seos, seo),
        sections: many(sections, section),
        zone: (zone.get(id) ?? []).map(withoutOwner),
      };
    });
  }

  const envelope = (data: readonly object[]): string => {
    const total = count.get()!;
    const pagination = { page: 1, pageSize, pageCount: Math.ceil(total / pageSize), total };
    return JSON.stringify({ data, meta: { pagination } });
  };

  const list = '/api/articles';
  const lists = new Map([
    [list, () => envelope(page.all().map(article))],
    [`${list}?populate=*`, () => envelope(populated(page.all()))],
  ]);
  const one = (id: string): string | undefined => {
    const row = single.get(id);
    return row && JSON.stringify({ data: article(row), meta: {} });
  };

  /** The answer to what a path with its query asks for, if it is one of these. */
  return (url: string): string | undefined => {
    const listed = lists.get(url);
    if (listed) return listed();
    return url.startsWith(`${list}/`) ? one(url.slice(list.length + 1)) : undefined;
  };
}
