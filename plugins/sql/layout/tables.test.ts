import type { LayoutAttribute, LayoutModel } from './model';
import { layoutOf } from './tables';

const string: LayoutAttribute = { storage: 'string' };

const link = (relation: string, target: string, more: object = {}): LayoutAttribute => ({
  storage: 'link',
  relation,
  target,
  ...more,
});

const model = (singularName: string, collectionName: string, attributes: LayoutModel['attributes']): LayoutModel => ({
  uid: `api::${singularName}.${singularName}`,
  modelKind: 'collectionType',
  collectionName,
  singularName,
  attributes,
});

const articleUid = 'api::article.article';
const tagUid = 'api::tag.tag';

const article = model('article', 'articles', {
  title: string,
  internalNote: { storage: 'text' },
  code: { storage: 'integer', columnName: 'theCode', column: { unique: true } },
  author: link('manyToOne', 'plugin::users-permissions.user'),
  tags: link('manyToMany', tagUid, { inversedBy: 'articles' }),
  related: link('manyToMany', articleUid),
  parent: link('manyToOne', articleUid, { inversedBy: 'children' }),
  children: link('oneToMany', articleUid, { mappedBy: 'parent' }),
  friends: link('manyToMany', articleUid, { inversedBy: 'friendOf' }),
  friendOf: link('manyToMany', articleUid, { mappedBy: 'friends' }),
  owner: link('manyToOne', tagUid, { useJoinTable: false, inversedBy: 'owned' }),
  seo: { storage: 'component', component: 'shared.seo', repeatable: false },
  zone: { storage: 'zone', components: ['shared.seo'] },
  gallery: { storage: 'media', multiple: true },
  subject: { storage: 'link', relation: 'morphToOne' },
  mentions: { storage: 'link', relation: 'morphToMany' },
});

const tag = model('tag', 'tags', {
  label: string,
  articles: link('manyToMany', articleUid, { mappedBy: 'tags' }),
  owned: link('oneToMany', articleUid, { mappedBy: 'owner' }),
  subjectOf: link('morphMany', articleUid, { morphBy: 'subject' }),
  mentionedBy: link('morphOne', articleUid, { morphBy: 'mentions' }),
});

const seo: LayoutModel = {
  uid: 'shared.seo',
  modelKind: 'component',
  collectionName: 'components_shared_seos',
  singularName: 'seo',
  attributes: { metaTitle: string },
};

const layout = layoutOf([article, tag, seo]);
const places = layout.types[articleUid]?.places ?? {};
const tagPlaces = layout.types[tagUid]?.places ?? {};
const table = (name: string) => layout.tables.find((each) => each.name === name);
const columnsOf = (name: string) => table(name)?.columns.map((column) => column.name);
const indexesOf = (name: string) => table(name)?.indexes.map((index) => index.name);

test('a content type has its columns between the document id and the standard ones', () => {
  expect(columnsOf('articles')).toEqual([
    ...['id', 'document_id', 'title', 'internal_note', 'theCode', 'owner_id', 'target_id', 'target_type'],
    ...['created_at', 'updated_at', 'published_at', 'created_by_id', 'updated_by_id', 'locale'],
  ]);
  expect(indexesOf('articles')).toEqual([
    ...['articles_documents_idx', 'articles_theCode_uq'],
    ...['articles_owner_id_fk', 'articles_created_by_id_fk', 'articles_updated_by_id_fk'],
  ]);
});

test('a component has its id and its columns only', () => {
  expect(table('components_shared_seos')).toEqual({
    name: 'components_shared_seos',
    columns: [
      { name: 'id', type: 'increments', notNull: true },
      { name: 'meta_title', type: 'string' },
    ],
    indexes: [],
    foreignKeys: [],
  });
});

test('scalars and the standard attributes are in columns', () => {
  expect(places.title).toEqual({ in: 'column', column: 'title', storage: 'string' });
  expect(places.code).toEqual({ in: 'column', column: 'theCode', storage: 'integer' });
  expect(places.documentId).toEqual({ in: 'column', column: 'document_id', storage: 'string' });
  expect(places.publishedAt).toEqual({ in: 'column', column: 'published_at', storage: 'datetime' });
  expect(places.createdBy).toMatchObject({ in: 'joinColumn', column: 'created_by_id', targetTable: 'admin_users' });
});

test('a one-way link to one has no order', () => {
  expect(columnsOf('articles_author_lnk')).toEqual(['id', 'article_id', 'user_id']);
  expect(places.author).toEqual({
    in: 'link',
    table: 'articles_author_lnk',
    ownColumn: 'article_id',
    targetColumn: 'user_id',
    target: 'plugin::users-permissions.user',
    targetTable: 'up_users',
    relation: 'manyToOne',
    many: false,
    inverse: false,
    twoSided: false,
  });
});

test('a two-sided link has the columns swapped on its other side', () => {
  expect(places.tags).toMatchObject({
    table: 'articles_tags_lnk',
    ...{ ownColumn: 'article_id', targetColumn: 'tag_id', orderColumn: 'tag_ord', inverseOrderColumn: 'article_ord' },
    ...{ target: tagUid, targetTable: 'tags', many: true, inverse: false, twoSided: true },
  });
  expect(tagPlaces.articles).toMatchObject({
    table: 'articles_tags_lnk',
    ...{ ownColumn: 'tag_id', targetColumn: 'article_id', orderColumn: 'article_ord', inverseOrderColumn: 'tag_ord' },
    ...{ target: articleUid, targetTable: 'articles', many: true, inverse: true, twoSided: true },
  });
});

