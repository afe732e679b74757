import { z } from 'zod';
import { schemaProblems } from './schema-problems';

const lines = (schema: z.ZodType, value: unknown): string[] =>
  schemaProblems(schema, value, 'config/x', 'key').problems.map(({ at, what, remedy }) => `${at}: ${what} ${remedy}`);

test('wrong values name their place', () => {
  expect(lines(z.strictObject({ a: z.strictObject({ b: z.int() }) }), { a: { b: 'x' } })).toEqual([
    'key.a.b: Invalid input: expected number, received string. Correct the value.',
  ]);
});

test('wrong keys are told with what was meant, through defaults, unions, lists and transformations', () => {
  const inner = z.strictObject({ size: z.int().optional() });
  const wrong = 'is no known option. Remove it. Did you mean "size"?';
  expect(lines(inner, { sise: 1 })).toEqual([`key.sise: ${wrong}`]);
  expect(lines(z.strictObject({ a: inner.default({}) }), { a: { sise: 1 } })).toEqual([`key.a.sise: ${wrong}`]);
  expect(lines(z.union([z.boolean(), inner]).default(true), { sise: 1 })).toEqual([`key.sise: ${wrong}`]);
  expect(lines(z.strictObject({ list: z.array(inner) }), { list: [{}, { sise: 1 }] })).toEqual([
    `key.list.1.sise: ${wrong}`,
  ]);
  expect(
    lines(
      inner.transform(({ size }) => size),
      { sise: 1 },
    ),
  ).toEqual([`key.sise: ${wrong}`]);
});

test('where no alternative of a union fits, all are told', () => {
  const expected = (names: string): string[] => [`key: Invalid input: expected ${names}. Correct the value.`];
  const listed = z.union([z.boolean(), z.string(), z.array(z.string())]);
  expect(lines(listed, 3)).toEqual(expected('boolean, string or array'));
  expect(lines(z.union([z.string(), listed]), 3)).toEqual(expected('string, boolean or array'));
  expect(lines(z.union([z.literal(-1), z.enum(['a', 'b'])]), 3)).toEqual(expected('-1, "a" or "b"'));
  const isFunction = z.custom((value) => typeof value === 'function', 'function');
  expect(lines(z.union([z.string(), isFunction]), 3)).toEqual(expected('string or function'));
});

test('where the kind of an alternative fits, that is told alone', () => {
  const size = z.union([z.int(), z.string().regex(/^\d+$/)]);
  expect(lines(size, 'x')).toEqual(['key: Invalid string: must match pattern /^\\d+$/. Correct the value.']);
  expect(lines(z.union([z.boolean(), z.array(z.string())]), ['a', 2])).toEqual([
    'key.1: Invalid input: expected string, received number. Correct the value.',
  ]);
});

test('a union that says itself what it expects is left alone', () => {
  const own = z.union([z.boolean(), z.string()], { error: 'must be clear' });
  expect(lines(own, 3)).toEqual(['key: must be clear. Correct the value.']);
});
