import fc from 'fast-check';
import { json, jsonFilter, toStoredJson, unwrapped } from './json';
import { UnfitValue } from './kind';

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', [1]],
  ['12', 12],
  ['true', true],
  ['null', null],
  ['"12"', 12],
  ['1.50', 1.5],
])('the text %s stands for what it spells', (text, value) => expect(unwrapped(text)).toEqual(value));

test.each(['"str"', '', 'text', '{bad', '"', '\u0000'])('the text %j stays a text', (text) => {
  expect(unwrapped(text)).toBe(text);
});

test('what is no text is kept as JSON spells it', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      fc.pre(typeof value !== 'string');
      const checked = json.check({ type: 'json' })(value, 'f', 'complete');
      expect(checked).toEqual({ value: value === null ? null : JSON.stringify(value) });
    }),
  );
  expect(toStoredJson(undefined)).toBeNull();
});

test('a filter is a text', () => {
  expect(jsonFilter('{"a":1}')).toBe('{"a":1}');
  expect(() => jsonFilter({ a: 1 })).toThrow(UnfitValue);
});
