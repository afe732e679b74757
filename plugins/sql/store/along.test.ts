import { client, watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const typeFile = (name: string, attributes: object): [string, object] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  {
    info: { singularName: name, pluralName: `${name}s` },
    options: {},
    attributes: { name: { type: 'string' }, ...attributes },
  },
];
const relation = (kind: string, name: string, more = {}): object => ({
  type: 'relation',
  relation: kind,
  target: `api::${name}.${name}`,
  ...more,
});
const files = Object.fromEntries([
  typeFile('post', {
    n: { type: 'integer' },
    writer: relation('manyToOne', 'writer', { inversedBy: 'posts' }),
    tags: relation('manyToMany', 'tag'),
    next: relation('oneToOne', 'post'),
  }),
  typeFile('writer', { posts: relation('oneToMany', 'post', { mappedBy: 'writer' }) }),
  typeFile('tag', {}),
]);

const posts = 24;
const writerOf = (at: number): string => (at % 5 === 0 ? 'rare' : 'common');
const tagsOf = (at: number): string[] => ['red', 'blue'].filter((_, index) => at % (index + 2) === 0);

let app: LinkedApp;
const ids = new Map<string, string>();

beforeAll(async () => {
  app = await openLinkedApp(files);
  const make = async (
    type: string,
    data: { readonly name: string; readonly [name: string]: unknown },
  ): Promise<void> => {
    ids.set(data.name, String((await app.documents.of(`api::${type}.${type}`).create(data))['documentId']));
  };
  for (const name of ['red', 'blue']) await make('tag', { name });
  for (const name of ['rare', 'common', 'idle']) await make('writer', { name });
  for (let at = 0; at < posts; at++)
    await make('post', {
      name: `p${at}`,
      n: at % 4,
      writer: ids.get(writerOf(at))!,
      tags: tagsOf(at).map((name) => ids.get(name)!),
      ...(at > 0 && { next: ids.get(`p${at - 1}`)! }),
    });
});
afterAll(() => app.remove());

interface Asked {
  readonly filters: object;
  readonly sort?: string;
  readonly start?: number;
  readonly limit?: number;
}

