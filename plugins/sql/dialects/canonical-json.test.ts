import fc from 'fast-check';
import { canonicalEnd } from './canonical-json';

/** A text without the blanks that are to be taken out; undefined where it has to be spelt anew. */
function taken(text: string): string | undefined {
  const blanks: number[] = [];
  const bytes = Buffer.from(`${text}\u0002`);
  const end = canonicalEnd(bytes, 0, blanks);
  if (end !== Buffer.byteLength(text)) return undefined;
  return bytes
    .subarray(0, end)
    .filter((_, at) => !blanks.includes(at))
    .toString();
}

function spelling(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const pieces = [
  ', ',
  '"a": ',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  ' ',
  '0',
  '1',
  '5',
  '-',
  '.',
  'e',
  'a',
  'é',
  'true',
  'null',
  '"a":',
  '"1":',
];

test('only what JSON.stringify would spell the same is taken', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 8 }), (parts) => {
      const text = parts.join('');
      expect([undefined, spelling(text)]).toContain(taken(text));
    }),
    { numRuns: 20_000 },
  );
});

test('nothing is taken that was changed in one place, unless it still is spelt so', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom(...pieces), (json, place, piece) => {
      const at = place % (json.length + 1);
      const text = json.slice(0, at) + piece + json.slice(at + 1);
      expect([undefined, spelling(text)]).toContain(taken(text));
    }),
    { numRuns: 5_000 },
  );
});

test('numbers are taken where they are spelt as JavaScript does', () => {
  const number = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.tuple(fc.maxSafeInteger(), fc.nat(20)).map(([digits, dot]) => JSON.stringify(digits / 10 ** dot)),
    fc.stringMatching(/^-?[0-9]{1,10}(\.[0-9]{1,10})?$/),
  );
  fc.assert(
    fc.property(number, (text) => {
      expect([undefined, spelling(text)]).toContain(taken(text));
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  '{"a":1,"b":[true,false,null,-0.5,0.000001,12345.678,{"c":"d\\n\\"é€😀"}],"":{}}',
  '[]',
  '"text"',
  '0',
  '-1',
  '123456789012345',
  '{"a":{"a":1},"b":{"a":1}}',
])('%s is taken as it is', (text) => expect(taken(text)).toBe(text));

test.each([
  ['{"a": 1, "b": [true, {"c d": ", "}]}', '{"a":1,"b":[true,{"c d":", "}]}'],
  ['[1, 2,3]', '[1,2,3]'],
])('%s is taken without its blanks', (text, spelt) => expect(taken(text)).toBe(spelt));

test.each([
  '{"a":1,"a":2}',
  '{"2":1,"1":2}',
  '{"a":  1}',
  '{"a" :1}',
  '{ "a":1}',
  '[1 ]',
  '[1, ]',
  '1.0',
  '1e3',
  '-0',
  '0.0000001',
  '01',
  '"\\u0041"',
  '"\\/"',
  'tru',
  '[1,]',
  '{"a"}',
  '"open',
  '',
])('%s is left to be spelt anew', (text) => expect(taken(text)).toBeUndefined());

test('objects of so many keys that comparing them takes longer than parsing are left', () => {
  const object = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])));
  expect(taken(object(16))).toBe(object(16));
  expect(taken(object(17))).toBeUndefined();
});

test('what is nested beyond measure is left, too', () => {
  expect(taken('['.repeat(100) + ']'.repeat(100))).toBeDefined();
  expect(taken('['.repeat(50_000) + ']'.repeat(50_000))).toBeUndefined();
});
