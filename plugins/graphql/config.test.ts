import { GraphQLError } from 'graphql';
import type { RawConfig } from '../../core';
import { fullKey, type UsersApp, usersApp } from '../users-permissions/app.fixture';

async function withConfig(config: object, use: (app: UsersApp) => Promise<void>): Promise<void> {
  const app = await usersApp({ plugins: { graphql: { config } } as RawConfig });
  try {
    for (const text of ['a', 'b', 'c', 'd']) await app.post('/api/notes', { data: { text } }, fullKey).expect(201);
    await use(app);
  } finally {
    await app.remove();
  }
}

const ask = async (app: UsersApp, query: string) => (await app.post('/graphql', { query }, fullKey)).body;

const texts = (body: { data: { notes: { text: string }[] } }): string =>
  body.data.notes.map(({ text }) => text).join('');

test('defaultLimit is the size of a page that names none, maxLimit the most of one that does', async () => {
  await withConfig({ defaultLimit: 2, maxLimit: 3 }, async (app) => {
    expect(texts(await ask(app, '{ notes { text } }'))).toBe('ab');
    expect(texts(await ask(app, '{ notes(pagination: { limit: 100 }) { text } }'))).toBe('abc');
    expect(texts(await ask(app, '{ notes(pagination: { limit: -1 }) { text } }'))).toBe('abc');
  });
});

test('depthLimit counts levels below a root field', async () => {
  await withConfig({ depthLimit: 1 }, async (app) => {
    expect(texts(await ask(app, '{ notes { text } }'))).toBe('abcd');
    const { errors } = await ask(app, '{ notes { tags { name } } }');
    expect(errors[0].message).toBe("'' exceeds maximum operation depth of 1");
  });
});

test('apolloServer goes to Apollo Server, for plain queries, too', async () => {
  const seen: unknown[] = [];
  const apolloServer = {
    formatError: () => ({ message: 'formatted' }),
    plugins: [
      { requestDidStart: async ({ request }: { request: { query: string } }) => void seen.push(request.query) },
    ],
    validationRules: [
      (context: { reportError(error: GraphQLError): void }) => ({
        Field({ name }: { name: { value: string } }) {
          if (name.value === 'createdAt') context.reportError(new GraphQLError('not today'));
        },
      }),
    ],
  };
  await withConfig({ apolloServer }, async (app) => {
    expect(texts(await ask(app, '{ notes { text } }'))).toBe('abcd');
    expect(seen).toEqual(['{ notes { text } }']);
    expect(await ask(app, '{ notes { createdAt } }')).toEqual({ errors: [{ message: 'formatted' }] });
  });
});

test.each<[object, string]>([
  [{ depthLimt: 5 }, 'graphql.config.depthLimt: is no known option. Remove it. Did you mean "depthLimit"?'],
  [{ endpoint: 'graphql' }, 'graphql.config.endpoint: is no path such as /graphql'],
  [{ amountLimit: 0 }, 'graphql.config.amountLimit'],
  [{ maxLimit: 0 }, 'graphql.config.maxLimit'],
  [{ shadowCRUD: 'no' }, 'graphql.config.shadowCRUD'],
])('%j is refused', async (config, message) => {
  await expect(usersApp({ plugins: { graphql: { config } } as RawConfig })).rejects.toThrow(message);
});
