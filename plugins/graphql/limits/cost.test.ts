import { getIntrospectionQuery } from 'graphql';
import { mostCost } from '../config';
import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';

let app: FixtureApp;

beforeAll(async () => {
  app = await fixtureApp();
});
afterAll(() => app.remove());

const most = 200_000;
const refused = (cost: number): object => ({
  status: 400,
  body: {
    errors: [
      {
        message: `The query may answer ${cost} entries. The maximum is ${most}: ask for smaller pages.`,
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ],
  },
});

const page = (limit: number | string): string => `(pagination: { limit: ${limit} })`;
const three = (limit: number | string): string =>
  `{ articles${page(limit)} { related${page(limit)} { related${page(limit)} { title } } } }`;

test('pages in pages are refused before anything is read', async () => {
  // Who asks is known by then.
  await app.ask('{ __typename }');
  expect(await app.statements(async () => expect(await app.ask(three(100))).toMatchObject(refused(1_010_100)))).toBe(0);
  expect(await app.ask(three(-1))).toMatchObject(refused(1_010_100));
  expect(await app.ask(three(1_000_000))).toMatchObject(refused(1_010_100));
  expect((await app.ask(three(10))).status).toBe(200);
  expect((await app.ask(`{ articles${page(-1)} { related${page(-1)} { related { title } } } }`)).status).toBe(200);
});

test('also where the pages are in variables, lists in connections, and fields in fragments', async () => {
  const query = `query ($n: Int) ${three('$n')}`;
  expect((await app.ask(query, { n: 10 })).status).toBe(200);
  expect(await app.ask(query, { n: 100 })).toMatchObject(refused(1_010_100));
  const connections = `query ($p: PaginationArg) { articles_connection(pagination: $p) { nodes {
    related_connection(pagination: $p) { nodes { ...A } } } } } fragment A on Article { related(pagination: $p) { title } }`;
  expect((await app.ask(connections, { p: { limit: 10 } })).status).toBe(200);
  expect(await app.ask(connections, { p: { pageSize: 100 } })).toMatchObject(refused(1_010_100));
});

test('also where resolvers answer: in groups, and in what a mutation answers', async () => {
  const inGroups = (limit: number): string =>
    `{ articles_connection { aggregate { count groupBy { tags { key connection${page(limit)} {
      nodes { related${page(limit)} { related${page(limit)} { title } } } } } } } } }`;
  expect((await app.ask(inGroups(10))).status).toBe(200);
  // One for what groups, and ten groups.
  expect(await app.ask(inGroups(100))).toMatchObject(refused(1 + 10 * (1 + 1_010_100)));
  const written = `mutation { createArticle(data: { title: "x" }) { title related${page(100)} { related${page(100)} { related${page(100)} { title } } } } }`;
  expect(await app.ask(written)).toMatchObject(refused(1_010_101));
  expect((await app.ask('{ articles { title } }')).body).toEqual({ data: { articles: [] } });
});

test('root fields, and what one name stands for several times, are added up once each', async () => {
  const one = `articles${page(100)} { tags${page(100)} { label } }`;
  const many = (count: number): string => `{ ${Array.from({ length: count }, (_, at) => `a${at}: ${one}`).join(' ')} }`;
  expect((await app.ask(many(19))).status).toBe(200);
  expect(await app.ask(many(20))).toMatchObject(refused(202_000));
  expect((await app.ask(`{ ${one} ${one.repeat(30)} }`)).status).toBe(200);
  const more = three(100).slice(2, -2).replace(') {', ') @include(if: $yes) {');
  const condition = `query ($yes: Boolean!) { articles { title } more: ${more} }`;
  expect((await app.ask(condition, { yes: false })).status).toBe(200);
  expect(await app.ask(condition, { yes: true })).toMatchObject(refused(1_010_110));
});

test.each([
  ['below a root field', 'query ($x: Boolean = true) { articles { documentId title @include(if: $x) } }'],
  ['at a root field', 'query ($x: Boolean = true) { articles @skip(if: $x) { documentId } }'],
  ['in a mutation', 'mutation ($x: Boolean = true) { createArticle(data: {}) { title @include(if: $x) } }'],
])('a condition that is null is refused in every form of a request: %s', async (_where, query) => {
  const variables = { x: null };
  const posted = (more: object) =>
    app
      .request()
      .post('/graphql')
      .send({ query, variables, ...more });
  const message = 'Argument "if" of non-null type "Boolean!" must not be null.';
  const told = { errors: [{ message, locations: [expect.anything()], extensions: { code: 'BAD_USER_INPUT' } }] };
  for (const { status, body } of await Promise.all([posted({}), posted({ extensions: {} })]))
    expect([status, body]).toEqual([400, told]);
});

test('nor does it let through what costs too much', async () => {
  const query = `query ($x: Boolean = true) { tags { label @include(if: $x) } ${three(100).slice(2, -2)} }`;
  const { status, body } = await app.ask(query, { x: null });
  expect([status, body.data]).toEqual([400, undefined]);
});

test('nor is the schema described again and again', async () => {
  const all = getIntrospectionQuery();
  expect((await app.ask(all)).status).toBe(200);
  const again = Array.from({ length: 100 }, (_, at) => `x${at}: __schema { types { fields { args { name } } } }`);
  const { status, body } = await app.ask(`{ ${again.join(' ')} }`);
  expect([status, body.errors[0].message]).toEqual([400, expect.stringContaining('things of the schema')]);
});

test('a menu whose zone holds many relations is let through', async () => {
  const menu = Array.from(
    { length: 60 },
    (_, at) => `l${at}: author { name articles { title author { name } categories { name } tags { label } } }`,
  ).join(' ');
  expect((await app.ask(`{ articles${page(1)} { zone { ... on ComponentBlocksHero { ${menu} } } } }`)).status).toBe(
    200,
  );
});

test('what is allowed grows with amountLimit, unless it is said', async () => {
  expect(mostCost({ amountLimit: 10, costLimit: undefined })).toBe(most);
  expect(mostCost({ amountLimit: 1_000, costLimit: undefined })).toBe(20_000_000);
  const few = await fixtureApp({ graphql: { config: { costLimit: 109 } } });
  try {
    expect((await few.ask('{ articles { tags { label } } }')).status).toBe(400);
    expect((await few.ask(`{ articles${page(9)} { tags { label } author { name } } }`)).status).toBe(200);
  } finally {
    await few.remove();
  }
});
