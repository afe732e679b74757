import { type GraphQLSchema, isObjectType, printType } from 'graphql';
import { definePlugin } from '../../core';
import { type FixtureApp, fixtureApp } from './fixture-app.fixture';

let app: FixtureApp;

beforeAll(async () => {
  app = await fixtureApp({ graphql: { config: { v4CompatibilityMode: true } } });
  const { documents } = app;
  const made = async (uid: string, data: Record<string, unknown>) =>
    String((await documents.of(uid).create(data))['documentId']);
  const tags = [await made('api::tag.tag', { label: 'red' }), await made('api::tag.tag', { label: 'blue' })];
  const ann = await made('api::author.author', { name: 'Ann' });
  await made('api::article.article', {
    title: 'First',
    kind: 'news',
    tags,
    seo: { metaTitle: 'm' },
    sections: [{ heading: 'h' }],
    zone: [{ __component: 'blocks.hero', title: 'big', author: ann }],
  });
});
afterAll(() => app.remove());

async function dataOf(query: string): Promise<unknown> {
  const { status, body } = await app.ask(query);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data;
}

/** Has a resolver answer, which is to say the same. */
const byResolvers = (query: string): string => query.replace('{', 'query { me: __type(name: "Query") { name }');

async function answered(query: string, data: object): Promise<void> {
  expect(await dataOf(query)).toEqual(data);
  expect(await dataOf(byResolvers(query))).toEqual({ ...data, me: { name: 'Query' } });
}

const row = expect.stringMatching(/^\d+$/);

test('documents, and what they are tied to, are in data and attributes', async () => {
  await answered(
    `{ articles { data { id attributes { title d: data { title } tags { data { id attributes { label } } }
      tags_connection { nodes { label } data { attributes { label } } } author { data { id } } } } a: attributes { title } } }`,
    {
      articles: [
        {
          data: {
            id: row,
            attributes: {
              title: 'First',
              d: { title: 'First' },
              tags: [
                { data: { id: row, attributes: { label: 'red' } } },
                { data: { id: row, attributes: { label: 'blue' } } },
              ],
              tags_connection: {
                nodes: [{ label: 'red' }, { label: 'blue' }],
                data: [{ attributes: { label: 'red' } }, { attributes: { label: 'blue' } }],
              },
              author: null,
            },
          },
          a: { title: 'First' },
        },
      ],
    },
  );
});

test('components, in zones too', async () => {
  await answered(
    `{ articles { seo { data { id attributes { metaTitle } } } sections { attributes { heading } }
      zone { ... on ComponentBlocksHero { data { title attributes { author { data { attributes { name } } } } } } } } }`,
    {
      articles: [
        {
          seo: { data: { id: row, attributes: { metaTitle: 'm' } } },
          sections: [{ attributes: { heading: 'h' } }],
          zone: [{ data: { title: 'big', attributes: { author: { data: { attributes: { name: 'Ann' } } } } } }],
        },
      ],
    },
  );
});

test('lists have data and meta', async () => {
  const page = { page: 1, pageSize: 1, pageCount: 2, total: 2 };
  const asked = 'pagination { page pageSize pageCount total }';
  await answered(
    `{ tags_connection(pagination: { limit: 1 }) { data { attributes { label } } meta { __typename ${asked} } } }`,
    {
      tags_connection: {
        data: [{ attributes: { label: 'red' } }],
        meta: { __typename: 'ResponseCollectionMeta', pagination: page },
      },
    },
  );
  await answered(
    `{ tags_connection(pagination: { limit: 1 }) { nodes { label } d: data { label } m: meta { ${asked} } } }`,
    {
      tags_connection: { nodes: [{ label: 'red' }], d: [{ label: 'red' }], m: { pagination: page } },
    },
  );
  await answered(
    '{ articles_connection { aggregate { groupBy { kind { connection { data { title } meta { pagination { total } } } } } } } }',
    {
      articles_connection: {
        aggregate: {
          groupBy: { kind: [{ connection: { data: [{ title: 'First' }], meta: { pagination: { total: 1 } } } }] },
        },
      },
    },
  );
});

test('what is written, and what resolvers of plugins give', async () => {
  expect(await dataOf('mutation { createTag(data: { label: "new" }) { data { id attributes { label } } } }')).toEqual({
    createTag: { data: { id: row, attributes: { label: 'new' } } },
  });
  const made = await app
    .request()
    .post('/api/upload')
    .set('Authorization', 'Bearer graphql-test-token')
    .attach('files', Buffer.from('text'), 'a.txt');
  const { id } = made.body[0];
  expect(
    await dataOf(
      `mutation { updateUploadFile(id: ${id}, info: { caption: "c" }) { id data { attributes { caption } } } }`,
    ),
  ).toEqual({ updateUploadFile: { id: String(id), data: { attributes: { caption: 'c' } } } });
});

const printed = (schema: GraphQLSchema): Map<string, string> =>
  new Map(Object.values(schema.getTypeMap()).map((type) => [type.name, printType(type)]));

test('the mode adds fields and changes none; the environment may switch it on', async () => {
  const [before, byEnvironment] = [
    await fixtureApp(),
    await fixtureApp({}, { env: { STRAPI_GRAPHQL_V4_COMPATIBILITY_MODE: 'true' } }),
  ];
  try {
    expect(printed(byEnvironment.schema)).toEqual(printed(app.schema));
    const former = /^ {2}(id|attributes|data|meta): .* @deprecated\(.*\)\n/gm;
    const after = printed(app.schema);
    expect(after.get('ResponseCollectionMeta')).toBe('type ResponseCollectionMeta {\n  pagination: Pagination!\n}');
    after.delete('ResponseCollectionMeta');
    for (const [name, type] of after) after.set(name, type.replace(former, ''));
    expect(after).toEqual(printed(before.schema));
    expect(isObjectType(app.schema.getType('Article')) && printType(app.schema.getType('Article')!)).toContain(
      [
        'type Article {',
        '  id: ID! @deprecated(reason: "Use `documentId` instead")',
        '  documentId: ID!',
        '  attributes: Article! @deprecated(reason: "Use root level fields instead")',
        '  data: Article! @deprecated(reason: "Use root level fields instead")',
        '  title: String!',
      ].join('\n'),
    );
  } finally {
    await before.remove();
    await byEnvironment.remove();
  }
});

test('an attribute of the type goes before a former field of its name', async () => {
  const naming = definePlugin({
    name: 'naming',
    apply: ({ hooks }) =>
      hooks.content.types.tapPromise('naming', async (types) =>
        types.map((type) =>
          type.uid === 'api::tag.tag'
            ? { ...type, attributes: { ...type.attributes, data: { type: 'string' } } }
            : type,
        ),
      ),
  });
  const named = await fixtureApp({ graphql: { config: { v4CompatibilityMode: true } } }, { own: [naming] });
  try {
    const query = 'mutation { createTag(data: { label: "x", data: "own" }) { data attributes { data label } } }';
    expect((await named.ask(query)).body.data).toEqual({
      createTag: { data: 'own', attributes: { data: 'own', label: 'x' } },
    });
  } finally {
    await named.remove();
  }
});
