import type { TypeDefinition } from '../../core';

const uid = 'plugin::i18n.locale';

/** A locale as a document: it can be asked for like others, and is changed by this plugin alone. */
const localeType: TypeDefinition = {
  uid,
  file: 'plugin "i18n"',
  modelKind: 'collectionType',
  collectionName: 'i18n_locale',
  info: { singularName: 'locale', pluralName: 'locales', displayName: 'Locale' },
  options: { draftAndPublish: false },
  pluginOptions: {},
  attributes: { name: { type: 'string', min: 1, max: 50 }, code: { type: 'string', unique: true } },
};

export const withLocaleType = (definitions: readonly TypeDefinition[]): TypeDefinition[] => [
  ...definitions.filter((definition) => definition.uid !== uid),
  localeType,
];
