import { definePlugin, type Heddle, token } from '../../../core';
import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';
import type { Extension, GraphqlExtension } from './extension';

const plugin = (
  name: string,
  say: (extension: GraphqlExtension) => void,
  more: (heddle: Heddle) => void = () => undefined,
) =>
  definePlugin({
    name,
    after: ['graphql'],
    apply(heddle) {
      heddle.hooks.graphql.extend.tap(name, say);
      more(heddle);
    },
  });

const adding = (name: string, ...extensions: Extension[]) =>
  plugin(name, (extension) => {
    for (const one of extensions) extension.use(one);
  });

const GREETING = token<string>('shop.greeting');
const seen: unknown[] = [];

const shop = plugin(
  'shop',
  ({ use }) => {
    use({
      typeDefs: `
        type Basket { items: [String!]!, size: Int, kind: Kind }
        enum Kind { SMALL LARGE }
        scalar Shout
        interface Named { name: String }
        type Dog implements Named { name: String }
        type Cat implements Named { name: String }
        union Pet = Dog | Cat
        type Query {
          hello(name: String!): String
          closed: String
          basket: Basket
          scoped: String
          nobody: String
          policed(pass: Boolean): String
          byName: String
          byConfig: String
          byFunction: String
          failing: String
          loud(text: Shout): Shout
          pets: [Pet]
          named: [Named]
          nothing: String
        }
        extend type Tag { shout: String }
        extend type Mutation { order(item: String!): Basket }
      `,
      resolvers: {
        Query: {
          hello: (_parent: unknown, { name }: { name: string }) => `hi ${name}`,
          closed: () => 'open',
          basket: { resolve: () => ({ items: ['a'], size: () => 1, kind: 'small' }) },
          scoped: () => 'scoped',
          nobody: () => 'nobody',
          policed: () => 'policed',
          byName: () => 'by name',
          byConfig: () => 'by config',
          byFunction: () => 'by function',
          failing() {
            throw new Error('the secret reason');
          },
          loud: (_parent: unknown, { text }: { text: string }) => text,
          pets: () => [{ name: 'Rex' }, { name: 'Tom', claws: true }],
          named: () => [{ name: 'Tom', claws: true }],
        },
        Mutation: { order: (_parent: unknown, { item }: { item: string }) => ({ items: [item], kind: 'large' }) },
        Tag: { shout: ({ label }: { label: string }) => label.toUpperCase() },
        Kind: { SMALL: 'small', LARGE: 'large' },
        Pet: { __resolveType: (pet: { claws?: boolean }) => (pet.claws ? 'Cat' : 'Dog') },
        Named: { __resolveType: (pet: { claws?: boolean }) => (pet.claws ? 'Cat' : 'Dog') },
      },
      resolversConfig: {
        'Query.hello': { auth: false },
        'Query.basket': { auth: false },
        'Query.failing': { auth: false },
        'Query.loud': { auth: false },
        'Query.pets': { auth: false },
        'Query.named': { auth: false },
        'Query.nothing': { auth: false },
        'Mutation.order': { auth: false },
        'Query.scoped': { auth: { scope: ['api::tag.tag.find'] } },
        'Query.nobody': { auth: { scope: ['api::tag.tag.find', 'api::nope.nope.find'] } },
        'Query.policed': {
          auth: false,
          policies: [
            (
              { args, parent, info, http, state, method }: Record<string, never> & { args: { pass: boolean } },
              { service }: Pick<Heddle, 'service'>,
            ) => {
              seen.push([
                parent,
                (info as unknown as { fieldName: string }).fieldName,
                typeof http,
                typeof state,
                method,
                service(GREETING),
              ]);
              return args.pass;
            },
          ],
        },
        'Query.byName': { auth: false, policies: ['never'] },
        'Query.byConfig': { auth: false, policies: [{ name: 'limit', config: { most: 3 } }] },
        'Query.byFunction': {
          auth: false,
          middlewares: [
            { name: 'stamp', options: { with: 'x' } },
            'noted',
            async (next, parent, args, context, info) => `${await next(parent, args, context, info)}!`,
            async (next, ...asked) => `(${await next(...asked)})`,
          ],
        },
        'Query.tags': { auth: { scope: ['api::nope.nope.find'] } },
        'Query.categories': { auth: false },
        'Query.authors': {
          middlewares: [
            async (next, ...asked) => [...((await next(...asked)) as []), ...((await next(...asked)) as [])],
          ],
        },
        'Article.title': { middlewares: [async (next, ...asked) => `${await next(...asked)}?`] },
        'Article.slug': { auth: { scope: ['api::nope.nope.find'] } },
      },
    });
    use(({ graphql }) => ({
      resolvers: {
        Shout: new graphql.GraphQLScalarType({
          name: 'Shout',
          parseValue: (text) => String(text).toUpperCase(),
          parseLiteral: (node) => ('value' in node ? String(node.value).toUpperCase() : null),
          serialize: (text) => `${text}!`,
        }) as never,
      },
    }));
  },
  ({ hooks }) => {
    hooks.lifecycle.provide.tap('shop', (services) => services.add(GREETING, () => 'hey'));
    hooks.http.policies.tap('shop', (policies) => {
      policies.add('never', () => false);
      policies.add('limit', (context, config) => {
        seen.push([context.method, config]);
        return true;
      });
    });
    hooks.http.middlewares.tap('shop', (middlewares) => {
      middlewares.add('stamp', {
        make: (options) => async (context, next) => {
          await next();
          context.set('X-Stamp', (options as { with: string }).with);
        },
      });
      middlewares.add('noted', {
        make: () => (_context, next) => {
          seen.push('noted');
          return next();
        },
      });
    });
  },
);

