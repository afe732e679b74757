import type { Database } from '../../database/database';
import { close, open, unfit } from '../../dialects/sentinels';
import { joinedTexts } from './joined-texts';

const on = (name: string): Database => ({ dialect: { name } }) as Database;

/** Rows of one document each, whose texts are as long altogether. */
const rowsOf = (document: string, length: number): [string][] =>
  Array.from({ length: Math.ceil(length / document.length) }, () => [document]);

const small = 1_000;
/** More than is made one text of. */
const large = 200_000;

describe.each([
  ['small', small],
  ['large', large],
])('the documents of a %s page', (_, length) => {
  function shown(document: string, name = 'postgres'): unknown[] {
    const rows = rowsOf(document, length);
    const { json, count } = joinedTexts(rows, on(name));
    expect(count).toBe(rows.length);
    const all = JSON.parse(json.toString()) as unknown[];
    expect(all).toHaveLength(rows.length);
    return [...new Set(all.map((each) => JSON.stringify(each)))].map((each) => JSON.parse(each));
  }

  test('are a list', () => {
    expect(shown('{"name":"Ann"}')).toEqual([{ name: 'Ann' }]);
  });

  test('keep letters of any length', () => {
    expect(shown('{"name":"Ærø 東京 🧵"}')).toEqual([{ name: 'Ærø 東京 🧵' }]);
  });

  test('have what is marked spelt as JavaScript does', () => {
    expect(shown(`{"extra":${open}{"a": 1.50, "b": [ 2 ]}${close}}`)).toEqual([{ extra: { a: 1.5, b: [2] } }]);
  });

  test('show as a text what is marked and no JSON', () => {
    expect(shown(`{"extra":${open}{"a": tru${close}}`)).toEqual([{ extra: '{"a": tru' }]);
  });

  test('of MariaDB have escapes in lower case', () => {
    const document = '{"name":"a\\u000B"}';
    expect(joinedTexts(rowsOf(document, length), on('mysql')).json.includes('a\\u000b')).toBe(true);
    expect(shown(document, 'mysql')).toEqual([{ name: 'a\v' }]);
  });

  test('of MariaDB that come in bytes are what they would be in texts', () => {
    const documents = [
      '{"name":"Ærø 東京 🧵"}',
      '{"name":"a\\u000B\\\\u000B\\\\\\u001F\\u0000\\u00AB\\u"}',
      `{"extra":${open}{"a": 1.50, "b": "\\u000B"}${close}}`,
      `{"extra":${open}{"a": tru${close},"more":${open}[ ]${close}}`,
    ];
    for (const document of documents) {
      const texts = rowsOf(document, length);
      const bytes = texts.map(([text]) => [Buffer.from(text)]);
      expect(joinedTexts(bytes, on('mysql')).json.toString()).toBe(joinedTexts(texts, on('mysql')).json.toString());
      expect(joinedTexts(bytes, on('mysql')).count).toBe(texts.length);
    }
  });

  test('that a server could not make are told so', () => {
    const ends = (end: string | Buffer | null) => [...rowsOf('{"name":"Ann"}', length), [end]];
    const tooLarge = expect.objectContaining({ name: 'PayloadTooLargeError' });
    for (const end of [`{"name":${unfit}}`, null]) expect(() => joinedTexts(ends(end), on('mysql'))).toThrow(tooLarge);
    const bytes = [[Buffer.from('{}')], [Buffer.from(unfit)]];
    expect(() => joinedTexts(bytes, on('mysql'))).toThrow(tooLarge);
  });
});

test('no rows are an empty list', () => {
  expect(joinedTexts([], on('postgres')).json.toString()).toBe('[]');
  expect(joinedTexts([], on('mysql')).json.toString()).toBe('[]');
});