/** The names of a page's documents, their total, and whether links were gone along for them. */
async function page({ filters, sort, start = 0, limit = 4 }: Asked, type = 'post') {
  const texts: string[] = [];
  const unwatch = watchStatements(app.database, (text) => void texts.push(text));
  const { json, total } = await app.documents.read({
    action: 'find',
    type: app.registry.get(`api::${type}.${type}`),
    rights: 'system',
    query: { filters, ...(sort && { sort }), window: () => ({ start, limit, total: true }) },
  });
  unwatch();
  const names = (JSON.parse(json.toString()) as { name: string }[]).map(({ name }) => name);
  return { names, total, isAlong: texts.some((text) => /_lnk["`] f /.test(text)) };
}

const all = Array.from({ length: posts }, (_, at) => at);
const named = (meets: (at: number) => boolean): string[] => all.filter(meets).map((at) => `p${at}`);

test.each<[string, object, (at: number) => boolean]>([
  ['many of one writer', { writer: { name: 'common' } }, (at) => writerOf(at) === 'common'],
  ['few of one writer', { writer: { name: { $eqi: 'RARE' } } }, (at) => writerOf(at) === 'rare'],
  ['a writer by its links', { writer: { name: 'rare', posts: { name: 'p5' } } }, (at) => writerOf(at) === 'rare'],
  ['one of several tags', { tags: { name: 'blue' } }, (at) => tagsOf(at).includes('blue')],
  ['one of its own type', { next: { name: 'p7' } }, (at) => at === 8],
])('%s: every page is that of the whole list, and has its total', async (_, filters, meets) => {
  const expected = named(meets);
  for (let limit = 1; limit <= posts; limit += 3)
    for (let start = 0; start <= posts; start += 2)
      expect([start, limit, await page({ filters, start, limit })]).toEqual([
        start,
        limit,
        { names: expected.slice(start, start + limit), total: expected.length, isAlong: true },
      ]);
});

test('the other side of a link, too', async () => {
  expect(await page({ filters: { posts: { name: 'p5' } } }, 'writer')).toEqual({
    names: ['rare'],
    total: 1,
    isAlong: true,
  });
});

test.each<[string, Asked, string[]]>([
  ['several writers', { filters: { writer: { name: { $in: ['rare', 'common'] } } } }, ['p0', 'p1', 'p2', 'p3']],
  ['none', { filters: { writer: { name: 'nobody' } } }, []],
  ['a further condition', { filters: { writer: { name: 'rare' }, n: 1 } }, ['p5']],
  ['another order', { filters: { writer: { name: 'rare' } }, sort: 'name' }, ['p0', 'p10', 'p15', 'p20']],
  ['the order turned round', { filters: { writer: { name: 'rare' } }, sort: 'id:desc' }, ['p20', 'p15', 'p10', 'p5']],
  ['one writer or none', { filters: { writer: { name: { $null: true } } } }, []],
])('links are not gone along for %s', async (_, asked, names) => {
  expect(await page(asked)).toMatchObject({ names, isAlong: false });
});

const onPostgres = client === 'postgres' ? test : test.skip;

onPostgres('the index that finds the links is gone along, not one that has all columns', async () => {
  const knex = app.database.knex();
  await knex.raw(`insert into writers (document_id, name) select 'w' || n, 'w' || n from generate_series(1, 50) n`);
  await knex.raw(`insert into posts (document_id, name) select 'm' || n, 'many' from generate_series(1, 30000) n`);
  await knex.raw(`insert into posts_writer_lnk (post_id, writer_id) select p.id, w.id from posts p
    join writers w on w.name = 'w' || (1 + p.id % 50) where p.name = 'many' order by md5(p.document_id)`);
  // An index with all columns need not ask the table what is visible.
  for (const table of ['posts', 'writers', 'posts_writer_lnk']) await knex.raw(`vacuum analyze ${table}`);
  let along = '';
  const unwatch = watchStatements(app.database, (text) => {
    if (text.includes('_lnk" f ')) along = text;
  });
  await page({ filters: { writer: { name: 'rare' } } });
  unwatch();
  const given = along.replace(/\$\d+::(\w+)/g, (_, type) => (type === 'text' ? `'rare'::text` : `4::${type}`));
  const plan = await knex.transaction(async (transaction): Promise<string> => {
    // As with so many links that what was read of the table is not kept.
    await transaction.raw(`set local effective_cache_size = '8kB'`);
    const { rows } = await transaction.raw(`explain ${given}`);
    return rows.map((row: object) => Object.values(row)[0]).join('\n');
  });
  expect(plan).toMatch(/using h_posts_writer_lnk_along on posts_writer_lnk f/);
  await knex('posts').where({ name: 'many' }).delete();
  await knex('writers').where('name', 'like', 'w%').delete();
});

test('a link that is there twice, as others may write it, shows its document once', async () => {
  const knex = app.database.knex();
  const id = (name: string): string => app.database.dialect.id(name);
  await knex.raw(
    client === 'sqlite'
      ? `drop index ${id('posts_writer_lnk_uq')}`
      : `alter table ${id('posts_writer_lnk')} drop ${client === 'mysql' ? 'index' : 'constraint'} ${id('posts_writer_lnk_uq')}`,
  );
  const columns = [id('post_id'), id('writer_id')].join(',');
  await knex.raw(`insert into ${id('posts_writer_lnk')} (${columns}) select ${columns} from ${id('posts_writer_lnk')}`);
  expect(await page({ filters: { writer: { name: 'rare' } } })).toEqual({
    names: ['p0', 'p5', 'p10', 'p15'],
    total: 5,
    isAlong: true,
  });
});

test('what is chosen for a while stays right when there are more of a name, or none', async () => {
  const filters = { writer: { name: 'common' } };
  const writers = app.documents.of('api::writer.writer');
  const rename = (from: string, to: string) => writers.update(ids.get(from)!, { name: to });
  expect(await page({ filters })).toMatchObject({ total: 19, isAlong: true });
  await rename('rare', 'common');
  expect(await page({ filters })).toMatchObject({ names: ['p0', 'p1', 'p2', 'p3'], total: posts });
  await rename('rare', 'rare');
  await rename('common', 'other');
  expect(await page({ filters })).toMatchObject({ names: [], total: 0 });
  await rename('idle', 'common');
  expect(await page({ filters })).toMatchObject({ names: [], total: 0 });
});
