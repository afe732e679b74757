import { type FixtureApp, fixtureApp } from './fixture-app.fixture';

let app: FixtureApp;
const ids: Record<string, string> = {};

beforeAll(async () => {
  app = await fixtureApp();
  for (const label of ['red', 'blue'])
    ids[label] = String((await app.documents.of('api::tag.tag').create({ label }))['documentId']);
  const products = [
    ['A', 10.1, 3, true, 'basic', '2020-01-15', ['red', 'blue']],
    ['B', 20.2, 5, false, 'plus', '2021-06-01', ['red']],
    ['C', 30.3, null, true, 'basic', null, []],
    ['D', null, 7, null, null, '2019-03-09', ['blue']],
  ] as const;
  for (const [name, price, stock, available, line, released, tags] of products)
    await app.documents
      .of('api::product.product')
      .create({ name, sku: name, price, stock, available, line, released, tags: tags.map((tag) => ids[tag]!) });
});
afterAll(() => app.remove());

async function aggregate(selection: string, args = '', variables?: object): Promise<unknown> {
  const declared = variables ? 'query ($f: ProductFiltersInput)' : '';
  const given = variables ? '(filters: $f)' : args;
  const { body } = await app.ask(
    `${declared} { products_connection${given} { aggregate { ${selection} } } }`,
    variables,
  );
  expect(body.errors).toBeUndefined();
  return body.data.products_connection.aggregate;
}

test('numbers, over all documents that match, whatever the page', async () => {
  const told = 'count avg { price stock } sum { price stock } min { price released } max { stock released }';
  expect(await aggregate(told, '(pagination: { limit: 1 })')).toEqual({
    count: 4,
    avg: { price: 20.2, stock: 5 },
    sum: { price: 60.6, stock: 15 },
    min: { price: 10.1, released: '2019-03-09' },
    max: { stock: 7, released: '2021-06-01' },
  });
  expect(await aggregate(told, '(filters: { name: { eq: "none" } })')).toEqual({
    count: 0,
    avg: { price: null, stock: null },
    sum: { price: null, stock: null },
    min: { price: null, released: null },
    max: { stock: null, released: null },
  });
});

test('groups by a value, ordered by it, with their documents and what these come to', async () => {
  const bucket =
    '{ key connection { aggregate { count max { price } } nodes { name } pageInfo { total pageCount } __typename } }';
  expect(await aggregate(`groupBy { line ${bucket} }`)).toEqual({
    groupBy: {
      line: [
        {
          key: 'basic',
          connection: {
            aggregate: { count: 2, max: { price: 30.3 } },
            nodes: [{ name: 'A' }, { name: 'C' }],
            pageInfo: { total: 2, pageCount: 1 },
            __typename: 'ProductEntityResponseCollection',
          },
        },
        {
          key: 'plus',
          connection: {
            aggregate: { count: 1, max: { price: 20.2 } },
            nodes: [{ name: 'B' }],
            pageInfo: { total: 1, pageCount: 1 },
            __typename: 'ProductEntityResponseCollection',
          },
        },
      ],
    },
  });
  expect(await aggregate('groupBy { line { key } }', '(filters: { name: { eq: "none" } })')).toEqual({
    groupBy: { line: [] },
  });
});

test('documents without the value are a group where that is asked for', async () => {
  expect(await aggregate('groupBy { available(nulls: true) { key connection { aggregate { count } } } }')).toEqual({
    groupBy: {
      available: [
        { key: null, connection: { aggregate: { count: 1 } } },
        { key: false, connection: { aggregate: { count: 1 } } },
        { key: true, connection: { aggregate: { count: 2 } } },
      ],
    },
  });
});

test('a document is in the group of each of its related documents', async () => {
  const told = (await aggregate(
    'groupBy { tags(nulls: true) { key connection(sort: "name:desc") { nodes { n: name tags { label } } } } }',
  )) as {
    groupBy: { tags: { key: string | null; connection: { nodes: { n: string }[] } }[] };
  };
  const byKey = new Map(told.groupBy.tags.map(({ key, connection }) => [key, connection.nodes.map(({ n }) => n)]));
  expect(byKey).toEqual(
    new Map<string | null, string[]>([
      [null, ['C']],
      [ids['red']!, ['B', 'A']],
      [ids['blue']!, ['D', 'A']],
    ]),
  );
  expect(told.groupBy.tags.map(({ key }) => key)).toEqual([null, ...[ids['red']!, ids['blue']!].sort()]);
});

