import { definePlugin } from '../../../core';
import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';
import { adding } from './extending.fixture';
import { seen, shopApp } from './shop.fixture';

let app: FixtureApp;
beforeAll(async () => {
  app = await shopApp();
});
afterAll(() => app.remove());
beforeEach(() => {
  seen.length = 0;
});

const forbidden = { message: 'Forbidden access', extensions: { code: 'FORBIDDEN' } };

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
