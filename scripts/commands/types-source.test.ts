import { CONTENT } from '../../core';
import { pluginOf, testApplication } from '../../core/testing/test-application';
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

async function sourceOf(files: Record<string, object>): Promise<string> {
  const app = await testApplication({ plugins: [shelf], files });
  const source = typesSource(app.kernel.services.get(CONTENT));
  await app.remove();
  return source;
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
`);
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
