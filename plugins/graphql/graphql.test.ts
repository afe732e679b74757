import { pluginOf } from '../../core/testing/test-application';
import { type FixtureApp, fixtureApp } from './fixture-app.fixture';

let app: FixtureApp;
const ids: Record<string, string> = {};

beforeAll(async () => {
  app = await fixtureApp();
  const make = async (name: string, uid: string, data: object): Promise<string> => {
    ids[name] = String((await app.documents.of(uid).create(data as Record<string, unknown>))['documentId']);
    return ids[name]!;
  };
  const tags: string[] = [];
  for (let at = 0; at < 12; at += 1) tags.push(await make(`t${at}`, 'api::tag.tag', { label: `t${at}`, weight: at }));
  const ann = await make('ann', 'api::author.author', { name: 'Ann', email: 'ann@x.org' });
  await make('first', 'api::article.article', {
    title: 'First',
    slug: 'first',
    views: '9007199254740993',
    secret: 'hush',
    author: ann,
    tags,
    seo: { metaTitle: 'm', social: [{ network: 'x', handle: '@a' }] },
    sections: [{ heading: 'h1', expert: ann }, { heading: 'h2' }],
    zone: [
      { __component: 'blocks.quote', text: 'q' },
      { __component: 'blocks.hero', title: 'h', author: ann },
    ],
  });
  await make('second', 'api::article.article', { title: 'Second', views: '12', author: ann });
  await app.ask('mutation { createArticle(status: DRAFT, data: { rating: 3 }) { rating } }');
});
afterAll(() => app.remove());

const dataOf = async (query: string, variables?: object): Promise<unknown> => {
  const { status, body } = await app.ask(query, variables);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.data;
};

describe('plain queries', () => {
  test('show keys in the order, and under the names, in which they are asked for', async () => {
    const { text } = await app.ask(
      '{ b: articles(sort: "title") { t: title __typename slug author { n: name } } __typename }',
    );
    expect(text).toBe(
      '{"data":{"b":[{"t":"First","__typename":"Article","slug":"first","author":{"n":"Ann"}},{"t":"Second","__typename":"Article","slug":null,"author":{"n":"Ann"}}],"__typename":"Query"}}\n',
    );
  });

  test('take one statement for each root field, whatever is below', async () => {
    const query =
      '{ articles { title author { name articles { title tags { label } } } zone { ... on ComponentBlocksHero { author { name } } } } tags(pagination: { limit: 1 }) { label } }';
    await app.ask(query);
    expect(await app.statements(() => app.ask(query))).toBe(2);
  });

  test('bind variables to one plan', async () => {
    const query =
      'query ($l: [String], $n: Int) { tags(filters: { label: { in: $l } }, pagination: { limit: $n }) { label } }';
    expect(await dataOf(query, { l: ['t1', 't2'], n: 1 })).toEqual({ tags: [{ label: 't1' }] });
    expect(await dataOf(query, { l: ['t2'], n: 5 })).toEqual({ tags: [{ label: 't2' }] });
  });

  test('leave out what directives leave out', async () => {
    const query =
      'query ($yes: Boolean!) { tags(pagination: { limit: 1 }) { label @include(if: $yes) weight @skip(if: $yes) } }';
    expect(await dataOf(query, { yes: true })).toEqual({ tags: [{ label: 't0' }] });
    expect(await dataOf(query, { yes: false })).toEqual({ tags: [{ weight: 0 }] });
  });

  test('show ten of a list unless told otherwise, and never more than the limit', async () => {
    const query =
      '{ articles(sort: "title", pagination: { limit: 1 }) { tags { label } two: tags(pagination: { start: 10, limit: -1 }, sort: "weight") { label } tags_connection(pagination: { limit: 1 }) { nodes { label } } } }';
    expect(await dataOf(query)).toEqual({
      articles: [
        {
          tags: Array.from({ length: 10 }, (_, at) => ({ label: `t${at}` })),
          two: [{ label: 't10' }, { label: 't11' }],
          tags_connection: { nodes: [{ label: 't0' }] },
        },
      ],
    });
    const few = await fixtureApp({ graphql: { config: { amountLimit: 2 } } });
    try {
      for (const label of ['a', 'b', 'c']) await few.documents.of('api::tag.tag').create({ label });
      const { body } = await few.ask(
        '{ tags_connection(pagination: { limit: -1 }) { nodes { label } pageInfo { total pageSize pageCount } } }',
      );
      expect(body.data.tags_connection).toEqual({
        nodes: [{ label: 'a' }, { label: 'b' }],
        pageInfo: { total: 3, pageSize: 2, pageCount: 2 },
      });
    } finally {
      await few.remove();
    }
  });

  test('tell numbers while they keep their digits, and never a password', async () => {
    expect(await dataOf('{ articles(sort: "title") { views secret } }')).toEqual({
      articles: [
        { views: '9007199254740993', secret: null },
        { views: 12, secret: null },
      ],
    });
  });

  test('tell which type stands in a zone', async () => {
    expect(
      await dataOf(
        '{ articles(filters: { slug: { eq: "first" } }) { zone { __typename ... on ComponentBlocksQuote { id text } ... on ComponentBlocksHero { author { name } } } } }',
      ),
    ).toEqual({
      articles: [
        {
          zone: [
            { __typename: 'ComponentBlocksQuote', id: expect.stringMatching(/^\d+$/), text: 'q' },
            { __typename: 'ComponentBlocksHero', author: { name: 'Ann' } },
          ],
        },
      ],
    });
  });
});

