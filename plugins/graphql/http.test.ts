import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serverAudits } from 'graphql-http';
import { type FixtureApp, fixtureApp } from './fixture-app.fixture';

let app: FixtureApp;
let server: Server;

beforeAll(async () => {
  app = await fixtureApp();
  server = createServer(app.app.handler).listen(0);
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await app.remove();
});

/** What is wrong with a document or its variables answers 400 under every media type, as clients of Strapi know it. */
const answers400 = 'mistakes answer 400, also as application/json';

/** SHOULDs of the audit that are not for us, and why. Every MUST is met. */
const exceptions: Readonly<Record<string, string>> = { '572B': answers400, FDE2: answers400, '7B9B': answers400 };

describe("graphql-http's audit of servers", () => {
  const audits = serverAudits({
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    // Requests by GET must show that no browser sends them by itself.
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, { ...init, headers: { ...(init.headers as object), 'apollo-require-preflight': 'true' } }),
  });

  test.each(audits.map((audit) => [audit.name, audit] as const))('%s', async (name, audit) => {
    const result = await audit.fn();
    expect([name, result.status]).toEqual([name, audit.id in exceptions ? 'warn' : 'ok']);
  });
});

describe('what a document may ask for', () => {
  const refused = async (query: string, message: string): Promise<void> => {
    const start = performance.now();
    const { status, body } = await app.ask(query);
    expect([status, body.errors[0].message]).toEqual([400, message]);
    expect(body.data).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(5_000);
  };

  test('a document is as small in every form of a request', async () => {
    const query = `{ ${Array.from({ length: 300 }, (_, at) => `a${at}: __typename`).join(' ')} }`;
    const post = () => app.request().post('/graphql');
    const answers = await Promise.all([
      post().send({ query, extensions: {} }),
      post().set('Accept', 'application/graphql-response+json').send({ query }),
      post().send([{ query }]),
      app.request().get('/graphql').set('Apollo-Require-Preflight', 'true').query({ query }),
    ]);
    const told = answers.map(({ status, body }) => [status, body.errors[0].message]);
    expect(told).toEqual(answers.map(() => [400, 'The document has 300 aliases. The maximum is 200.']));
  });

  test('aliases, fields of one key and fields are counted before fields are compared', async () => {
    const list = (count: number, of: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => of(at)).join(' ');
    await refused(
      `{ ${list(300, (at) => `a${at}: __typename`)} }`,
      'The document has 300 aliases. The maximum is 200.',
    );
    await refused(
      `{ tags { ${list(60, () => 'label')} } }`,
      'The document asks 60 times for one key. The maximum is 50.',
    );
    const doubled = list(20, (at) => `fragment F${at} on Tag { ...F${at + 1} ...F${at + 1} }`);
    await refused(
      `{ tags { ...F0 } } ${doubled} fragment F20 on Tag { label }`,
      'The document asks for too many fields. The maximum is 5000.',
    );
  });

  test('selections inside each other are counted before anything goes through fragments', async () => {
    const chain = (count: number): string[] => [
      ...Array.from({ length: count }, (_, at) => `fragment F${at} on Tag { ...F${at + 1} }`),
      `fragment F${count} on Tag { label }`,
    ];
    const asked = (fragments: readonly string[]): string => `{ tags { ...F0 } } ${fragments.join(' ')}`;
    const message = 'The document has too many levels. The maximum is 300.';
    const long = chain(2_400);
    for (const query of [asked(long), asked(long.toReversed()), asked(chain(298))]) {
      await refused(query, message);
      const { status, body } = await app.request().post('/graphql').send({ query, extensions: {} });
      expect([status, body.errors[0].message]).toEqual([400, message]);
    }
    expect((await app.ask(asked(chain(297)))).status).toBe(200);
    await refused(`{ tags { ${'... { '.repeat(400)} label ${'}'.repeat(400)} } }`, message);
  });

  test('a fragment that stands within itself is told before anything goes through fragments', async () => {
    const below = 'mentor { '.repeat(12);
    const query = `{ authors { ...F } } fragment F on Author { ...F ${below} name ${'}'.repeat(12)} }`;
    await refused(query, 'Cannot spread fragment "F" within itself.');
    const [plain, whole] = await Promise.all(
      [{ query }, { query, extensions: {} }].map((body) => app.request().post('/graphql').send(body)),
    );
    expect(plain!.body.errors).toEqual([
      {
        message: 'Cannot spread fragment "F" within itself.',
        locations: [{ line: 1, column: 45 }],
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      },
    ]);
    expect(whole!.body).toEqual(plain!.body);
  });

  test('tokens', async () => {
    const { status, body } = await app.ask(`{ ${'__typename '.repeat(30_000)} }`);
    expect([status, body.errors[0].message]).toEqual([
      400,
      'Syntax Error: Document contains more that 20000 tokens. Parsing aborted.',
    ]);
  });

  test('levels, also through fragments', async () => {
    const deep = (levels: number): string => (levels === 0 ? 'name' : `mentor { ${deep(levels - 1)} }`);
    expect((await app.ask(`{ authors { ${deep(9)} } }`)).status).toBe(200);
    await refused(`{ authors { ${deep(10)} } }`, "'' exceeds maximum operation depth of 10");
    await refused(
      `query Q { authors { ...F } } fragment F on Author { ${deep(10)} }`,
      "'Q' exceeds maximum operation depth of 10",
    );
  });

  test('one operation at a time, and none that another site could send', async () => {
    const batch = await app
      .request()
      .post('/graphql')
      .send([{ query: '{ __typename }' }]);
    expect([batch.status, batch.body.errors[0].message]).toEqual([400, 'Operation batching disabled.']);
    for (const call of [
      app.request().get('/graphql?query={__typename}'),
      app.request().post('/graphql').type('form').send({ query: '{ __typename }' }),
      app.request().post('/graphql').type('text/plain').send('{"query":"{ __typename }"}'),
    ])
      expect((await call.ok(() => true)).status).toBe(400);
  });
});

test('who may not read something is not told of it, wherever it stands', async () => {
  const { body } = await app.ask('{ usersPermissionsUsers { username } }', undefined, 'public');
  expect(body).toEqual({
    errors: [
      {
        message: 'Forbidden access',
        path: ['usersPermissionsUsers'],
        extensions: {
          code: 'FORBIDDEN',
          error: { name: 'ForbiddenError', message: 'Forbidden access', details: {} },
        },
      },
    ],
    data: null,
  });
  const { status } = await app
    .request()
    .post('/graphql')
    .set('Authorization', 'Bearer nobody')
    .send({ query: '{ __typename }' });
  expect(status).toBe(401);
});

test('introspection is off in production unless it is switched on', async () => {
  const query = '{ __schema { queryType { name } } }';
  const closed = await fixtureApp({ graphql: { config: { apolloServer: { introspection: false } } } });
  try {
    expect((await closed.ask(query)).status).toBe(400);
    expect((await app.ask(query)).status).toBe(200);
  } finally {
    await closed.remove();
  }
});

test('answers are not kept by anybody', async () => {
  const { headers } = await app.request().post('/graphql').send({ query: '{ __typename }' });
  expect(headers['cache-control']).toBe('no-store');
});
