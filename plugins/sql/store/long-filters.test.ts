import type { Knex } from 'knex';
import { client } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// What a short request may ask a database to compare: all of a list with each of that list. DATABASE_CLIENT=postgres or mysql
// runs these tests on a server at 127.0.0.1.

const typeFile = (name: string, attributes: object): [string, object] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  { info: { singularName: name, pluralName: `${name}s` }, attributes: { name: { type: 'string' }, ...attributes } },
];
const relation = (kind: string, name: string, more: object): object => ({
  type: 'relation',
  relation: kind,
  target: `api::${name}.${name}`,
  ...more,
});
const files = Object.fromEntries([
  typeFile('post', { writer: relation('manyToOne', 'writer', { inversedBy: 'posts' }) }),
  typeFile('writer', { posts: relation('oneToMany', 'post', { mappedBy: 'writer' }) }),
]);

/** Looked at pair by pair, they would take minutes. */
const posts = 20_000;

let app: LinkedApp;

async function fill(knex: Knex): Promise<void> {
  const [{ id: _, h_live: _live, h_loc: _locale, ...post }] = await knex('posts').select();
  const [{ id: writer }] = await knex('writers').select('id');
  const rows = Array.from({ length: posts }, (_, at) => ({ ...post, document_id: `post${at}`, name: `p${at}` }));
  await knex.batchInsert('posts', rows, 400);
  const written = await knex('posts').select('id').whereNot({ document_id: post.document_id });
  const links = written.map(({ id }, at) => ({ post_id: id, writer_id: writer, post_ord: at + 2 }));
  await knex.batchInsert('posts_writer_lnk', links, 400);
  // As the server does by itself soon.
  if (client === 'postgres') await knex.raw('analyze');
}

beforeAll(async () => {
  app = await openLinkedApp(files);
  const writer = await app.documents.of('api::writer.writer').create({ name: 'w' });
  await app.documents.of('api::post.post').create({ name: 'first', writer: writer['documentId'] as string });
  await fill(app.database.knex());
}, 60_000);
afterAll(() => app.remove());

const find = (type: string, filters: object) =>
  app.documents
    .of(`api::${type}.${type}`)
    .find({ filters, sort: 'name', window: () => ({ start: 0, limit: 2, total: true }) });

const none = { name: 'nobody' };

test.each([
  ['post', { writer: { posts: none } }, 0],
  ['post', { writer: { posts: { writer: none } } }, 0],
  ['post', { writer: { posts: { writer: { posts: none } } } }, 0],
  ['post', { writer: { posts: { writer: { posts: { $or: [none, { name: 'p7' }] } } } } }, 2],
  ['writer', { posts: { writer: { posts: none } } }, 0],
] as const)(
  '%s: what is tied to a list of what is tied is found at once: %j',
  async (type, filters, expected) => {
    const begun = performance.now();
    expect(await find(type, filters)).toHaveLength(expected);
    expect(performance.now() - begun).toBeLessThan(4_000);
  },
  60_000,
);

const onSqlite = client === 'sqlite' ? test : test.skip;

onSqlite(
  'many conditions have a few seconds',
  async () => {
    const each = Array.from({ length: 4_000 }, (_, at) => ({ name: { $containsi: `${at} no such name ${at}` } }));
    const refusal = { status: 503, message: expect.stringContaining('ended the statement') };
    await expect(find('post', { $or: each })).rejects.toMatchObject(refusal);
  },
  60_000,
);
