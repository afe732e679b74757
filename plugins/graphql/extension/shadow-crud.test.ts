import { findBreakingChanges, type GraphQLSchema } from 'graphql';
import { definePlugin } from '../../../core';
import { type FixtureApp, fixtureApp } from '../fixture-app.fixture';
import type { GraphqlExtension } from './extension';

const shop = (say: (extension: GraphqlExtension) => void) =>
  definePlugin({
    name: 'shop',
    after: ['graphql'],
    apply: ({ hooks }) => hooks.graphql.extend.tap('shop', say),
  });

async function withShop<T>(
  say: (extension: GraphqlExtension) => void,
  use: (app: FixtureApp) => T | Promise<T>,
): Promise<T> {
  const app = await fixtureApp({}, { own: [shop(say)] });
  try {
    return await use(app);
  } finally {
    await app.remove();
  }
}

let whole: GraphQLSchema;
beforeAll(async () => {
  const app = await fixtureApp();
  whole = app.schema;
  await app.remove();
});

const removedBy = (say: (extension: GraphqlExtension) => void): Promise<string[]> =>
  withShop(say, ({ schema }) =>
    findBreakingChanges(whole, schema)
      .map(({ description }) => description.replace(/ was removed\.$/, ''))
      // What lists come to goes with them.
      .filter((name) => !/^\w+(Aggregator|GroupBy)/.test(name)),
  );

test('a type that is disabled is nowhere, and leaves nothing behind', async () => {
  expect(await removedBy((extension) => void extension.shadowCRUD('api::author.author').disable())).toEqual(
    expect.arrayContaining([
      'AuthorFiltersInput',
      'AuthorInput',
      'Author',
      'AuthorEntityResponseCollection',
      'AuthorRelationResponseCollection',
      'ComponentSharedSection.expert',
      'ComponentSharedSectionInput.expert',
      'ComponentSharedSectionFiltersInput.expert',
      'ComponentBlocksHero.author',
      'ArticleFiltersInput.author',
      'Article.author',
      'Profile.author',
      'ProfileInput.author',
      'ProfileFiltersInput.author',
      'Author was removed from union type GenericMorph.',
      'Query.author',
      'Query.authors_connection',
      'Query.authors',
      'Mutation.createAuthor',
      'Mutation.updateAuthor',
      'Mutation.deleteAuthor',
    ]),
  );
});

test('a component that is disabled is in no zone', async () => {
  const removed = await removedBy((extension) => void extension.shadowCRUD('blocks.quote').disable());
  const union = (name: string) => `ComponentBlocksQuote was removed from union type ${name}.`;
  const zones = ['ArticleZoneDynamicZone', 'HomepageZoneDynamicZone', 'RestaurantZoneDynamicZone', 'GenericMorph'];
  expect(removed.sort()).toEqual(['ComponentBlocksQuote', ...zones.map(union)].sort());
});

test.each<[string, (extension: GraphqlExtension) => void, string[]]>([
  [
    'disableQueries',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').disableQueries(),
    ['TagEntityResponseCollection', 'Query.tag', 'Query.tags_connection', 'Query.tags'],
  ],
  [
    'disableMutations',
    ({ shadowCRUD }) => shadowCRUD('api::category.category').disableMutations(),
    ['CategoryInput', 'Mutation.createCategory', 'Mutation.updateCategory', 'Mutation.deleteCategory'],
  ],
  [
    'disableAction(find) of a single type',
    ({ shadowCRUD }) => shadowCRUD('api::homepage.homepage').disableAction('find'),
    ['Query.homepage'],
  ],
  [
    'disableActions',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').disableActions(['findOne', 'create', 'delete']),
    ['Query.tag', 'Mutation.createTag', 'Mutation.deleteTag'],
  ],
  [
    'disableAction(find)',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').disableAction('find').disableAction('update'),
    ['TagEntityResponseCollection', 'Query.tags_connection', 'Query.tags', 'Mutation.updateTag'],
  ],
  [
    'field disable',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').field('label').disable(),
    ['TagFiltersInput.label', 'TagInput.label', 'Tag.label'],
  ],
  ['field disableOutput', ({ shadowCRUD }) => shadowCRUD('api::tag.tag').field('label').disableOutput(), ['Tag.label']],
  [
    'field disableInput',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').field('label').disableInput(),
    ['TagInput.label'],
  ],
  [
    'field disableFilters',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').field('label').disableFilters(),
    ['TagFiltersInput.label'],
  ],
  [
    'documentId',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').field('documentId').disable(),
    ['TagFiltersInput.documentId', 'Tag.documentId'],
  ],
])('%s takes out exactly that', async (_name, say, removed) => {
  expect((await removedBy(say)).sort()).toEqual([...removed].sort());
});