let app: FixtureApp;
beforeAll(async () => {
  app = await fixtureApp({}, { own: [shop] });
  const make = (uid: string, data: Record<string, unknown>) => app.documents.of(uid).create(data);
  const tag = await make('api::tag.tag', { label: 'blue' });
  await make('api::category.category', { name: 'all' });
  await make('api::author.author', { name: 'Ann' });
  await make('api::article.article', { title: 'One', slug: 'one', tags: [String(tag['documentId'])] });
});
afterAll(() => app.remove());
beforeEach(() => {
  seen.length = 0;
});

const forbidden = { message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } };

describe('fields of extensions', () => {
  test('are resolved, with enumerations, scalars, unions and interfaces of their own', async () => {
    const { body } = await app.ask(
      '{ hello(name: "x") basket { items size kind } loud(text: "a") pets { __typename ... on Dog { name } } named { __typename name } nothing }',
      undefined,
      'public',
    );
    expect(body).toEqual({
      data: {
        hello: 'hi x',
        basket: { items: ['a'], size: 1, kind: 'SMALL' },
        loud: 'A!',
        pets: [{ __typename: 'Dog', name: 'Rex' }, { __typename: 'Cat' }],
        named: [{ __typename: 'Cat', name: 'Tom' }],
        nothing: null,
      },
    });
    const ordered = await app.ask('mutation { order(item: "b") { items kind } }', undefined, 'public');
    expect(ordered.body.data).toEqual({ order: { items: ['b'], kind: 'LARGE' } });
  });

  test('stand beside those of content types, and see the values of their document', async () => {
    const { body } = await app.ask('{ articles { t: title tags { shout } } }');
    expect(body.data).toEqual({ articles: [{ t: 'One?', tags: [{ shout: 'BLUE' }] }] });
  });

  test('fail without telling why', async () => {
    const { body, text } = await app.ask('{ failing }', undefined, 'public');
    expect(body.errors[0]).toMatchObject({ message: 'Internal Server Error' });
    expect(text).not.toContain('secret');
  });
});

