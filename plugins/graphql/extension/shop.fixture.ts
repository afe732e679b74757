import { type Heddle, token } from '../../../core';
import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';
import { plugin } from './extending.fixture';

// For tests: an application whose schema a plugin extends in every way.

const GREETING = token<string>('shop.greeting');
/** What policies and middlewares were told. */
export const seen: unknown[] = [];

/** A plugin that says something of everything that extensions may say. */
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

export async function shopApp(): Promise<FixtureApp> {
  const app = await fixtureApp({}, { own: [shop] });
  const make = (uid: string, data: Record<string, unknown>) => app.documents.of(uid).create(data);
  const tag = await make('api::tag.tag', { label: 'blue' });
  await make('api::category.category', { name: 'all' });
  await make('api::author.author', { name: 'Ann' });
  await make('api::article.article', { title: 'One', slug: 'one', tags: [String(tag['documentId'])] });
  return app;
}
