import { printed, wrongType } from './messages';

const nested = (depth: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};

test('values are printed whole while they are small', () => {
  expect(printed({ a: [1, 'b', null] })).toBe('{\n  "a": [\n    "1",\n    "\\"b\\"",\n    "null"\n  ]\n}');
  expect(wrongType('text', 'string', nested(20))).toMatchObject({ value: nested(20) });
});

test('what is nested deeply or long is cut, in the message and in the value', () => {
  const { message, value } = wrongType('text', 'string', nested(200_000));
  expect(message).toContain('…');
  expect(message.length).toBeLessThan(20_000);
  expect(JSON.stringify(value).length).toBeLessThan(1_000);
  expect(printed('y'.repeat(1_000_000)).length).toBeLessThan(20_000);
  expect(printed(Array.from({ length: 500_000 }, () => ({ a: 1 }))).length).toBeLessThan(20_000);
});
