import fc from 'fast-check';
import { canonicalEnd } from './canonical-json';

const isCanonical = (text: string): boolean =>
  canonicalEnd(Buffer.from(`${text}\u0002`), 0) === Buffer.byteLength(text);

function spelling(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const pieces = [
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
      if (isCanonical(text)) expect(spelling(text)).toBe(text);
    }),
    { numRuns: 20_000 },
  );
});

test('nothing is taken that was changed in one place, unless it still is spelt so', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom(...pieces), (json, place, piece) => {
      const at = place % (json.length + 1);
      const text = json.slice(0, at) + piece + json.slice(at + 1);
      if (isCanonical(text)) expect(spelling(text)).toBe(text);
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
      if (isCanonical(text)) expect(spelling(text)).toBe(text);
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
])('%s is taken as it is', (text) => expect(isCanonical(text)).toBe(true));

test.each([
  '{"a":1,"a":2}',
  '{"2":1,"1":2}',
  '{"a": 1}',
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
])('%s is left to be spelt anew', (text) => expect(isCanonical(text)).toBe(false));

test('what is nested beyond measure is left, too', () => {
  expect(isCanonical('['.repeat(100) + ']'.repeat(100))).toBe(true);
  expect(isCanonical('['.repeat(50_000) + ']'.repeat(50_000))).toBe(false);
});