describe('auth', () => {
  test('a root field is private unless it says otherwise', async () => {
    expect((await app.ask('{ closed }', undefined, 'public')).body).toMatchObject({
      data: { closed: null },
      errors: [{ ...forbidden, path: ['closed'] }],
    });
    expect((await app.ask('{ closed }')).body).toEqual({ data: { closed: 'open' } });
  });

  test('a scope demands all its permissions, in the place of the usual one', async () => {
    const { body } = await app.ask('{ scoped nobody }', undefined, 'public');
    expect(body).toMatchObject({
      data: { scoped: 'scoped', nobody: null },
      errors: [{ ...forbidden, path: ['nobody'] }],
    });
    const tags = await app.ask('{ tags { label } }', undefined, 'public');
    expect(tags.body).toMatchObject({ data: null, errors: [{ ...forbidden, path: ['tags'] }] });
    expect((await app.ask('{ nobody tags { label } }')).body.data).toEqual({
      nobody: 'nobody',
      tags: [{ label: 'blue' }],
    });
  });

  test('a scope is demanded for fields inside, too', async () => {
    const { body } = await app.ask('{ articles { slug } }', undefined, 'public');
    expect(body).toMatchObject({
      data: { articles: [{ slug: null }] },
      errors: [{ ...forbidden, path: ['articles', 0, 'slug'] }],
    });
  });

  test('false opens a content type without any grant', async () => {
    const closed = definePlugin({
      name: 'closed',
      apply: ({ hooks }) => hooks.http.authorize.tapPromise('closed', async () => false),
    });
    const opened = await fixtureApp(
      {},
      {
        own: [
          { ...closed, before: ['users-permissions'] },
          adding('opener', { resolversConfig: { 'Query.categories': { auth: false } } }),
        ],
      },
    );
    try {
      const told = async (query: string) => (await opened.ask(query, undefined, 'public')).body;
      expect(await told('{ categories { name } }')).toEqual({ data: { categories: [] } });
      expect(await told('{ tags { label } }')).toMatchObject({ data: null, errors: [{ path: ['tags'] }] });
    } finally {
      await opened.remove();
    }
  });
});

describe('policies', () => {
  test('see the request and what the resolver is called with, and block by false', async () => {
    expect((await app.ask('{ policed(pass: true) }', undefined, 'public')).body).toEqual({
      data: { policed: 'policed' },
    });
    expect(seen).toEqual([[undefined, 'policed', 'object', 'object', 'POST', 'hey']]);
    expect((await app.ask('{ policed(pass: false) }', undefined, 'public')).body).toEqual({
      data: { policed: null },
      errors: [
        {
          message: 'Policy Failed',
          path: ['policed'],
          extensions: {
            code: 'FORBIDDEN',
            error: { name: 'PolicyError', message: 'Policy Failed', details: {} },
          },
        },
      ],
    });
  });

  test('are found by name, with their configuration', async () => {
    const { body } = await app.ask('{ byName byConfig }', undefined, 'public');
    expect(body.data).toEqual({ byName: null, byConfig: 'by config' });
    expect(seen).toEqual([['POST', { most: 3 }]]);
  });
});

describe('middlewares', () => {
  test('stand around a resolver, the first outermost, by name or as functions', async () => {
    const { body } = await app.ask('{ byFunction }', undefined, 'public');
    expect([body.data, seen]).toEqual([{ byFunction: '(by function)!' }, ['noted']]);
    const { headers } = await app.request().post('/graphql').send({ query: '{ byFunction }' });
    expect(headers['x-stamp']).toBe('x');
  });

  test('act on resolvers of content types', async () => {
    const { body } = await app.ask('{ authors { name } }');
    expect(body.data).toEqual({ authors: [{ name: 'Ann' }, { name: 'Ann' }] });
  });
});

describe('mistakes are refused at start', () => {
  const refusal = async (...own: ReturnType<typeof adding>[]): Promise<string> => {
    try {
      await (await fixtureApp({}, { own })).remove();
    } catch (error) {
      return (error as Error).message;
    }
    return 'started';
  };

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
      'plugin "a": adds GraphQL definitions that can\'t be read: Syntax Error',
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
});

test('with shadowCRUD off, only what plugins add is there', async () => {
  const own = [
    adding('a', {
      typeDefs: 'type Query { ping: String }',
      resolvers: { Query: { ping: () => 'pong' } },
      resolversConfig: { 'Query.ping': { auth: false } },
    }),
  ];
  const bare = await fixtureApp({ graphql: { config: { shadowCRUD: false } } }, { own });
  try {
    expect(Object.keys(bare.schema.getQueryType()!.getFields())).toEqual(['me', 'ping']);
    expect(bare.schema.getType('Article')).toBeUndefined();
    expect((await bare.ask('{ ping }', undefined, 'public')).body).toEqual({ data: { ping: 'pong' } });
  } finally {
    await bare.remove();
  }
});