describe('what goes wrong', () => {
  test('in a list inside is told for each document, and nothing else is lost', async () => {
    const { status, body } = await app.ask(
      '{ articles(sort: "title") { title author { articles(sort: "nope") { title } } } }',
    );
    expect([status, body.data]).toEqual([
      200,
      {
        articles: [
          { title: 'First', author: null },
          { title: 'Second', author: null },
        ],
      },
    ]);
    expect(body.errors).toHaveLength(2);
    expect(body.errors[1]).toEqual({
      message: 'Invalid key nope',
      path: ['articles', 1, 'author', 'articles'],
      extensions: {
        code: 'BAD_USER_INPUT',
        error: {
          name: 'ValidationError',
          message: 'Invalid key nope',
          details: { key: 'nope', path: null, source: 'query', param: 'sort' },
        },
      },
    });
  });

  test('what stands behind documents is filtered by its publication, too, and null as a status means the draft', async () => {
    const made = '{ author(documentId: $author) { articles { title } } }';
    const create = `mutation ($author: ID) { createArticle(status: null, data: { title: "Unseen", author: $author }) { publishedAt } }`;
    const author = { author: ids['ann'] };
    expect(await dataOf(create, author)).toEqual({ createArticle: { publishedAt: null } });
    const titles = async (further: string): Promise<string[]> => {
      const query = made.replace('$author)', `$author, status: DRAFT${further})`);
      const data = (await dataOf(`query ($author: ID!) ${query}`, author)) as {
        author: { articles: { title: string }[] };
      };
      return data.author.articles.map(({ title }) => title);
    };
    expect(await titles('')).toEqual(['First', 'Second', 'Unseen']);
    expect(await titles(', hasPublishedVersion: true')).toEqual(['First', 'Second']);
    expect(await titles(', publicationFilter: NEVER_PUBLISHED')).toEqual(['Unseen']);
  });

  test('where null stands against the schema is an error there', async () => {
    const { body } = await app.ask('{ articles(status: DRAFT, filters: { rating: { eq: 3 } }) { rating title } }');
    expect(body.data).toEqual({ articles: [null] });
    expect(body.errors).toMatchObject([
      { message: 'Cannot return null for non-nullable field Article.title.', path: ['articles', 0, 'title'] },
    ]);
  });

  test('a write whose answer can not be given in full is told what is wrong with that, and written', async () => {
    const { body } = await app.ask('mutation { createTag(data: { label: "late" }) { label documentId: nope } }');
    expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const made = await app.ask(
      'mutation { createArticle(data: { title: "Late" }) { title author { articles(sort: "nope") { title } } } }',
    );
    expect(made.body).toEqual({ data: { createArticle: { title: 'Late', author: null } } });
    expect(await dataOf('{ articles(filters: { title: { eq: "Late" } }) { title } }')).toEqual({
      articles: [{ title: 'Late' }],
    });
  });
});

describe('plugins that look at documents', () => {
  test('see them by the names of their attributes, whatever the answer calls them', async () => {
    const mask = pluginOf('mask', ({ hooks }) =>
      hooks.document.result.tapPromise('mask', async (documents) =>
        documents.map((document) => ({ ...document, email: null, mentor: null })),
      ),
    );
    const masked = await fixtureApp({}, { own: [mask] });
    try {
      const ann = await masked.documents.of('api::author.author').create({ name: 'Ann', email: 'ann@x.org' });
      await masked.documents.of('api::author.author').create({ name: 'Bob', mentor: ann['documentId'] });
      const { body } = await masked.ask('{ authors(sort: "name") { n: name mail: email boss: mentor { name } } }');
      expect(body).toEqual({
        data: {
          authors: [
            { n: 'Ann', mail: null, boss: null },
            { n: 'Bob', mail: null, boss: null },
          ],
        },
      });
    } finally {
      await masked.remove();
    }
  });
});
