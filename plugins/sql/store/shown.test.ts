import type { Given, Shown, ShownEntry } from '../../../core';
import { client, watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const typeFile = (singular: string, attributes: object, more: object = {}) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    { kind: 'collectionType', info: { singularName: singular, pluralName: `${singular}s` }, attributes, ...more },
  ] as const;
const link = (relation: string, target: string) => ({ type: 'relation', relation, target: `api::${target}.${target}` });

const files = Object.fromEntries([
  typeFile('shop', {
    name: { type: 'string' },
    visits: { type: 'biginteger' },
    opened: { type: 'timestamp' },
    mood: { type: 'enumeration', enum: ['so-so', 'fine'] },
    goods: link('manyToMany', 'good'),
    owner: link('manyToOne', 'owner'),
  }),
  typeFile('good', { name: { type: 'string' }, price: { type: 'integer' }, maker: link('manyToOne', 'owner') }),
  typeFile('owner', { name: { type: 'string' } }),
]);

let app: LinkedApp;
const goods: string[] = [];

beforeAll(async () => {
  app = await openLinkedApp(files);
  const make = async (uid: string, data: object): Promise<string> =>
    String((await app.documents.of(uid).create(data as Record<string, unknown>))['documentId']);
  const owners = [await make('api::owner.owner', { name: 'Zoe' }), await make('api::owner.owner', { name: 'Abe' })];
  for (let at = 0; at < 12; at += 1)
    goods.push(await make('api::good.good', { name: `g${at}`, price: 100 - at, maker: owners[at % 2] }));
  const [visits, opened] = ['9007199254740993', '2024-02-03T10:20:30.000Z'];
  await make('api::shop.shop', { name: 'A "b"', visits, opened, mood: 'so-so', goods, owner: owners[0] });
  await make('api::shop.shop', { name: 'C', visits: '12', mood: 'fine', goods: goods.slice(3, 5) });
}, 60_000);
afterAll(() => app.remove());

async function shown(entries: readonly ShownEntry[], given: readonly Given[] = []): Promise<unknown> {
  const query: { shown: Shown; window: () => { start: number; limit: number; total: boolean } } = {
    shown: { shape: JSON.stringify(entries), entries, given },
    window: () => ({ start: 0, limit: 10, total: false }),
  };
  const type = app.registry.get('api::shop.shop');
  const answer = await app.documents.read({ action: 'find', type, query, rights: 'system' });
  const json = answer.json.toString();
  expect(JSON.stringify(JSON.parse(json))).toBe(json);
  return JSON.parse(json);
}

const name: ShownEntry = { key: 'name', attribute: 'name' };
const goodsOf = (key: string, given: number): ShownEntry => ({
  key,
  nested: 'goods',
  given,
  of: { 'api::good.good': [{ key: 'n', attribute: 'name' }] },
});
const named = (...names: readonly number[]) => names.map((at) => ({ n: `g${at}` }));

test('keys in their order, under the names that the adapter gives, with what is the same everywhere', async () => {
  expect(
    JSON.stringify(
      await shown([
        { key: 'kind', text: '"Shop"' },
        { key: 'b', attribute: 'name' },
        { key: 'group', inside: [name, { key: 'empty', inside: [] }] },
        { key: 'a', attribute: 'mood' },
      ]),
    ),
  ).toBe(
    '[{"kind":"Shop","b":"A \\"b\\"","group":{"name":"A \\"b\\"","empty":{}},"a":"so-so"},{"kind":"Shop","b":"C","group":{"name":"C","empty":{}},"a":"fine"}]',
  );
});

test('values as others are spelt', async () => {
  expect(
    await shown([
      { key: 'id', attribute: 'id', spelling: { as: 'biginteger' } },
      { key: 'visits', attribute: 'visits', spelling: { as: 'exactNumber' } },
      { key: 'opened', attribute: 'opened', spelling: { as: 'datetime' } },
      { key: 'mood', attribute: 'mood', spelling: { words: { 'so-so': 'so_so' } } },
    ]),
  ).toEqual([
    {
      id: expect.stringMatching(/^\d+$/),
      visits: '9007199254740993',
      opened: '2024-02-03T10:20:30.000Z',
      mood: 'so_so',
    },
    { id: expect.stringMatching(/^\d+$/), visits: 12, opened: null, mood: 'fine' },
  ]);
});

