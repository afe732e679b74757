import { client, watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

type Shown = Record<string, unknown>;

const link = (form: string, target: string) => ({
  type: 'relation',
  relation: form,
  target: `api::${target}.${target}`,
});
const range = (length: number): number[] => Array.from({ length }, (_, at) => at);
const record = <Value>(length: number, entry: (at: number) => [string, Value]): Record<string, Value> =>
  Object.fromEntries(range(length).map(entry));

const infoOf = (singular: string) => ({ singularName: singular, pluralName: `${singular}s`, displayName: singular });
const typeFile = (singular: string, attributes: object) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    { kind: 'collectionType', collectionName: `${singular}s`, info: infoOf(singular), attributes },
  ] as const;
const partFile = (singular: string, attributes: object) =>
  [
    `src/components/part/${singular}.json`,
    { collectionName: `components_part_${singular}s`, info: infoOf(singular), attributes },
  ] as const;

const zoneParts = 30;
const levels = 5;

/** Values of each kind in their order, the first of which is none. */
const sparse = {
  string: [null, '', 'a', 'aa', 'b'],
  text: [null, '', 'a', 'aa', 'b'],
  integer: [null, -5, 0, 3, 12],
  biginteger: [null, '-9223372036854775808', '-3', '0', '9007199254740993'],
  float: [null, -1.5, 0, 0.25, 3],
  decimal: [null, -1.5, 0, 0.25, 3],
  boolean: [null, false, true],
  date: [null, '1969-07-20', '2024-02-29'],
  datetime: [null, '1969-07-20T00:00:00.000Z', '2024-02-29T12:00:00.000Z'],
  time: [null, '00:00:00.000', '12:30:00.000'],
};

/** Thirty components in one zone, five levels of components in each other, and a type wider than any. */
const files = Object.fromEntries([
  typeFile('page', {
    name: { type: 'string' },
    links: link('manyToMany', 'leaf'),
    nest: { type: 'component', component: 'part.level1' },
    zone: { type: 'dynamiczone', components: range(zoneParts).map((at) => `part.block${at}`) },
  }),
  typeFile('leaf', { name: { type: 'string' }, note: { type: 'text' } }),
  typeFile('basket', { name: { type: 'string' }, fruits: link('oneToMany', 'fruit') }),
  typeFile('fruit', {
    name: { type: 'string' },
    ...Object.fromEntries(Object.entries(sparse).map(([type]) => [type, { type }])),
  }),
  typeFile('wide', {
    ...record(200, (at) => [`a${at}`, { type: at % 4 === 0 ? 'string' : 'integer' }]),
    ...record(70, (at) => [`r${at}`, link(at % 2 === 0 ? 'oneToOne' : 'oneToMany', 'leaf')]),
  }),
  ...range(zoneParts).map((at) =>
    partFile(`block${at}`, { [`text${at}`]: { type: 'string' }, leaf: link('oneToOne', 'leaf') }),
  ),
  ...range(levels).map((at) =>
    partFile(`level${at + 1}`, {
      name: { type: 'string' },
      leaf: link('oneToOne', 'leaf'),
      ...(at + 1 < levels && {
        nest: { type: 'component', component: `part.level${at + 2}`, repeatable: at % 2 === 0 },
      }),
    }),
  ),
]);

let app: LinkedApp;
let leaves: string[];

beforeAll(async () => {
  app = await openLinkedApp(files);
  const documents = app.documents.of('api::leaf.leaf');
  leaves = [];
  for (const at of range(1_000)) leaves.push(String((await documents.create({ name: `l${at}` }))['documentId']));
}, 60_000);
afterAll(() => app.remove());

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void seen.push(sql));
  await work();
  unwatch();
  return seen;
}

const deep = {
  links: true,
  nest: { populate: { leaf: true, nest: { populate: { leaf: true, nest: { populate: '*' } } } } },
  zone: { populate: '*' },
};

test('a list is one statement, and one for its total where the page does not tell it, whatever is populated; a document is one', async () => {
  const type = app.registry.get('api::page.page');
  const read = (query: object, documentId?: string) =>
    app.documents.read({
      action: documentId ? 'findOne' : 'find',
      type,
      query,
      rights: 'system',
      ...(documentId && { documentId }),
    });
  const window =
    (total: boolean, start = 0) =>
    () => ({ start, limit: 25, total });
  for (const populate of [undefined, '*', deep]) {
    expect(
      await statementsOf(() => read({ populate, search: `${Math.random()}`, window: window(true, 1) })),
    ).toHaveLength(2);
    expect(await statementsOf(() => read({ populate, search: `${Math.random()}`, window: window(true) }))).toHaveLength(
      1,
    );
    expect(await statementsOf(() => read({ populate, window: window(false) }))).toHaveLength(1);
    expect(await statementsOf(() => read({ populate }, 'abc'))).toHaveLength(1);
  }
});

