import { type AskedGroups, type DocumentQuery, valuesIn } from '../../../core';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const typeFile = (singular: string, attributes: object) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    { kind: 'collectionType', info: { singularName: singular, pluralName: `${singular}s` }, attributes },
  ] as const;

const files = Object.fromEntries([
  typeFile('good', {
    name: { type: 'string' },
    price: { type: 'decimal' },
    weight: { type: 'float' },
    stock: { type: 'integer' },
    serial: { type: 'biginteger' },
    fresh: { type: 'boolean' },
    made: { type: 'date' },
    sold: { type: 'datetime' },
    makers: { type: 'relation', relation: 'manyToMany', target: 'api::maker.maker' },
  }),
  typeFile('maker', { name: { type: 'string' } }),
]);

let app: LinkedApp;
const makers: string[] = [];

beforeAll(async () => {
  app = await openLinkedApp(files);
  const make = async (uid: string, data: object): Promise<string> =>
    String((await app.documents.of(uid).create(data as Record<string, unknown>))['documentId']);
  for (const name of ['Abe', 'Zoe']) makers.push(await make('api::maker.maker', { name }));
  makers.sort();
  const [first, second] = makers as [string, string];
  const goods = [
    { name: 'a', price: 1.5, weight: 0.25, stock: 1, serial: '9007199254740993', fresh: true, made: '2024-01-02' },
    { name: 'b', price: 2.5, weight: 1.75, stock: 2, fresh: false, sold: '2024-02-03T10:20:30.450Z' },
    { name: 'c', stock: 1, fresh: true, made: '2023-05-06', sold: '2023-02-03T10:20:30.000Z' },
  ];
  const links = [[first, second], [first], []];
  for (const [at, good] of goods.entries()) await make('api::good.good', { ...good, makers: links[at] });
}, 60_000);
afterAll(() => app.remove());

async function grouped(groups: AskedGroups, more: DocumentQuery = {}): Promise<unknown[]> {
  const type = app.registry.get('api::good.good');
  return valuesIn<unknown>(
    await app.documents.read({ action: 'find', type, query: { ...more, groups }, rights: 'system' }),
  );
}

const by = (...names: readonly string[]): AskedGroups['by'] => names.map((name) => ({ name, nulls: false }));

test('what all documents come to', async () => {
  expect(
    await grouped({
      by: [],
      tells: [
        { of: 'count' },
        { of: 'avg', attribute: 'stock' },
        { of: 'sum', attribute: 'price' },
        { of: 'avg', attribute: 'weight' },
        { of: 'min', attribute: 'made' },
        { of: 'max', attribute: 'sold' },
        { of: 'max', attribute: 'serial' },
        { of: 'min', attribute: 'price' },
      ],
    }),
  ).toEqual([[3, expect.closeTo(4 / 3, 10), 4, 1, '2023-05-06', '2024-02-03T10:20:30.450Z', '9007199254740993', 1.5]]);
  expect(
    await grouped(
      { by: [], tells: [{ of: 'count' }, { of: 'sum', attribute: 'price' }] },
      { filters: { name: { $eq: 'none' } } },
    ),
  ).toEqual([[0, null]]);
});

test('groups by values, in their order, with those that have none where asked for', async () => {
  expect(await grouped({ by: by('stock'), tells: [{ of: 'count' }, { of: 'max', attribute: 'name' }] })).toEqual([
    [1, 2, 'c'],
    [2, 1, 'b'],
  ]);
  expect(await grouped({ by: by('made'), tells: [] })).toEqual([['2023-05-06'], ['2024-01-02']]);
  expect(await grouped({ by: [{ name: 'made', nulls: true }], tells: [{ of: 'count' }] })).toEqual([
    [null, 1],
    ['2023-05-06', 1],
    ['2024-01-02', 1],
  ]);
  expect(
    await grouped({ by: by('fresh', 'stock'), tells: [{ of: 'count' }] }, { filters: { stock: { $gt: 0 } } }),
  ).toEqual([
    [false, 2, 1],
    [true, 1, 2],
  ]);
  expect(await grouped({ by: by('sold'), tells: [] })).toEqual([
    ['2023-02-03T10:20:30.000Z'],
    ['2024-02-03T10:20:30.450Z'],
  ]);
});

test('no more groups than are asked for, and one by which others know that there are more', async () => {
  const most = (number: number) => grouped({ by: by('stock', 'name'), tells: [{ of: 'count' }], most: number });
  expect(await most(1)).toEqual([
    [1, 'a', 1],
    [1, 'c', 1],
  ]);
  const all = [
    [1, 'a', 1],
    [1, 'c', 1],
    [2, 'b', 1],
  ];
  expect(await most(2)).toEqual(all);
  expect(await most(1_000_000)).toEqual(all);
  expect(await grouped({ by: by('makers'), tells: [], most: 0 })).toEqual([[makers[0]]]);
});

test('groups by the documents that are tied', async () => {
  expect(await grouped({ by: by('makers'), tells: [{ of: 'count' }, { of: 'sum', attribute: 'price' }] })).toEqual([
    [makers[0], 2, 4],
    [makers[1], 1, 1.5],
  ]);
  expect(await grouped({ by: [{ name: 'makers', nulls: true }], tells: [{ of: 'count' }] })).toEqual([
    [null, 1],
    [makers[0], 2],
    [makers[1], 1],
  ]);
});

test('a part of the documents of each group, sorted and shown as asked', async () => {
  const shown = { shape: 'names', entries: [{ key: 'n', attribute: 'name' }], given: [] };
  const part = (start: number, limit: number) =>
    grouped(
      { by: by('fresh'), tells: [], part: { start, limit } },
      { shown, sort: 'name:desc', filters: { stock: { $lt: 9 } } },
    );
  expect(await part(0, 5)).toEqual([
    [false, { n: 'b' }],
    [true, { n: 'c' }],
    [true, { n: 'a' }],
  ]);
  expect(await part(1, 1)).toEqual([[true, { n: 'a' }]]);
  expect(
    await grouped({ by: by('makers'), tells: [], part: { start: 0, limit: 1 } }, { shown, sort: 'makers.name,name' }),
  ).toEqual([
    [makers[0], { n: 'a' }],
    [makers[1], { n: 'a' }],
  ]);
});

test('what can not be told of is refused', async () => {
  const refused = (groups: AskedGroups) => expect(grouped(groups)).rejects;
  await refused({ by: by('nope'), tells: [] }).toMatchObject({ name: 'ValidationError' });
  await refused({ by: [], tells: [{ of: 'sum', attribute: 'name' }] }).toMatchObject({ name: 'ValidationError' });
});