test('a list under two names, each with a part, an order and a condition of its own', async () => {
  const given: Given[] = [
    { window: { start: 0, limit: 3 } },
    { window: { start: 10, limit: 5 } },
    { window: { start: 1, limit: 2 }, sort: ['price'] },
    { window: { start: 0, limit: 2 }, sort: 'maker.name,price:desc', filters: { price: { $lt: 98 } } },
    { filters: { name: { $in: ['g3', 'g9'] } } },
  ];
  const entries = ['first', 'last', 'cheap', 'made', 'all'].map((key, index) => goodsOf(key, index));
  expect(await shown(entries, given)).toEqual([
    { first: named(0, 1, 2), last: named(10, 11), cheap: named(10, 9), made: named(3, 5), all: named(3, 9) },
    { first: named(3, 4), last: [], cheap: named(3), made: named(3, 4), all: named(3) },
  ]);
});

test('a part of a list inside of a part of a list', async () => {
  const inner: ShownEntry = {
    key: 'maker',
    nested: 'maker',
    given: 1,
    of: { 'api::owner.owner': [{ key: 'name', attribute: 'name' }] },
  };
  const outer: ShownEntry = { key: 'goods', nested: 'goods', given: 0, of: { 'api::good.good': [name, inner] } };
  expect(await shown([outer], [{ window: { start: 0, limit: 1 }, sort: 'price' }, {}])).toEqual([
    { goods: [{ name: 'g11', maker: { name: 'Abe' } }] },
    { goods: [{ name: 'g4', maker: { name: 'Zoe' } }] },
  ]);
});

test('what is wrong with one entry says which it is', async () => {
  const refused = (given: Given) => shown([goodsOf('a', 0), goodsOf('b', 1)], [{}, given]);
  await expect(refused({ sort: 'nope' })).rejects.toMatchObject({ given: 1, cause: { message: 'Invalid key nope' } });
  await expect(refused({ filters: { price: { $between: [1] } } })).rejects.toMatchObject({ given: 1 });
  await expect(refused({ filters: { nope: 1 } })).rejects.toMatchObject({ given: 1 });
});

test('what has no order comes first, in whole lists and in parts of them', async () => {
  const knex = app.database.knex();
  await knex('shops_goods_lnk').where({ good_ord: 3 }).update({ good_ord: null });
  try {
    const [whole] = (await shown([goodsOf('goods', 0)], [{}])) as object[];
    const [part] = (await shown([goodsOf('goods', 0)], [{ window: { start: 0, limit: 4 } }])) as object[];
    expect(whole).toEqual({ goods: named(2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11) });
    expect(part).toEqual({ goods: named(2, 0, 1, 3) });
  } finally {
    await knex('shops_goods_lnk').whereNull('good_ord').update({ good_ord: 3 });
  }
});

test('what lacks the value that a part of a list is ordered by comes first, or last', async () => {
  const knex = app.database.knex();
  const { price } = await knex('goods').where({ name: 'g5' }).first('price');
  await knex('goods').where({ name: 'g5' }).update({ price: null });
  await knex('goods').where({ name: 'g6' }).update({ price: -1 });
  try {
    const part = async (sort: string, start: number): Promise<unknown> =>
      ((await shown([goodsOf('goods', 0)], [{ window: { start, limit: 3 }, sort }])) as object[])[0];
    expect(await part('price', 0)).toEqual({ goods: named(5, 6, 11) });
    expect(await part('price:desc', 9)).toEqual({ goods: named(11, 6, 5) });
  } finally {
    await knex('goods').where({ name: 'g5' }).update({ price });
    await knex('goods')
      .where({ name: 'g6' })
      .update({ price: price - 1 });
  }
});

(client === 'postgres' ? test : test.skip)('a part of a list comes in its order out of an index', async () => {
  const statements: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
  await shown([goodsOf('goods', 0)], [{ window: { start: 0, limit: 5 } }]).finally(unwatch);
  const plan = await app.database.transaction(async (connection) => {
    // Of a table with a few rows it would rather read all of them, by whatever way.
    for (const way of ['seqscan', 'bitmapscan', 'hashjoin'])
      await connection.run({ sql: `set local enable_${way}=off` }, []);
    const rows = await connection.rows({ sql: `explain (costs off) ${statements[0]}` }, []);
    return rows.map(([line]) => String(line)).join('\n');
  });
  expect(plan).toMatch(/Limit\n.*Nested Loop\n.*Index Only Scan using h_shops_goods_lnk_shop_id_idx/);
});
