import { buildSchema, NoFragmentCyclesRule, parse, validate } from 'graphql';
import { sizeErrors } from './size';

const schema = buildSchema('type Query { name: String, self: Query }');

const fragments = (bodies: Readonly<Record<string, string>>): string =>
  Object.entries(bodies)
    .map(([name, body]) => `fragment ${name} on Query { ${body} }`)
    .join(' ');
const told = (document: string): unknown[] => sizeErrors(parse(document)).map((error) => error.toJSON());

test.each([
  ['of one', '{ ...A }', { A: 'name ...A' }],
  ['of two', '{ ...A }', { A: 'self { ...B }', B: 'name ...A' }],
  ['of three, behind another', '{ ...A }', { A: '...B', B: '...C', C: '... { ...D }', D: '...B' }],
  ['that no operation leads to', '{ name }', { A: '...B', B: '...A' }],
])('a circle %s is told in the words of the validation', (_, operation, bodies) => {
  const document = `${operation} ${fragments(bodies)}`;
  const valid = validate(schema, parse(document), [NoFragmentCyclesRule]).map((error) => error.toJSON());
  expect(valid).toHaveLength(1);
  expect(told(document)).toEqual(valid);
});

test('circles are told however many there are, and however long a way through them is', () => {
  const trunk = Array.from({ length: 50 }, (_, at) => [`A${at}`, `name ...A${at + 1} ...B${at}x0`]);
  const branch = (of: number) =>
    Array.from({ length: 40 }, (_, at) => [`B${of}x${at}`, at < 39 ? `...B${of}x${at + 1}` : `...A${of && of - 1}`]);
  const all = [...trunk, ['A50', 'name'], ...trunk.flatMap((_, of) => branch(of))];
  for (const each of [all, all.toReversed()]) {
    const [error] = sizeErrors(parse(`{ ...A0 } ${fragments(Object.fromEntries(each))}`));
    expect(error?.message).toMatch(/^Cannot spread fragment "A\d+" within itself via /);
  }
});

test('a chain of fragments is refused where it is too long when it is written out, whatever way leads there', () => {
  const chain = (length: number, last: string) =>
    Array.from({ length }, (_, at): [string, string] => [
      `F${at}`,
      at < length - 1 ? `...F${at + 1} self { ...F${at + 1} }` : last,
    ]);
  const refusal = [{ message: 'The document has too many levels. The maximum is 300.' }];
  const asked = (bodies: [string, string][]) => `{ ...F0 } ${fragments(Object.fromEntries(bodies))}`;
  // Written out, it would be of more fields than anybody can count.
  expect(told(asked(chain(200, 'name')))).toEqual(refusal);
  expect(told(asked(chain(200, 'name').toReversed()))).toEqual(refusal);
  const levels = (count: number): string => (count === 0 ? 'name' : `self { ${levels(count - 1)} }`);
  const above = (count: number) => `${'self { '.repeat(count)} ...F ${'}'.repeat(count)}`;
  const twice = (count: number) => `{ ...F } fragment F on Query { ${levels(200)} } query B { ${above(count)} }`;
  expect(told(twice(99))).toEqual(refusal);
  expect(told(twice(98))).toEqual([]);
});
