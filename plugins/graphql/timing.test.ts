import { type FixtureApp, fixtureApp } from './fixture-app.fixture';

let app: FixtureApp;
beforeAll(async () => {
  app = await fixtureApp({}, { environment: 'development', env: { LOG_LEVEL: 'silent' } });
});
afterAll(() => app.remove());

/** The parts that an answer tells, and whether they add up. */
async function parts(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object): Promise<string[]> {
  const call = app.request()[method](path).set('Authorization', 'Bearer graphql-test-token');
  const { headers, status } = await (body ? call.send(body) : call);
  expect(status).toBeLessThan(300);
  const entries = headers['server-timing']!.split(', ').map((entry) => entry.split(';dur=') as [string, string]);
  const times = entries.map(([, time]) => Number(time));
  const total = times.pop()!;
  expect(times.reduce((sum, time) => sum + time, 0)).toBeCloseTo(total, 1);
  return entries.map(([name]) => name);
}

const query = (text: string, more: object = {}) => ['post', '/graphql', { query: text, ...more }] as const;

test('reads tell how long they were parsed, planned, found and rendered', async () => {
  const read = ['parse', 'plan', 'database', 'render', 'total'];
  expect(await parts('get', '/api/tags?populate=*')).toEqual(read);
  expect(await parts(...query('{ tags { label } authors { name } }'))).toEqual(read);
  expect(await parts(...query('{ tags { label } authors { name } }', { extensions: {} }))).toEqual(read);
});

test('of writes, the transaction is the database, and the answer is planned in it', async () => {
  const write = ['parse', 'database', 'plan', 'render', 'total'];
  expect(await parts('post', '/api/articles?status=draft', { data: { title: 'One' } })).toEqual(write);
  expect(await parts(...query('mutation { createTag(data: { label: "x" }) { label } }'))).toEqual(write);
  const [article] = await app.documents.of('api::article.article').find({ parameters: { status: 'draft' } });
  const path = `/api/articles/${String(article!['documentId'])}`;
  expect(await parts('put', path, { data: { title: 'Two' } })).toEqual(write);
  expect(await parts('delete', path)).toEqual(write);
});