test('a zone of thirty components keeps their order, and shows each as its own', async () => {
  const pages = app.documents.of('api::page.page');
  const zone = range(60).map((at) => ({
    __component: `part.block${(at * 7) % zoneParts}`,
    [`text${(at * 7) % zoneParts}`]: `t${at}`,
    leaf: leaves[at],
  }));
  const { documentId } = await pages.create({ name: 'zone', zone });
  const shown = await pages.findOne(String(documentId), { populate: { zone: { populate: '*' } } });
  expect(
    (shown!['zone'] as Shown[]).map(({ id, leaf, ...rest }) => ({ ...rest, leaf: (leaf as Shown)['documentId'] })),
  ).toEqual(zone);
  const on = { [`part.block7`]: { fields: 'id', filters: { text7: 't1' } } };
  const some = await pages.findOne(String(documentId), { populate: { zone: { on } } });
  expect(some!['zone']).toMatchObject([{ __component: 'part.block7' }]);
  expect(
    (await pages.findOne(String(documentId), {
      populate: { zone: { on: { 'part.block7': { filters: { text7: 'none' } } } } },
    }))!['zone'],
  ).toEqual([]);
});

test('a thousand relations of one document are all there, in their order', async () => {
  const pages = app.documents.of('api::page.page');
  const { documentId } = await pages.create({ name: 'links', links: [...leaves].reverse() });
  const shown = await pages.findOne(String(documentId), { populate: { links: { fields: 'name' } } });
  expect((shown!['links'] as Shown[]).map(({ documentId: id }) => id)).toEqual([...leaves].reverse());
  expect(await pages.findOne(String(documentId), { populate: { links: { count: true } } })).toMatchObject({
    links: { count: 1_000 },
  });
  expect(await pages.find({ filters: { links: { name: 'l999' } } })).toHaveLength(1);
});

test('five levels are shown down to the last', async () => {
  const pages = app.documents.of('api::page.page');
  const nestOf = (level: number): Shown => ({
    name: `n${level}`,
    ...(level < levels && { nest: level % 2 === 1 ? [nestOf(level + 1), nestOf(level + 1)] : nestOf(level + 1) }),
  });
  const { documentId } = await pages.create({ name: 'nest', nest: nestOf(1) });
  const populateFrom = (level: number): object => ({
    populate: level < levels - 1 ? { nest: populateFrom(level + 1) } : '*',
  });
  const shown = await pages.findOne(String(documentId), { populate: { nest: populateFrom(1) } });
  expect(shown!['nest']).toMatchObject(nestOf(1));
  const filters = { nest: { nest: { nest: { nest: { nest: { name: 'n5' } } } } } };
  expect(await pages.find({ filters, sort: 'nest.nest.nest.nest.nest.name' })).toMatchObject([{ name: 'nest' }]);
});

test('a type of two hundred attributes and seventy relations is read whole', async () => {
  const wides = app.documents.of('api::wide.wide');
  const values = record(200, (at) => [`a${at}`, at % 4 === 0 ? `v${at}` : at]);
  const links = record(70, (at) => [`r${at}`, at % 2 === 0 ? leaves[at] : [leaves[at], leaves[at + 1]]]);
  const { documentId } = await wides.create({ ...values, ...links });
  const shown = (await wides.findOne(String(documentId), { populate: '*' })) as Shown;
  expect(shown).toMatchObject(values);
  const idOf = (thing: unknown): unknown => (thing as Shown)['documentId'];
  expect(record(70, (at) => [`r${at}`, [shown[`r${at}`]].flat().map(idOf)])).toEqual(
    record(70, (at) => [`r${at}`, [links[`r${at}`]].flat()]),
  );
});

