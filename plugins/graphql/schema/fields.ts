import type { Attribute, ContentType, Nested, ScalarStorage, Spelling } from '../../../core';
import { enumName, isWordName, wordName } from '../names';

const scalarOf: Readonly<Record<ScalarStorage, string>> = {
  string: 'String',
  text: 'String',
  json: 'JSON',
  date: 'Date',
  time: 'Time',
  datetime: 'DateTime',
  timestamp: 'DateTime',
  integer: 'Int',
  biginteger: 'Long',
  float: 'Float',
  decimal: 'Float',
  boolean: 'Boolean',
};

const spellingOf: Readonly<Partial<Record<ScalarStorage, Spelling>>> = {
  biginteger: { as: 'exactNumber' },
  timestamp: { as: 'datetime' },
};

const allWords = ({ kind, definition }: Attribute): string[] | undefined =>
  kind.name === 'enumeration' ? (definition['enum'] as unknown[]).map(String) : undefined;

/** Words of an enumeration that can have no name, such as `1a`. */
export const nameless = (attribute: Attribute): string[] =>
  (allWords(attribute) ?? []).filter((word) => !isWordName(wordName(word)));

/** The words of an enumeration; undefined for other kinds, and where one has no name: then all of them are texts. */
export const wordsOf = (attribute: Attribute): string[] | undefined =>
  nameless(attribute).length === 0 ? allWords(attribute) : undefined;

const isIdentifier = ({ name, system }: Attribute): boolean => system && (name === 'documentId' || name === 'id');

/** What a value is in answers and in inputs. */
export function valueType(type: string, attribute: Attribute): string {
  if (isIdentifier(attribute)) return 'ID';
  return wordsOf(attribute) ? enumName(type, attribute.name) : scalarOf[attribute.kind.storage];
}

/** What conditions on a value are made of: the words of an enumeration are texts to them. */
export const conditionType = (attribute: Attribute): string =>
  `${isIdentifier(attribute) ? 'ID' : scalarOf[attribute.kind.storage]}FilterInput`;

export function spellingIn(attribute: Attribute): Spelling | undefined {
  // An identifier is a text, also where it is a number.
  if (isIdentifier(attribute)) return attribute.name === 'id' ? { as: 'biginteger' } : undefined;
  const words = wordsOf(attribute)?.filter((word) => wordName(word) !== word) ?? [];
  if (words.length > 0) return { words: Object.fromEntries(words.map((word) => [word, wordName(word)])) };
  return spellingOf[attribute.kind.storage];
}

/** Never told, though the type shows that it is there. */
export function isSecret({ definition: { options } }: ContentType, { name, kind, definition }: Attribute): boolean {
  const privately = (options['privateAttributes'] as readonly string[] | undefined) ?? [];
  return kind.concealed === true && definition['private'] !== true && !privately.includes(name);
}

/** As on the peer, the other side of a link to anything is no field. */
export const isField = (member: Attribute | Nested | undefined): member is Attribute | Nested =>
  member !== undefined && member.definition['morphBy'] === undefined;

/** The type's own attributes in the order of its schema file, then those that the service keeps. */
export function membersOf(type: ContentType): (Attribute | Nested)[] {
  const names = [...Object.keys(type.definition.attributes), ...type.attributes.keys(), ...type.nested.keys()];
  return [...new Set(names)]
    .filter((name) => name !== 'id' && name !== 'documentId')
    .map((name) => type.attributes.get(name) ?? type.nested.get(name))
    .filter(isField);
}

export const isNested = (member: Attribute | Nested): member is Nested => 'storage' in member;
