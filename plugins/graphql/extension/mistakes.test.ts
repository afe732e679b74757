import { definePlugin } from '../../../core';
import { fixtureApp } from '../fixture-app.fixture';
import { adding } from './extending.fixture';

const refusal = async (...own: ReturnType<typeof adding>[]): Promise<string> => {
  try {
    await (await fixtureApp({}, { own })).remove();
  } catch (error) {
    return (error as Error).message;
  }
  return 'started';
};

// Told at the start.
test.each<[string, () => ReturnType<typeof adding>[], string]>([
  [
    'two plugins over one field',
    () => [
      adding('a', { typeDefs: 'extend type Query { x: Int }' }),
      adding('b', { typeDefs: 'type Query { x: String }' }),
    ],
    'GraphQL field Query.x: is added by plugin "a" and by plugin "b".',
  ],
  [
    'a field of a content type',
    () => [adding('a', { typeDefs: 'extend type Article { title: Int }' })],
    'GraphQL field Article.title: is added by plugin "graphql" and by plugin "a".',
  ],
  [
    'two plugins that resolve one field',
    () => [
      adding('a', { resolvers: { Query: { articles: () => [] } } }),
      adding('b', { resolvers: { Query: { articles: () => [] } } }),
    ],
    'GraphQL field Query.articles: is resolved by plugin "a" and by plugin "b".',
  ],
  [
    'two configurations of one resolver',
    () => [
      adding('a', { resolversConfig: { 'Query.tags': {} } }),
      adding('b', { resolversConfig: { 'Query.tags': {} } }),
    ],
    'resolversConfig Query.tags: is given by plugin "a" and by plugin "b".',
  ],
  [
    'a resolver of nothing',
    () => [adding('a', { resolvers: { Query: { article_s: () => [] } } })],
    'plugin "a": resolves Query.article_s, which is no field. Did you mean "articles"?',
  ],
  [
    'a configuration of nothing',
    () => [adding('a', { resolversConfig: { 'Query.article_s': {} } })],
    'plugin "a" resolversConfig: configures the resolver of Query.article_s, which is no field. Did you mean "Query.articles"?',
  ],
  [
    'a type that nobody defines',
    () => [adding('a', { typeDefs: 'extend type Query { x: Artikle }' })],
    'plugin "a": refers to GraphQL type "Artikle", which nobody defines. Did you mean "Article"?',
  ],
  [
    'definitions that can not be read',
    () => [adding('a', { typeDefs: 'extend type Query { x }' })],
    'plugin "a": adds GraphQL definitions that can\'t be read: Syntax Error: Expected ":", found "}". Correct them.',
  ],
  [
    'an unknown key',
    () => [adding('a', { resolver: {} } as never)],
    'plugin "a" graphql.use.resolver: is no known option. Remove it. Did you mean "resolvers"?',
  ],
  [
    'an unknown key of a configuration',
    () => [adding('a', { resolversConfig: { 'Query.tags': { polices: [] } } } as never)],
    'is no known option. Remove it. Did you mean "policies"?',
  ],
  [
    'a policy that nobody registers',
    () => [adding('a', { resolversConfig: { 'Query.tags': { policies: ['nope'] } } })],
    'plugin "a", resolversConfig Query.tags: asks for policy "nope", which no plugin registers.',
  ],
  [
    'a middleware that nobody registers',
    () => [adding('a', { resolversConfig: { 'Query.tags': { middlewares: ['nope'] } } })],
    'plugin "a", resolversConfig Query.tags: asks for middleware "nope", which no plugin registers.',
  ],
])('%s', async (_name, own, message) => {
  expect(await refusal(...own())).toContain(message);
});

test('a resolver of one plugin may take the place of a generated one', async () => {
  const own = [adding('a', { resolvers: { Query: { tags: () => [{ label: 'mine' }] } } })];
  const taken = await fixtureApp({}, { own });
  try {
    expect((await taken.ask('{ tags { label } }')).body.data).toEqual({ tags: [{ label: 'mine' }] });
  } finally {
    await taken.remove();
  }
});

test('with the first request, where everything that adds to the schema may wait', async () => {
  const waiting = definePlugin({
    name: 'waiting',
    after: ['graphql'],
    apply: ({ hooks }) =>
      hooks.graphql.extend.tap({ name: 'waiting', mayWait: true }, ({ shadowCRUD }) => {
        shadowCRUD('api::articel.article').disable();
      }),
  });
  const app = await fixtureApp({}, { own: [waiting] });
  try {
    expect((await app.ask('{ __typename }')).status).toBe(500);
    expect(() => app.schema).toThrow('names content type "api::articel.article", which is not there.');
  } finally {
    await app.remove();
  }
});
