import { collectParameters } from '../store/select/statement-parts';
import { foldAscii, nested, storedJson } from './dialect';
import { mysql } from './mysql';
import { postgres } from './postgres';
import { sqlite } from './sqlite';

const dialects = [sqlite, mysql, postgres];

test('names and texts are quoted', () => {
  expect(dialects.map(({ id }) => id('a"b`c'))).toEqual(['"a""b`c"', '`a"b``c`', '"a""b`c"']);
  expect(dialects.map(({ literal }) => literal("a'b\\c"))).toEqual(["'a''b\\c'", "'a''b\\\\c'", "'a''b\\c'"]);
});

test('functions that take few arguments are nested', () => {
  expect(nested('f', ['a', 'b'], 2)).toBe('f(a,b)');
  expect(nested('f', ['a', 'b', 'c', 'd', 'e'], 2)).toBe('f(f(f(a,b),f(c,d)),f(f(e)))');
  const many = Array.from({ length: 2_000 }, (_, index) => `c${index}`);
  for (const { concat } of dialects) {
    const text = concat(many);
    for (const name of many) expect(text).toContain(name);
    expect(text.match(/concat\(/g)!.length).toBeGreaterThan(1);
  }
});

test('only letters of ASCII are folded', () => expect(foldAscii('AÄİ\u212a-Z')).toBe('aÄİ\u212a-z'));

test('JSON is compared in the one way in which it is stored', () => {
  expect(storedJson('{ "a" : 1.0 }')).toBe('{"a":1}');
  expect(storedJson('text')).toBe('"text"');
});

test('parameters stand in the order of their placeholders', () => {
  const texts = dialects.map((dialect) => {
    const parameters = collectParameters(dialect);
    const text = `${parameters.add(2, String)} ${parameters.add(0, (value) => value)} ${parameters.add(2, (value) => Number(value) + 1)}`;
    return [text, parameters.values(['a', 'b', 5])];
  });
  expect(texts).toEqual([
    ['+? +? +?', ['5', 'a', 6]],
    ['? ? ?', ['5', 'a', 6]],
    ['$1 $2 $3', ['5', 'a', 6]],
  ]);
});

test('whole numbers of PostgreSQL are compared within 64 bits, by a number that gives the same answer', () => {
  const bound = (comparison: 'eq' | 'ne' | 'lt' | 'gte' | 'gt' | 'lte', value: number) => {
    const parameters = collectParameters(postgres);
    postgres.compare('c', 'integer', comparison, 0, parameters);
    return parameters.values([value])[0];
  };
  expect(bound('lt', 2.5)).toBe('3');
  expect(bound('gte', 2.5)).toBe('3');
  expect(bound('gt', 2.5)).toBe('2');
  expect(bound('lte', -2.5)).toBe('-3');
  expect(bound('eq', 1e30)).toBe('9223372036854775807');
});

test('values come back from a database as they went', () => {
  const values = [
    ['datetime', '2024-02-29T23:59:59.999Z'],
    ['timestamp', '1969-12-31T23:59:59.000Z'],
    ['biginteger', 5n],
    ['boolean', true],
    ['boolean', false],
    ['string', ''],
    ['date', '2024-02-29'],
    ['json', null],
  ] as const;
  for (const { name, store, load } of dialects)
    for (const [storage, value] of values) {
      const stored = store(value, storage);
      const raw = typeof stored === 'bigint' && name === 'sqlite' ? Number(stored) : stored;
      expect([name, storage, load(raw, storage)]).toEqual([name, storage, value]);
    }
});
