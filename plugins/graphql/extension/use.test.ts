import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';
import { adding } from './extending.fixture';
import { shopApp } from './shop.fixture';

let app: FixtureApp;
beforeAll(async () => {
  app = await shopApp();
});
afterAll(() => app.remove());

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
