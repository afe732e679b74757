import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';

let app: FixtureApp;

beforeAll(async () => {
  app = await fixtureApp();
  const tag = await app.documents.of('api::tag.tag').create({ label: 'alpha' });
  const products = app.documents.of('api::product.product');
  await products.create({ name: 'A', sku: 'a1', released: '2021-06-01', tags: [tag['documentId']] });
  await products.create({ name: 'B', sku: 'b1', released: '2022-06-01' });
}, 60_000);
afterAll(() => app.remove());

async function found(filters: string, variables?: object): Promise<string[]> {
  const declared = variables ? '($one: String, $two: String)' : '';
  const { body } = await app.ask(`query ${declared} { products(filters: ${filters}) { sku } }`, variables);
  return body.data.products.map(({ sku }: { sku: string }) => sku);
}

test('a variable that is left out makes no branch that everything fulfils', async () => {
  const either = '{ or: [{ name: { eq: $one } }, { name: { eq: $two } }] }';
  expect(await found(either, { one: 'A' })).toEqual(['a1']);
  expect(await found(either, { one: 'A', two: 'B' })).toEqual(['a1', 'b1']);
  expect(await found(either, {})).toEqual(['a1', 'b1']);
});

const nothing = [
  '{}',
  'null',
  '{ name: {} }',
  '{ name: { not: {} } }',
  '{ tags: {} }',
  '{ tags: null }',
  '{ tags: { label: {} } }',
  '{ or: [] }',
  '{ or: [null] }',
  '{ and: [{}] }',
  '{ not: {} }',
  '{ not: null }',
  '{ not: { or: [null] } }',
];

test.each(nothing)('%s says nothing', async (empty) => {
  expect(await found(empty)).toEqual(['a1', 'b1']);
  expect(await found(`{ not: ${empty} }`)).toEqual(['a1', 'b1']);
  for (const branches of [`[{ name: { eq: "A" } }, ${empty}]`, `[${empty}, { name: { eq: "A" } }]`]) {
    expect(await found(`{ or: ${branches} }`)).toEqual(['a1']);
    expect(await found(`{ and: ${branches} }`)).toEqual(['a1']);
    expect(await found(`{ not: { or: ${branches} } }`)).toEqual(['b1']);
  }
});

test('nothing beside a condition inside of something tied is none either', async () => {
  expect(await found('{ tags: { or: [{ label: { eq: "alpha" } }, null] } }')).toEqual(['a1']);
});

test('days are compared as texts where an operator is about texts', async () => {
  for (const operator of [
    'eqi: "2021-06-01"',
    'startsWith: "2021-06-01"',
    'contains: "2021-06-01"',
    'eq: "2021-06-01"',
  ])
    expect([operator, await found(`{ released: { ${operator} } }`)]).toEqual([operator, ['a1']]);
  for (const operator of ['nei: "2021-06-01"', 'notContains: "2021-06-01"', 'not: { eq: "2021-06-01" }'])
    expect([operator, await found(`{ released: { ${operator} } }`)]).toEqual([operator, ['b1']]);
});