test('a list shows each document as it is shown alone', async () => {
  const pages = app.documents.of('api::page.page');
  const nest = { name: 'n1', leaf: leaves[1], nest: [{ name: 'n2', leaf: leaves[2] }, { name: 'other' }] };
  const zone = range(5).map((at) => ({ __component: `part.block${at}`, [`text${at}`]: `t${at}`, leaf: leaves[at] }));
  await pages.create({ name: 'few', links: [leaves[3], leaves[1], leaves[2]], nest, zone });
  await pages.create({ name: 'same', links: [leaves[1]], nest, zone: [...zone].reverse() });
  await pages.create({ name: 'none' });
  const oneLeaf = { filters: { name: 'l1' } };
  const part = (at: number): object => ({ filters: { [`text${at}`]: `t${at}` }, populate: { leaf: oneLeaf } });
  for (const populate of [
    '*',
    deep,
    { links: oneLeaf, nest: { populate: { leaf: oneLeaf, nest: { fields: 'name', populate: { leaf: oneLeaf } } } } },
    { links: { sort: 'name:desc', fields: 'name' }, nest: { populate: { nest: { sort: 'name' } } } },
    { links: { count: true }, zone: { on: { 'part.block1': part(1), 'part.block3': { populate: '*' } } } },
    { zone: { on: { 'part.block2': { filters: { text2: 'another' } } } }, nest: { fields: 'name' } },
  ]) {
    const listed = await pages.find({ populate, sort: 'name' });
    expect(listed.length).toBeGreaterThan(5);
    const alone = listed.map(({ documentId }) => pages.findOne(String(documentId), { populate }));
    expect(listed).toEqual(await Promise.all(alone));
  }
});

(client === 'mysql' ? test : test.skip)(
  'a document for which the server has no room is an error, and never shown without a part',
  async () => {
    const documents = app.documents.of('api::leaf.leaf');
    const pages = app.documents.of('api::page.page');
    const half = 'x'.repeat(9_000_000);
    const ids: string[] = [];
    for (const name of ['big', 'bigger'])
      ids.push(String((await documents.create({ name, note: half }))['documentId']));
    const { documentId } = await pages.create({ name: 'large', links: ids });
    await expect(pages.findOne(String(documentId), { populate: '*' })).rejects.toThrow(
      'larger than the database lets an answer be',
    );
    // What can't be answered is not written.
    const refused = 'larger than the database lets an answer be';
    await expect(pages.create({ name: 'refused', links: ids }, { populate: '*' })).rejects.toThrow(refused);
    await expect(documents.create({ name: 'refused', note: '"'.repeat(9_000_000) })).rejects.toThrow(refused);
    for (const type of [pages, documents])
      expect(await type.find({ filters: { name: 'refused' }, fields: 'name' })).toEqual([]);
    expect(await pages.findOne(String(documentId), { populate: { links: { fields: 'name' } } })).toMatchObject({
      links: [{ name: 'big' }, { name: 'bigger' }],
    });
  },
  60_000,
);

describe('a list in an order of its own shows what lacks a value before all that have one', () => {
  const fruits: { name: string; values: Record<string, unknown> }[] = [];
  const documents = () => app.documents.of('api::basket.basket');
  beforeAll(async () => {
    const ids: string[] = [];
    // Each value more than once, in an order that is none.
    for (const at of [3, 0, 7, 5, 2, 9, 1, 8, 4, 6]) {
      const values = Object.fromEntries(
        Object.entries(sparse).map(([type, all]) => [type, all[at % all.length]!] as [string, unknown]),
      );
      const name = `f${fruits.length}`;
      const { documentId } = await app.documents.of('api::fruit.fruit').create({ name, ...values });
      fruits.push({ name, values });
      ids.push(String(documentId));
    }
    await documents().create({ name: 'all', fruits: ids });
  });

  test.each(Object.entries(sparse))('%s', async (type, all) => {
    const placeOf = ({ values }: (typeof fruits)[0]): number => (all as readonly unknown[]).indexOf(values[type]);
    const up = [...fruits].sort(
      (one, other) => placeOf(one) - placeOf(other) || fruits.indexOf(one) - fruits.indexOf(other),
    );
    const down = [...fruits].sort(
      (one, other) => placeOf(other) - placeOf(one) || fruits.indexOf(one) - fruits.indexOf(other),
    );
    for (const [direction, expected] of [
      ['asc', up],
      ['desc', down],
    ] as const) {
      const [basket] = await documents().find({ populate: { fruits: { sort: `${type}:${direction}` } } });
      expect((basket!['fruits'] as { name: string }[]).map(({ name }) => name)).toEqual(
        expected.map(({ name }) => name),
      );
    }
  });

  test('links without a place come first', async () => {
    const [basket] = await documents().find({ populate: 'fruits' });
    const [first, second] = [...(basket!['fruits'] as { id: number }[])].reverse().map(({ id }) => id);
    const links = app.database.knex()('baskets_fruits_lnk');
    await links.whereIn('fruit_id', [first!, second!]).update({ fruit_ord: null });
    const id = String(basket!['documentId']);
    for (const found of [
      (await documents().find({ populate: 'fruits' }))[0],
      await documents().findOne(id, { populate: 'fruits' }),
    ])
      expect((found!['fruits'] as { id: number }[]).slice(0, 2).map((fruit) => fruit.id)).toEqual([second, first]);
  });
});