test('a type linked to itself is told apart by "inv"', () => {
  expect(columnsOf('articles_related_lnk')).toEqual(['id', 'article_id', 'inv_article_id', 'article_ord']);
  expect(columnsOf('articles_friends_lnk')).toEqual([
    ...['id', 'article_id', 'inv_article_id', 'article_ord', 'inv_article_ord'],
  ]);
  expect(places.friendOf).toMatchObject({
    ...{ ownColumn: 'inv_article_id', targetColumn: 'article_id' },
    ...{ orderColumn: 'inv_article_ord', inverseOrderColumn: 'article_ord' },
  });
  expect(places.children).toMatchObject({
    ...{ table: 'articles_parent_lnk', ownColumn: 'inv_article_id', targetColumn: 'article_id' },
    ...{ orderColumn: 'article_ord', relation: 'oneToMany', many: true, inverse: true },
  });
  expect(places.parent).not.toHaveProperty('orderColumn');
});

test('a link without a table is a column of its owner', () => {
  expect(places.owner).toEqual({ in: 'joinColumn', column: 'owner_id', target: tagUid, targetTable: 'tags' });
  expect(tagPlaces.owned).toEqual({
    in: 'inverseJoinColumn',
    column: 'owner_id',
    target: articleUid,
    targetTable: 'articles',
    many: true,
  });
});

test('components and zones share a table', () => {
  const components = { 'shared.seo': 'components_shared_seos' };
  expect(places.seo).toMatchObject({ table: 'articles_cmps', field: 'seo', zone: false, many: false, components });
  expect(places.zone).toMatchObject({ table: 'articles_cmps', field: 'zone', zone: true, many: true, components });
  expect(indexesOf('articles_cmps')).toEqual([
    ...['articles_field_idx', 'articles_component_type_idx', 'articles_entity_fk', 'articles_uq'],
  ]);
});

test('files are found by type and field', () => {
  expect(places.gallery).toMatchObject({
    ...{ in: 'media', table: 'files_related_mph', ownColumn: 'related_id', targetColumn: 'file_id' },
    ...{ typeColumn: 'related_type', type: articleUid, field: 'gallery', targetTable: 'files', many: true },
  });
});

test('a morph is two columns or a table, and its other side says which', () => {
  expect(places.subject).toEqual({ in: 'morphColumns', idColumn: 'target_id', typeColumn: 'target_type' });
  expect(tagPlaces.subjectOf).toMatchObject({ in: 'inverseMorph', via: places.subject, type: tagUid, many: true });
  expect(places.mentions).toMatchObject({
    ...{ in: 'morphTable', table: 'articles_mentions_mph', ownColumn: 'article_id' },
    ...{ idColumn: 'mentions_id', typeColumn: 'mentions_type' },
  });
  expect(tagPlaces.mentionedBy).toMatchObject({ via: places.mentions, field: 'mentionedBy', many: false });
});

test('a model replaces the system’s of the same uid', () => {
  const roleUid = 'plugin::users-permissions.role';
  const user: LayoutModel = {
    ...model('user', 'up_users', { nickname: string, role: link('manyToOne', roleUid, { inversedBy: 'users' }) }),
    uid: 'plugin::users-permissions.user',
  };
  const names = layoutOf([user])
    .tables.find(({ name }) => name === 'up_users')
    ?.columns.map(({ name }) => name);
  expect(names).toContain('nickname');
  expect(names).not.toContain('email');
});

test('only the tables of given types hold one row per document', () => {
  expect(table('articles')?.documents).toBe(true);
  expect(table('components_shared_seos')?.documents).toBeUndefined();
  expect(table('admin_users')?.documents).toBeUndefined();
});

test('the hash follows the columns', () => {
  expect(layoutOf([article, tag, seo]).hash).toBe(layout.hash);
  expect(layoutOf([article, { ...tag, attributes: { ...tag.attributes, color: string } }, seo]).hash).not.toBe(
    layout.hash,
  );
});

test('what cannot be stored is refused by name', () => {
  expect(() => layoutOf([model('a', 'things', {}), model('b', 'Things', {})])).toThrow('want the table "Things"');
  const shown = { ...model('a', 'things', {}), shown: ['documentId', 'createdAt', 'updatedAt'] };
  expect(() => layoutOf([shown, model('b', 'H_things_rendered', {})])).toThrow('want the table "H_things_rendered"');
  expect(() => layoutOf([model('a', 'things', { ab1: string, ab_1: string })])).toThrow('want the column "ab_1"');
  expect(() => layoutOf([model('a', 'things', { to: link('oneToOne', 'api::none.none') })])).toThrow(
    '"api::none.none"',
  );
  const astray = model('a', 'things', { to: link('oneToOne', 'api::a.a', { mappedBy: 'nothing' }) });
  expect(() => layoutOf([astray])).toThrow('mapped by "nothing" of api::a.a');
});