test('getters tell what was said by the function of their name', async () => {
  const seen: Record<string, unknown> = {};
  const told = ({ shadowCRUD }: GraphqlExtension, uid: string) => {
    const type = shadowCRUD(uid);
    return [
      type.isEnabled(),
      type.isDisabled(),
      type.areQueriesEnabled(),
      type.areQueriesDisabled(),
      type.areMutationsEnabled(),
      type.areMutationsDisabled(),
      type.isActionEnabled('find'),
      type.isActionDisabled('find'),
    ];
  };
  await withShop(
    (extension) => {
      const { shadowCRUD } = extension;
      seen['fresh'] = told(extension, 'api::tag.tag');
      shadowCRUD('api::tag.tag').disableActions(['find', 'findOne']);
      seen['actions'] = told(extension, 'api::tag.tag');
      shadowCRUD('api::category.category').disableQueries();
      seen['queries'] = told(extension, 'api::category.category');
      shadowCRUD('api::setting.setting').disableMutations();
      seen['mutations'] = told(extension, 'api::setting.setting');
      shadowCRUD('api::author.author').disable();
      seen['all'] = told(extension, 'api::author.author');
      const field = shadowCRUD('api::article.article').field('title');
      const tell = () => [
        field.isEnabled(),
        field.isDisabled(),
        field.hasOutputEnabled(),
        field.hasInputEnabled(),
        field.hasFiltersEnabled(),
      ];
      seen['field'] = tell();
      field.disableOutput();
      seen['some'] = tell();
      field.disableInput().disableFilters();
      seen['more'] = tell();
      field.disable();
      seen['field off'] = tell();
    },
    () => undefined,
  );
  expect(seen).toEqual({
    fresh: [true, false, true, false, true, false, true, false],
    actions: [true, false, true, false, true, false, false, true],
    queries: [true, false, false, true, true, false, true, false],
    mutations: [true, false, true, false, false, true, true, false],
    all: [false, true, true, false, true, false, true, false],
    field: [true, false, true, true, true],
    some: [true, false, false, true, true],
    more: [true, false, false, false, false],
    'field off': [false, true, false, false, false],
  });
});

test.each<[string, (extension: GraphqlExtension) => void, string]>([
  [
    'a type',
    ({ shadowCRUD }) => shadowCRUD('api::tags.tag'),
    'names content type "api::tags.tag", which is not there. Did you mean "api::tag.tag"?',
  ],
  [
    'a field',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').field('lable'),
    'field of api::tag.tag "lable", which is not there. Did you mean "label"?',
  ],
  [
    'an action',
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').disableAction('findone' as never),
    'action of api::tag.tag "findone", which is not there. Did you mean "findOne"?',
  ],
])('%s that is not there is refused, with what was meant', async (_name, say, message) => {
  await expect(withShop(say, () => undefined)).rejects.toThrow(`plugin "shop": `);
  await expect(withShop(say, () => undefined)).rejects.toThrow(message);
});

test('what is disabled can still not be asked for', async () => {
  await withShop(
    ({ shadowCRUD }) => shadowCRUD('api::tag.tag').disableQueries(),
    async (app) => {
      const { status, body } = await app.ask('{ tags { label } }');
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
    },
  );
});
