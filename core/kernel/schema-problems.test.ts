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

test('where no alternative of a union fits, the whole value is wrong', () => {
  expect(lines(z.union([z.boolean(), z.string()]), 3)).toEqual(['key: Invalid input. Correct the value.']);
});
