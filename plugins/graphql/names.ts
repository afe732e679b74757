import type { ContentType } from '../../core';

const capital = (word: string): string => `${word[0]!.toUpperCase()}${word.slice(1)}`;

/** The words of a name: runs of letters, told apart by capitals, and runs of digits. */
const wordsOf = (name: string): string[] => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];

const inCapitals = (name: string): string =>
  wordsOf(name)
    .map((word) => capital(word.toLowerCase()))
    .join('');

const lowerFirst = (name: string): string => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;

/** `Upload` for a type of plugin upload; nothing for an application's own. */
const pluginOf = (uid: string): string => (uid.startsWith('plugin::') ? inCapitals(uid.slice(8).split('.')[0]!) : '');

/** What a content type and everything made for it is called. */
export interface TypeNames {
  readonly type: string;
  readonly one: string;
  readonly list: string;
}

export function namesOf({ uid, modelKind, singularName, pluralName }: ContentType): TypeNames {
  if (modelKind === 'component') {
    const [category = '', name = ''] = uid.split('.');
    const type = `Component${inCapitals(category)}${inCapitals(name)}`;
    return { type, one: type, list: type };
  }
  const plugin = pluginOf(uid);
  const type = `${plugin}${inCapitals(singularName)}`;
  return { type, one: lowerFirst(type), list: lowerFirst(`${plugin}${inCapitals(pluralName)}`) };
}

export const enumName = (type: string, attribute: string): string =>
  `ENUM_${type.toUpperCase()}_${attribute.toUpperCase()}`;

/** A word as the name of an enumeration's value. */
export const wordName = (word: string): string => word.replace(/[^_a-zA-Z0-9]/g, '_');

export const zoneName = (type: string, attribute: string): string => `${type}${inCapitals(attribute)}DynamicZone`;

/** Whether an enumeration's value can be called this. */
export const isWordName = (name: string): boolean => isName(name) && !['true', 'false', 'null'].includes(name);

export const isName = (name: string): boolean => /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !name.startsWith('__');
