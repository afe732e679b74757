import type { TypeDefinition } from '../../core';
import { localizedProblems } from './localized-options';

const definition = (localized: unknown, ofName: unknown): TypeDefinition => ({
  uid: 'api::post.post',
  file: 'post.json',
  modelKind: 'collectionType',
  collectionName: 'posts',
  info: { singularName: 'post', pluralName: 'posts', displayName: 'post' },
  options: {},
  pluginOptions: { i18n: { localized } },
  attributes: { name: { type: 'string', pluginOptions: { i18n: { localized: ofName } } }, other: { type: 'string' } },
});

test('whether there are locales is told by true and false alone', () => {
  for (const plain of [true, false, undefined, null]) expect(localizedProblems([definition(plain, plain)])).toEqual([]);
  expect(localizedProblems([definition('yes', 1)])).toEqual(
    ['', '/attributes/name'].map((at) =>
      expect.objectContaining({ where: 'post.json', at: `${at}/pluginOptions/i18n/localized` }),
    ),
  );
});