test('narrowing keeps a group, and groups are in groups', async () => {
  expect(
    await aggregate(
      'groupBy { line { key dear: connection(filters: { price: { gt: 25 } }) { aggregate { count sum { price } groupBy { available { key connection { aggregate { count } } } } } } } }',
    ),
  ).toEqual({
    groupBy: {
      line: [
        {
          key: 'basic',
          dear: {
            aggregate: {
              count: 1,
              sum: { price: 30.3 },
              groupBy: { available: [{ key: true, connection: { aggregate: { count: 1 } } }] },
            },
          },
        },
        { key: 'plus', dear: { aggregate: { count: 0, sum: { price: null }, groupBy: { available: [] } } } },
      ],
    },
  });
});

test('the number of statements is that of the questions in the text', async () => {
  const query =
    '{ products_connection { nodes { name } aggregate { count avg { price } groupBy { line { key connection { nodes { name tags { label } } aggregate { count } } } tags { key } } } } }';
  await app.ask(query);
  // Nodes, numbers, two kinds of groups, and in one of them nodes and numbers.
  expect(await app.statements(() => app.ask(query))).toBe(6);
});

test('filters in variables, aliases, and mistakes', async () => {
  expect(
    await aggregate('n: count a: avg { p: price } b: avg { stock }', '', { f: { line: { eq: 'basic' } } }),
  ).toEqual({
    n: 2,
    a: { p: 20.2 },
    b: { stock: 3 },
  });
  const { body } = await app.ask(
    '{ products_connection { aggregate { groupBy { line { connection(sort: "nope") { nodes { name } } } } } } }',
  );
  expect(body.errors).toMatchObject([{ message: 'Invalid key nope', path: ['products_connection'] }]);
});

describe('more groups than there may be', () => {
  let few: FixtureApp;
  beforeAll(async () => {
    few = await fixtureApp({ graphql: { config: { groupLimit: 3, defaultLimit: 2 } } });
    for (const [name, stock] of Object.entries({ A: 1, B: 1, C: 2, D: 3, E: 3 }))
      await few.documents.of('api::product.product').create({ name, sku: name, stock });
  });
  afterAll(() => few.remove());

  const groups = (selection: string, args = ''): string =>
    `{ products_connection${args} { aggregate { groupBy { ${selection} } } } }`;
  const message =
    'There are too many groups by name. The maximum is 3: ask for less, or raise groupLimit in config/plugins.';

  test('are refused, before anything in them is read', async () => {
    const told = groups(`name { key connection { nodes { name } aggregate { count } } }`);
    await few.ask(groups('stock { key }'));
    await few.statements(() => few.ask(told));
    const asked = async () => {
      const { status, body } = await few.ask(told);
      expect([status, body.errors[0].message]).toEqual([400, message]);
    };
    expect(await few.statements(asked)).toBe(1);
    const beside = await few.ask(`${told.slice(0, -1)} products { name } }`);
    expect([beside.status, beside.body.errors[0].message]).toEqual([200, message]);
  });

  test('are none where filters leave no more', async () => {
    const filters = '(filters: { name: { in: ["A", "B", "C"] } })';
    const { body } = await few.ask(groups('name { key }', filters));
    expect(body.data.products_connection.aggregate.groupBy.name).toEqual([{ key: 'A' }, { key: 'B' }, { key: 'C' }]);
  });

  test('are counted in all groups around them together', async () => {
    const { body } = await few.ask(groups('stock { key connection { aggregate { groupBy { name { key } } } } }'));
    expect(body.errors[0].message).toBe(message);
  });

  test('show no more documents than so many usual pages', async () => {
    const pages = (limit: number) =>
      few.ask(groups(`stock { connection(pagination: { limit: ${limit} }) { nodes { name } } }`));
    expect((await pages(2)).body.errors).toBeUndefined();
    expect((await pages(3)).body.errors[0].message).toBe(
      'Too many documents are asked for, 3 in each of 3 groups. The maximum is 6: ask for less, or raise groupLimit in config/plugins.',
    );
  });

  test('nor do those of several root fields together', async () => {
    const each = `products_connection { aggregate { groupBy { stock { connection(pagination: { limit: 1 }) { nodes { name } } } } } }`;
    expect((await few.ask(`{ a: ${each} b: ${each} }`)).body.errors).toBeUndefined();
    expect((await few.ask(`{ a: ${each} b: ${each} c: ${each} }`)).body.errors[0].message).toBe(
      'Too many documents are asked for, 1 in each of 3 groups, and 6 in others. The maximum is 6: ask for less, or raise groupLimit in config/plugins.',
    );
  });
});
