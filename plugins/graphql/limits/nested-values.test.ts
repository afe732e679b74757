import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';

let app: FixtureApp;

beforeAll(async () => {
  app = await fixtureApp();
});
afterAll(() => app.remove());

const nested = (count: number, open: string, inside: string, close: string): string =>
  open.repeat(count) + inside + close.repeat(count);
const titled = '{ title: { eq: "a" } }';
const inline = (count: number): string =>
  `{ articles(filters: ${nested(count, '{ and: [', titled, '] }')}) { title } }`;
const byVariable = 'query ($filters: ArticleFiltersInput) { articles(filters: $filters) { title } }';
const groups = (key: 'and' | 'or', count: number): string => nested(count, `{"${key}":[`, '{"title":{"eq":"a"}}', ']}');
const sent = (query: string, filters: string, more = ''): string =>
  `{"query":${JSON.stringify(query)},"variables":{"filters":${filters}}${more}}`;

const post = (body: string) =>
  app
    .request()
    .post('/graphql')
    .set('Authorization', 'Bearer graphql-test-token')
    .set('Content-Type', 'application/json')
    .send(body);
const told = ({ status, body }: Awaited<ReturnType<typeof post>>): unknown[] => [
  status,
  body.errors?.[0].message ?? body.error?.message,
];

test('filters of up to 100 levels are answered', async () => {
  expect((await app.ask(inline(49))).body).toEqual({ data: { articles: [] } });
  expect((await post(sent(byVariable, groups('or', 49)))).body).toEqual({ data: { articles: [] } });
});

test('deeper ones are refused with 400 before they are read, in every form', async () => {
  const written = [400, 'A value in the document has too many levels. The maximum is 100.'];
  const filters = [400, 'Filters have too many levels. The maximum is 100.'];
  const body = [400, 'The request body has too many levels. The maximum is 500.'];
  for (const more of ['', ',"extensions":{}']) {
    for (const count of [50, 1_000, 6_000]) expect(told(await post(sent(inline(count), '{}', more)))).toEqual(written);
    for (const count of [50, 200])
      expect(told(await post(sent(byVariable, groups('and', count), more)))).toEqual(filters);
    for (const count of [300, 1_000, 30_000])
      expect(told(await post(sent(byVariable, groups('and', count), more)))).toEqual(body);
  }
});

test('also those in an address, and those of what a mutation answers', async () => {
  const get = (filters: string) =>
    app
      .request()
      .get('/graphql')
      .set('Apollo-Require-Preflight', 'true')
      .query({ query: byVariable, variables: `{"filters":${filters}}` });
  expect(told(await get(groups('or', 300)))).toEqual([400, 'The variables have too many levels. The maximum is 500.']);
  const mutation =
    'mutation ($filters: ArticleFiltersInput) { createArticle(data: { title: "ab" }) { related(filters: $filters) { title } } }';
  expect(told(await post(sent(mutation, groups('and', 60))))).toEqual([
    400,
    'Filters have too many levels. The maximum is 100.',
  ]);
  const { body } = await app.ask('{ articles_connection { pageInfo { total } } }', {});
  expect(body.data.articles_connection.pageInfo.total).toBe(0);
});

test('more lists and objects than any filters may need are not compared with their types', async () => {
  const message = 'The variables have too many lists and objects. The maximum is 20000.';
  const many = Array.from({ length: 200_000 }, () => '{}').join();
  for (const more of ['', ',"extensions":{}'])
    expect(told(await post(sent(byVariable, `{"or":[${many}]}`, more)))).toEqual([400, message]);
});

test('selections too deep to be parsed are refused in the words that others are', async () => {
  const query = `{ authors { ${nested(6_000, 'mentor { ', 'name', '}')} } }`;
  expect(told(await post(sent(query, '{}')))).toEqual([400, 'The document has too many levels. The maximum is 300.']);
});

test('brackets in texts, and beside each other, are none inside each other', async () => {
  const query = `{ articles(filters: { title: { in: ["${'{['.repeat(200)}"] } }) { title } }`;
  expect((await app.ask(query)).body).toEqual({ data: { articles: [] } });
  const many = Array.from({ length: 150 }, () => titled).join(' ');
  expect((await app.ask(`{ articles(filters: { or: [${many}] }) { title } }`)).body).toEqual({
    data: { articles: [] },
  });
});

test('relations inside each other are as many as over REST', async () => {
  const related = (count: number): string => nested(count, '{"related":', '{"title":{"eq":"a"}}', '}');
  expect((await post(sent(byVariable, related(15)))).body).toEqual({ data: { articles: [] } });
  expect(told(await post(sent(byVariable, related(16))))).toEqual([
    400,
    'Filters go through too many relations inside each other. The maximum is 15.',
  ]);
});

test('what was answered beside one that is refused keeps its status', async () => {
  const connection = 'articles_connection(filters: $filters) { pageInfo { total } }';
  const query = `query ($filters: ArticleFiltersInput) { tags { label } ${connection} }`;
  for (const more of ['', ',"extensions":{}']) {
    const { status, body } = await post(sent(query, groups('and', 60), more));
    expect([status, body.data]).toEqual([200, { tags: [], articles_connection: null }]);
    expect(body.errors[0].message).toBe('Filters have too many levels. The maximum is 100.');
  }
});
