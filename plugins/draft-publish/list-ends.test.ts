import type { Given } from '../../core';
import { client, watchStatements } from '../sql/store/database-app.fixture';
import { versionsApp } from './versions-app.fixture';

// A part of a list that others make longer, whose rows have versions and whose links stand in any order.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const typeFile = (name: string, options: object, attributes: object): [string, object] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  {
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options,
    attributes: { name: { type: 'string' }, ...attributes },
  },
];
const relation = (form: string, target: string, other: object): object => ({
  type: 'relation',
  relation: form,
  target: `api::${target}.${target}`,
  ...other,
});
const toWriter = (list: string): object => ({ writer: relation('manyToOne', 'writer', { inversedBy: list }) });
const app = versionsApp(
  Object.fromEntries([
    typeFile('post', { draftAndPublish: true }, toWriter('posts')),
    typeFile('note', {}, toWriter('notes')),
    typeFile(
      'writer',
      {},
      {
        posts: relation('oneToMany', 'post', { mappedBy: 'writer' }),
        notes: relation('oneToMany', 'note', { mappedBy: 'writer' }),
      },
    ),
  ]),
);

const lengths = { idle: 0, rare: 3, common: 90 };
/** As programs may leave them: far from whole, equal, missing. */
const orders = [0.1 + 0.2, 1 / 3, 1e15 + 0.3, 7.000000000000001, 7, 12, 12, 12];

beforeAll(async () => {
  const { documents, database } = app();
  for (const [name, length] of Object.entries(lengths)) {
    const writer = (await documents.of('api::writer.writer').create({ name }))['documentId'];
    for (let at = 0; at < length; at++) {
      const data = { name: `${name}${at}`, writer };
      const status = at % 3 === 0 ? 'draft' : 'published';
      await documents.of('api::post.post').create(data, { parameters: { status } });
      await documents.of('api::note.note').create(data);
    }
  }
  const reorder = async (name: string, found: readonly (number | null)[]): Promise<void> => {
    const links = await database.rows({ sql: `select id from ${name}s_writer_lnk` }, []);
    for (const [at, [id]] of links.entries()) {
      const order = found[(at * 7) % 11];
      const sql = `update ${name}s_writer_lnk set ${name}_ord = ${order} where id = ${id}`;
      if (order !== undefined) await database.transaction(async ({ run }) => run({ sql }, []));
    }
  };
  await reorder('post', orders);
  await reorder('note', [null, ...orders]);
}, 60_000);

const targets = { posts: 'api::post.post', notes: 'api::note.note' };
type List = keyof typeof targets;

/** The part that is asked for of each writer's list. */
async function partsOf(list: List, given: Given): Promise<Record<string, string[]>> {
  const { documents, registry } = app();
  const named = { key: 'name', attribute: 'name' };
  const { json } = await documents.read({
    action: 'find',
    type: registry.get('api::writer.writer'),
    rights: 'system',
    query: {
      window: () => ({ start: 0, limit: 100, total: false }),
      shown: {
        entries: [named, { key: 'list', nested: list, given: 0, of: { [targets[list]]: [named] } }],
        given: [given],
      },
    },
  });
  const writers = JSON.parse(json.toString()) as { name: string; list: { name: string }[] }[];
  return Object.fromEntries(writers.map((writer) => [writer.name, writer.list.map(({ name }) => name)]));
}

test.each([
  ['posts', 60],
  ['notes', 90],
] as const)(
  'every part of a list of %s is that of the whole list',
  async (name, length) => {
    const whole = await partsOf(name, {});
    expect(whole['common']).toHaveLength(length);
    for (const start of [0, 1, 2, 5, 29, 59, 60, 89, 200])
      for (const limit of [0, 1, 2, 3, 10, 30, 59, 60, 61, 100, Number.MAX_SAFE_INTEGER]) {
        const cut = (list: readonly string[]): string[] => list.slice(start, start + limit);
        const expected = Object.fromEntries(Object.entries(whole).map(([writer, list]) => [writer, cut(list)]));
        expect([start, limit, await partsOf(name, { window: { start, limit } })]).toEqual([start, limit, expected]);
      }
  },
  60_000,
);

test('a part is found where its documents are sorted or chosen', async () => {
  const whole = (await partsOf('posts', {}))['common']!;
  const sorted = [...whole].sort();
  const window = { start: 2, limit: 4 };
  expect((await partsOf('posts', { sort: 'name:asc', window }))['common']).toEqual(sorted.slice(2, 6));
  const chosen = whole.filter((name) => name.includes('1'));
  expect((await partsOf('posts', { filters: { name: { $contains: '1' } }, window }))['common']).toEqual(
    chosen.slice(2, 6),
  );
});

(client === 'mysql' ? test : test.skip)('rows behind a part are not read', async () => {
  const { database } = app();
  let text = '';
  const unwatch = watchStatements(database, (sql) => {
    if (sql.includes('posts_writer_lnk')) text = sql;
  });
  await partsOf('posts', { window: { start: 0, limit: 5 } });
  unwatch();
  const numbers = [0, 5, 5, 5, 100, 0];
  const sql = `analyze format=json ${text.replaceAll('?', () => String(numbers.shift()))}`;
  const [[analysis]] = (await database.rows({ sql }, [])) as [[string]];
  // Rows of links that an index has are no more than its entries.
  let read = 0;
  JSON.parse(
    analysis,
    (_, value: { access_type?: string; using_index?: boolean; r_loops?: number; r_rows?: number }) => {
      if (value?.access_type && !value.using_index) read += value.r_loops! * value.r_rows!;
      return value;
    },
  );
  expect(read).toBeLessThan(60);
});
