import type { Bound } from '../store';
import { check, keeps, messagesOf, refuses } from './checking.fixture';
import { numberKinds } from './numbers';

const spelt: readonly (readonly [unknown, Bound])[] = [
  [5, 5],
  ['5', 5],
  [' 7 ', 7],
  ['1e3', 1000],
  ['0x10', 16],
  ['+5', 5],
  ['1.0', 1],
  [[1], 1],
  [1e21, 1e21],
];
const noNumber = (shown: string): string =>
  `f must be a \`number\` type, but the final value was: \`NaN\` (cast from the value \`${shown}\`).`;
const notNumber: readonly (readonly [unknown, string])[] = [
  ['', noNumber('""')],
  [' ', noNumber('" "')],
  ['abc', noNumber('"abc"')],
  ['NaN', noNumber('"NaN"')],
  ['true', noNumber('"true"')],
  [true, noNumber('true')],
  [{}, noNumber('{}')],
  [[], noNumber('[]')],
  [['x'], noNumber('[\n  "\\"x\\""\n]')],
  [[null], noNumber('[\n  "null"\n]')],
];

test('integer', () => {
  keeps({ type: 'integer' }, spelt);
  refuses({ type: 'integer' }, [...notNumber, [1.5, 'f must be an integer'], ['1.5', 'f must be an integer']]);
  expect(check({ type: 'integer' }, 'Infinity')).toEqual({
    refusals: [{ message: 'f must be an integer', value: null }],
  });
  expect(check({ type: 'integer' }, 'abc')).toMatchObject({ refusals: [{ value: null }] });
});

test.each(['float', 'decimal'])('%s', (type) => {
  keeps({ type }, [...spelt, [1.005, 1.005], ['1e-7', 1e-7], [5e-324, 5e-324]]);
  refuses({ type }, notNumber);
  for (const endless of ['Infinity', '1e309', Number.POSITIVE_INFINITY])
    expect(check({ type }, endless)).toEqual({ refusals: [{ message: 'f must be a finite number', value: null }] });
});

test('bounds of numbers: the lower one is for complete documents', () => {
  const definition = { type: 'integer', min: 0, max: 10 };
  expect(check(definition, -1)).toEqual({
    refusals: [{ message: 'f must be greater than or equal to 0', value: -1 }],
  });
  expect(check(definition, -1, 'sketch')).toEqual({ value: -1 });
  refuses(definition, [[11, 'f must be less than or equal to 10']]);
  expect(messagesOf(check(definition, 10.5))).toEqual(['f must be an integer', 'f must be less than or equal to 10']);
});

test('biginteger keeps every digit', () => {
  keeps({ type: 'biginteger' }, [
    [12, 12n],
    ['9007199254740993', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    [' +5 ', 5n],
    ['007', 7n],
  ]);
  refuses(
    { type: 'biginteger' },
    ['', 'x', '12.0', '1e3', 1.5, true, {}, [], [1], '9223372036854775808'].map((given) => [
      given,
      'f must be a valid integer',
    ]),
  );
  const bounded = { type: 'biginteger', min: '9007199254740993', max: '9007199254740995' };
  expect(messagesOf(check(bounded, '9007199254740992'))).toEqual([
    'f must be greater than or equal to 9007199254740993',
  ]);
  expect(messagesOf(check(bounded, '9007199254740996', 'sketch'))).toEqual([
    'f must be less than or equal to 9007199254740995',
  ]);
});

test.each(['1.5', 1.5, 'x'])('a bound of big integers is whole: %j is refused', (max) => {
  const kind = numberKinds.find(({ name }) => name === 'biginteger')!;
  expect(kind.options!.safeParse({ type: 'biginteger', max }).success).toBe(false);
});

test('boolean', () => {
  const [yes, no] = [
    [true, 1, '1', 'true', 'TRUE', [1]],
    [false, 0, '0', 'false', 'FALSE'],
  ];
  keeps({ type: 'boolean' }, [
    ...yes.map((given) => [given, true] as const),
    ...no.map((given) => [given, false] as const),
  ]);
  const shown = (text: string): string => `f must be a \`boolean\` type, but the final value was: \`${text}\`.`;
  refuses({ type: 'boolean' }, [
    ['yes', shown('"yes"')],
    ['', shown('""')],
    ['t', shown('"t"')],
    ['null', shown('"null"')],
    ['constructor', shown('"constructor"')],
    ['__proto__', shown('"__proto__"')],
    [2, shown('2')],
    [-1, shown('-1')],
    [{}, shown('{}')],
    [[], shown('[]')],
  ]);
});
