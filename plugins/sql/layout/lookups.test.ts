import { lookupsOf } from './lookups';
import type { LayoutModel } from './model';
import { layoutOf } from './tables';

const article: LayoutModel = {
  uid: 'api::article.article',
  modelKind: 'collectionType',
  collectionName: 'articles',
  singularName: 'article',
  attributes: {
    title: { storage: 'string' },
    metaCode: { storage: 'string', unique: true },
    number: { storage: 'biginteger', unique: true, columnName: 'no' },
    motto: { storage: 'text', unique: true },
    author: { storage: 'link', relation: 'manyToOne', target: 'api::author.author' },
  },
};

test('pages and unique attributes have an index that ends in the order and holds what decides whether a row is seen', () => {
  expect(lookupsOf(article, 'articles')).toEqual([
    { name: 'h_articles_id_idx', columns: ['id', 'published_at', 'locale'] },
    {
      name: 'h_articles_meta_code_idx',
      columns: ['meta_code', 'id', 'published_at', 'locale'],
      orderedBy: 'meta_code',
    },
    { name: 'h_articles_no_idx', columns: ['no', 'id', 'published_at', 'locale'], orderedBy: 'no' },
  ]);
});

test('what the configuration asks for has an index of that kind, once', () => {
  const names = ['title', 'metaCode', 'updatedAt'];
  expect(lookupsOf({ ...article, sortedBy: names }, 'articles').map(({ name }) => name)).toEqual([
    'h_articles_id_idx',
    'h_articles_meta_code_idx',
    'h_articles_no_idx',
    'h_articles_title_idx',
    'h_articles_updated_at_idx',
  ]);
});

test('what lists may ask of rows is in one narrow index, rows of a status together and numbers before texts', () => {
  const attributes: LayoutModel['attributes'] = {
    ...article.attributes,
    title: { storage: 'string', listed: true },
    price: { storage: 'decimal', listed: true },
    password: { storage: 'string' },
  };
  const narrow = (model: LayoutModel) => lookupsOf(model, 'articles').find((each) => each.narrow);
  expect(narrow({ ...article, attributes })).toEqual({
    name: 'h_articles_narrow',
    columns: ['published_at', 'locale', 'price', 'created_at', 'updated_at', 'title'],
    narrow: true,
  });
  expect(narrow({ ...article, attributes, modelKind: 'singleType' })).toBeUndefined();
  const many = Array.from({ length: 40 }, (_, at) => [`n${at}`, { storage: 'integer', listed: true }] as const);
  expect(narrow({ ...article, attributes: Object.fromEntries(many) })?.columns).toHaveLength(24);
});

test('sessions and users are found by an index each, which is there once where the project asks for it, too', () => {
  const lookups = (models: readonly LayoutModel[], table: string) =>
    layoutOf(models)
      .tables.find(({ name }) => name === table)
      ?.lookups?.map(({ name }) => name);
  expect(lookups([], 'strapi_sessions')).toEqual([
    'h_strapi_sessions_session_id_idx',
    'h_strapi_sessions_user_id_idx',
    'h_strapi_sessions_absolute_expires_at_idx',
  ]);
  const user: LayoutModel = {
    uid: 'plugin::users-permissions.user',
    modelKind: 'collectionType',
    collectionName: 'up_users',
    singularName: 'user',
    attributes: {
      email: { storage: 'string', unique: true },
      resetPasswordToken: { storage: 'string' },
      confirmationToken: { storage: 'string' },
      role: {
        storage: 'link',
        relation: 'manyToOne',
        target: 'plugin::users-permissions.role',
        inversedBy: 'users',
      },
    },
  };
  expect(lookups([user], 'up_users')).toEqual([
    'h_up_users_id_idx',
    'h_up_users_email_idx',
    'h_up_users_reset_password_token_idx',
    'h_up_users_confirmation_token_idx',
  ]);
});
