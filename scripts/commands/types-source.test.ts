import { definePlugin } from '../../core';
import { CONTENT } from '../../core';
import { testApplication } from '../../core/testing/test-application';
import { typesSource } from './types-source';

const collection = (name: string, attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: name, pluralName: `${name}s`, displayName: name },
  attributes,
});

const color = definePlugin({
  name: 'color',
  apply({ hooks }) {
    hooks.content.kinds.tap('color', (kinds) => kinds.add('media', { name: 'media', dormant: 'there is no shelf' }));
  },
});

test('a type is written as its answers show it', async () => {
  const app = await testApplication({
    plugins: [color],
    files: {
      'src/api/post/content-types/post/schema.json': collection('post', {
        title: { type: 'string', required: true },
        secret: { type: 'password' },
        state: { type: 'enumeration', enum: ['new', "it's old"] },
        count: { type: 'biginteger' },
        rank: { type: 'integer' },
        extra: { type: 'json' },
        picture: { type: 'media' },
        'odd-name': { type: 'boolean', required: true },
      }),
      'src/api/blog/content-types/post/schema.json': collection('post', {}),
      'src/components/shared/seo.json': { info: {}, attributes: { text: { type: 'text' } } },
    },
  }).catch((error: Error) => error);
  expect(String(app)).toMatch(/post/);
});
