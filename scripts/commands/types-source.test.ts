import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type AnyPlugin, CONTENT } from '../../core';
import { appFolder } from '../../core/testing/app-folder';
import { pluginOf, testApplication } from '../../core/testing/test-application';
import { packageRoot } from '../package-root';
import { typesSource } from './types-source';

const collection = (name: string, pluralName: string, attributes: object) => ({
  kind: 'collectionType',
  collectionName: pluralName.replaceAll('-', '_'),
  info: { singularName: name, pluralName, displayName: name },
  attributes,
});

const shelf = pluginOf('shelf', ({ hooks }) => {
  hooks.content.kinds.tap('shelf', (kinds) => kinds.add('picture', { name: 'picture', dormant: 'there is no shelf' }));
});

async function sourceOf(files: Record<string, object>, plugins: readonly AnyPlugin[] = []): Promise<string> {
  const app = await testApplication({ plugins: [shelf, ...plugins], files });
  const source = typesSource(app.kernel.services.get(CONTENT));
  await app.remove();
  return source;
}

/** What the compiler says of a source file, line by line. */
function mistakesIn(source: string): string[] {
  const { appDir, remove } = appFolder({ 'types.ts': source });
  const compiler = join(packageRoot, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(compiler, ['--noEmit', '--strict', 'types.ts'], { cwd: appDir, encoding: 'utf8' });
  remove();
  return stdout.split('\n').filter(Boolean);
}

test('a type is written as its answers show it', async () => {
  const attributes = {
    title: { type: 'string', required: true },
    secret: { type: 'password' },
    state: { type: 'enumeration', enum: ['new', "it's old"] },
    count: { type: 'biginteger' },
    rank: { type: 'integer' },
    extra: { type: 'json' },
    cover: { type: 'picture' },
    'odd-name': { type: 'boolean', required: true },
  };
  expect(
    await sourceOf({ 'src/api/post/content-types/post/schema.json': collection('post', 'posts', attributes) }),
  ).toBe(`// Written by \`heddle types\`.

/** post: api::post.post */
export interface Post {
  id: number;
  documentId: string;
  title: string;
  state: 'new' | 'it\\'s old' | null;
  count: string | null;
  rank: number | null;
  extra: unknown;
  'odd-name': boolean;
  createdAt: string;
  updatedAt: string;
  // cover is not served: there is no shelf
}

export interface ContentTypes {
  'api::post.post': Post;
}

export interface ContentParameters {
  'api::post.post': Record<never, never>;
}
`);
});

test('what is populated may be absent: relations, components, zones, links to anything', async () => {
  const relation = (form: string, target: string) => ({ type: 'relation', relation: form, target });
  const attributes = {
    writer: relation('manyToOne', 'api::post.post'),
    'see-also': relation('manyToMany', 'api::post.post'),
    about: { type: 'relation', relation: 'morphToOne' },
    marks: { type: 'relation', relation: 'morphToMany' },
    hidden: { ...relation('oneToOne', 'api::post.post'), private: true },
    seo: { type: 'component', component: 'shared.seo' },
    parts: { type: 'component', component: 'shared.seo', repeatable: true },
    zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
  };
  const source = await sourceOf({
    'src/api/post/content-types/post/schema.json': collection('post', 'posts', attributes),
    'src/components/shared/seo.json': {
      info: {},
      attributes: { inner: { type: 'component', component: 'shared.quote' } },
    },
    'src/components/shared/quote.json': { info: {}, attributes: {} },
  });
  expect(source).toContain(`  writer?: Post | null;
  'see-also'?: Post[];
  about?: ({ __type: string } & Record<string, unknown>) | null;
  marks?: ({ __type: string } & Record<string, unknown>)[];
  seo?: SharedSeo | null;
  parts?: SharedSeo[];
  zone?: (({ __component: 'shared.seo' } & SharedSeo) | ({ __component: 'shared.quote' } & SharedQuote))[];
}`);
  expect(source).toContain('export interface SharedSeo {\n  id: number;\n  inner?: SharedQuote | null;\n}');
});

test('what is written compiles, and tells the variants of a type by the parameters that choose them', async () => {
  const market = pluginOf('market', ({ hooks }) => {
    hooks.content.dimensions.tap('market', (dimensions) =>
      dimensions.add('market', {
        name: 'market',
        attribute: { name: 'market', definition: { type: 'string' } },
        appliesTo: ({ info }) => info.singularName === 'post',
        choose: () => ({ is: 'eu' }),
      }),
    );
  });
  const source = await sourceOf(
    {
      'src/api/post/content-types/post/schema.json': collection('post', 'posts', {
        zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.quote'] },
      }),
      'src/components/shared/seo.json': { info: {}, attributes: { text: { type: 'text' } } },
      'src/components/shared/quote.json': { info: {}, attributes: { by: { type: 'string' } } },
    },
    [market],
  );
  expect(source).toContain('  market: string | null;\n');
  expect(source).toContain("export interface ContentParameters {\n  'api::post.post': { market?: string };\n}");
  const use = `
    declare const post: ContentTypes['api::post.post'];
    for (const entry of post.zone ?? [])
      if (entry.__component === 'shared.seo') entry.text?.trim();
      else entry.by?.trim();
  `;
  expect(mistakesIn(source + use)).toEqual([]);
  expect(mistakesIn(`${source}declare const post: Post; post.zone?.[0]?.nothing;`)[0]).toMatch(
    "'nothing' does not exist",
  );
});

test('types of one name are told apart, and components have their category', async () => {
  const source = await sourceOf({
    'src/api/post/content-types/post/schema.json': collection('post', 'posts', {}),
    'src/api/blog/content-types/post/schema.json': collection('post', 'blog-posts', {}),
    'src/components/shared/seo.json': { info: {}, attributes: { text: { type: 'text' } } },
  });
  expect(source).toContain("'api::post.post': ApiPostPost;");
  expect(source).toContain("'api::blog.post': ApiBlogPost;");
  expect(source).toContain('export interface SharedSeo {\n  id: number;\n  text: string | null;\n}');
});

test('names that are none, or that the source has a use for, are replaced by longer ones', async () => {
  const file = (name: string, api = name) => `src/api/${api}/content-types/${name}/schema.json`;
  const odd = { state: { type: 'enumeration', enum: ['two\nlines', `it's "new"`] } };
  const source = await sourceOf({
    [file('record')]: collection('record', 'records', {
      zone: { type: 'dynamiczone', components: ['2col.seo'] },
      about: { type: 'relation', relation: 'morphToOne' },
    }),
    [file('content-types')]: collection('content-types', 'all-types', {}),
    [file('content-parameters')]: collection('content-parameters', 'all-parameters', {}),
    [file('2fa')]: {
      ...collection('2fa', '2fas', odd),
      info: { singularName: '2fa', pluralName: '2fas', displayName: 'a */ b' },
    },
    [file('c', 'a-b')]: collection('c', 'cs', {}),
    [file('c', 'd')]: collection('c', 'other-cs', {}),
    [file('api-a-bc')]: collection('api-a-b-c', 'api-cs', {}),
    'src/components/2col/seo.json': { info: {}, attributes: { text: { type: 'text' } } },
  });
  for (const [uid, name] of [
    ['api::record.record', 'ApiRecordRecord'],
    ['api::content-types.content-types', 'ApiContentTypesContentTypes'],
    ['api::2fa.2fa', 'Api2fa2fa'],
    ['api::a-b.c', 'ApiABC2'],
    ['api::api-a-bc.api-a-b-c', 'ApiABC'],
    ['2col.seo', 'Component2colSeo'],
  ])
    expect(source).toContain(`  '${uid}': ${name};`);
  expect(mistakesIn(source)).toEqual([]);
});
