import type { AttributeDefinition } from '../definition';
import type { Bound } from '../store';
import { type AttributeKind, type Checked, type Strictness, UnfitValue } from './kind';
import { shippedKinds } from './shipped';

const kindOf = (name: string): AttributeKind => shippedKinds.find((kind) => kind.name === name)!;

function check(definition: AttributeDefinition, value: unknown, strictness: Strictness = 'complete'): Checked {
  return kindOf(definition.type).check(definition)(value, 'f', strictness);
}

const messagesOf = (checked: Checked): string[] =>
  'refusals' in checked ? checked.refusals.map(({ message }) => message) : [];

/** Each value is kept as the one beside it. */
function keeps(definition: AttributeDefinition, pairs: readonly (readonly [given: unknown, kept: Bound])[]): void {
  for (const [given, kept] of pairs) {
    expect([given, check(definition, given)]).toEqual([given, { value: kept }]);
    expect([given, check(definition, given, 'sketch')]).toEqual([given, { value: kept }]);
  }
}

/** Each value is refused with the message beside it, in both strictnesses. */
function refuses(definition: AttributeDefinition, pairs: readonly (readonly [given: unknown, message: string])[]) {
  for (const [given, message] of pairs) {
    expect([given, messagesOf(check(definition, given))]).toEqual([given, [message]]);
    expect([given, messagesOf(check(definition, given, 'sketch'))]).toEqual([given, [message]]);
  }
}

const wrongText = (shown: string): string =>
  `f must be a \`string\` type, but the final value was: ${'`'}${shown}${'`'}.`;
const notText: readonly (readonly [unknown, string])[] = [
  [5, wrongText('5')],
  [true, wrongText('true')],
  [{}, wrongText('{}')],
  [[], wrongText('[]')],
  [{ a: '1' }, wrongText('{\n  "a": "\\"1\\""\n}')],
  [['x'], wrongText('[\n  "\\"x\\""\n]')],
  [[null], wrongText('[\n  "null"\n]')],
];

describe.each(['string', 'text', 'richtext', 'password'])('%s', (type) => {
  test('keeps any text as it is', () => {
    keeps(
      { type },
      ['', ' ', '  a ', 'Ünïcödé 🙂', 'nul\u0000l', '\u0001\u0002\u001f', '\u2028'].map((text) => [text, text]),
    );
  });

  test('refuses what is no text', () => refuses({ type }, notText));

  test('length and pattern', () => {
    const definition = { type, minLength: 2, maxLength: 3, regex: '^[a-z]+$' };
    expect(messagesOf(check(definition, 'a'))).toEqual(['f must be at least 2 characters']);
    expect(messagesOf(check(definition, 'abcd'))).toEqual(['f must be at most 3 characters']);
    expect(messagesOf(check(definition, 'AB'))).toEqual(['f must match the following: "/^[a-z]+$/"']);
    expect(messagesOf(check(definition, 'abcd', 'sketch'))).toEqual(['f must be at most 3 characters']);
    expect(check(definition, 'A', 'sketch')).toEqual({ value: 'A' });
    expect(check({ type, regex: '^x+$' }, '')).toEqual({ value: '' });
  });
});

test('only a string has a length of its own, counted in UTF-16 units', () => {
  expect(check({ type: 'string' }, '🙂'.repeat(127))).toEqual({ value: '🙂'.repeat(127) });
  expect(check({ type: 'string' }, 'a'.repeat(256))).toEqual({
    refusals: [{ message: 'f must be at most 255 characters', value: 'a'.repeat(256) }],
  });
  expect(check({ type: 'string', maxLength: 300 }, 'a'.repeat(300))).toHaveProperty('value');
  for (const type of ['text', 'richtext', 'password', 'email']) {
    const long = type === 'email' ? `${'a'.repeat(300)}@x.org` : 'a'.repeat(70_000);
    expect(check({ type }, long)).toEqual({ value: long });
  }
});

describe('email', () => {
  test.each(['ü@x.org', '"a b"@x.org', 'a@x.o', 'a+b@x.org', 'A@X.ORG', "o'neil@x.org"])('keeps %s', (address) => {
    expect(check({ type: 'email' }, address)).toEqual({ value: address });
  });

  test.each([
    'a',
    'a@',
    'a@x',
    '@x.org',
    ' a@x.org',
    'a@x.org ',
    'a@x..org',
    'a..b@x.org',
    'a@1.2.3.4',
    'a@[1.2.3.4]',
    'a,b@x.org',
  ])('refuses "%s" once the document is complete', (address) => {
    expect(messagesOf(check({ type: 'email' }, address))).toEqual(['f must be a valid email']);
    expect(check({ type: 'email' }, address, 'sketch')).toEqual({ value: address });
  });

  test('refuses an empty text and what is no text', () => {
    expect(messagesOf(check({ type: 'email' }, ''))).toEqual(['f cannot be empty']);
    expect(check({ type: 'email' }, '', 'sketch')).toEqual({ value: '' });
    refuses({ type: 'email' }, notText);
  });

  test('a hostile address is judged at once', () => {
    const start = performance.now();
    expect(messagesOf(check({ type: 'email' }, `a@${'a-'.repeat(30_000)}!`))).toHaveLength(1);
    expect(messagesOf(check({ type: 'email' }, `${'a.'.repeat(30_000)}@`))).toHaveLength(1);
    expect(performance.now() - start).toBeLessThan(500);
  });
});

test('uid holds what may stand in a path', () => {
  keeps({ type: 'uid' }, [
    ['', ''],
    ['A-b_c.~9', 'A-b_c.~9'],
  ]);
  for (const slug of ['a b', 'ä', 'a/b']) {
    expect(messagesOf(check({ type: 'uid' }, slug))).toEqual(['f must match the following: "/^[A-Za-z0-9-_.~]*$/"']);
    expect(check({ type: 'uid' }, slug, 'sketch')).toEqual({ value: slug });
  }
  expect(messagesOf(check({ type: 'uid', regex: '^[a-z]+$' }, 'A'))).toEqual([
    'f must match the following: "/^[a-z]+$/"',
  ]);
  refuses({ type: 'uid' }, notText);
});

test('enumeration takes what is listed, and numbers by their text', () => {
  const definition = { type: 'enumeration', enum: ['basic', '5', 'true'] };
  keeps(definition, [
    ['basic', 'basic'],
    [5, '5'],
    [true, 'true'],
  ]);
  refuses(definition, [
    ['', 'f must be one of the following values: basic, 5, true, '],
    ['Basic', 'f must be one of the following values: basic, 5, true, '],
    [6, 'f must be one of the following values: basic, 5, true, '],
  ]);
  expect(check(definition, 6)).toEqual({ refusals: [expect.objectContaining({ value: '6' })] });
  expect(messagesOf(check({ ...definition, required: true }, 'x'))).toEqual([
    'f must be one of the following values: basic, 5, true',
  ]);
  expect(messagesOf(check(definition, {}))).toEqual([
    wrongText('{}'),
    'f must be one of the following values: basic, 5, true, ',
  ]);
});

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
    [2, shown('2')],
    [-1, shown('-1')],
    [{}, shown('{}')],
    [[], shown('[]')],
  ]);
});

describe('times that can not be read are told alone', () => {
  const unreadable = (type: string, pairs: readonly (readonly [unknown, string])[]): void => {
    for (const [given, message] of pairs)
      for (const strictness of ['complete', 'sketch'] as const)
        expect([given, check({ type }, given, strictness)]).toEqual([given, { unreadable: message }]);
  };

  test('date', () => {
    keeps({ type: 'date' }, [
      ['2024-01-01', '2024-01-01'],
      ['2024-01-01T23:30:00-05:00', '2024-01-01'],
      ['2024-01-01x', '2024-01-01'],
      ['0000-01-01', '0000-01-01'],
      ['2024-02-29', '2024-02-29'],
    ]);
    const form = ['', 5, 1704067200000, '2024-1-1', '2024-13-01', '2024-00-01', true, {}, [], ' 2024-01-01'];
    unreadable(
      'date',
      form.map((given) => [given, 'Invalid format, expected yyyy-MM-dd']),
    );
    unreadable('date', [
      ['2023-02-29', 'Invalid date'],
      ['2024-02-30', 'Invalid date'],
    ]);
  });

  test('time', () => {
    keeps({ type: 'time' }, [
      ['10:11:12', '10:11:12.000'],
      ['10:11:12.5', '10:11:12.500'],
      ['23:59:59.999', '23:59:59.999'],
    ]);
    unreadable(
      'time',
      ['24:00:00', '10:00', '10:00:00Z', ' 10:00:00', '10:00:00.0000', ''].map((given) => [
        given,
        'Invalid time format, expected HH:mm:ss.SSS',
      ]),
    );
    unreadable('time', [
      [5, 'Expected a string, got a number'],
      [true, 'Expected a string, got a boolean'],
      [{}, 'Expected a string, got a object'],
      [[], 'Expected a string, got a object'],
    ]);
  });

  test.each(['datetime', 'timestamp'])('%s', (type) => {
    keeps({ type }, [
      ['2024', '2024-01-01T00:00:00.000Z'],
      [1000, '1000-01-01T00:00:00.000Z'],
      [1, '1970-01-01T00:00:00.001Z'],
      [0, '1970-01-01T00:00:00.000Z'],
      [-1, '1969-12-31T23:59:59.999Z'],
      ['1704067200000', '2024-01-01T00:00:00.000Z'],
      ['2024-01-01T00:00:00+01:30', '2023-12-31T22:30:00.000Z'],
    ]);
    unreadable(
      type,
      [
        '',
        true,
        false,
        {},
        [],
        1.5,
        1e20,
        'x',
        '2023-02-29',
        '2023-13-01',
        '2024-01-01T25:00',
        ' 2024-01-01',
        '12:00',
      ].map((given) => [given, 'Invalid format, expected a timestamp or an ISO date']),
    );
    unreadable(type, [['+010000-01-01', 'Invalid format, expected a timestamp or an ISO date']]);
  });
});

describe('filters', () => {
  const filters = (type: string, pairs: readonly (readonly [unknown, Bound])[]): void => {
    for (const [given, bound] of pairs) expect([given, kindOf(type).toFilter(given)]).toEqual([given, bound]);
  };
  const unfit = (type: string, values: readonly unknown[]): void => {
    for (const given of values) expect(() => kindOf(type).toFilter(given)).toThrow(UnfitValue);
  };

  test('texts are compared as they are', () => {
    for (const type of ['string', 'text', 'richtext', 'email', 'uid', 'enumeration'])
      filters(type, [
        ['a', 'a'],
        ['', ''],
        [5, '5'],
      ]);
  });

  test('numbers', () => {
    for (const type of ['integer', 'float', 'decimal']) {
      filters(type, [
        ['30.0', 30],
        ['3e1', 30],
        [' 30', 30],
        ['0x1e', 30],
        ['+30', 30],
        ['.5', 0.5],
        ['99999999999999999999', 1e20],
      ]);
      unfit(type, ['', 'abc', '30abc', '1,5', 'NaN', 'Infinity', 'null', 'true']);
    }
    filters('biginteger', [
      [' 12 ', 12n],
      ['-9007199254740993', -9007199254740993n],
      ['9'.repeat(40), BigInt('9'.repeat(40))],
    ]);
    unfit('biginteger', ['12.0', '1e1', '12.5', '', 'x']);
  });

  test('booleans', () => {
    filters('boolean', [
      ['false', false],
      ['0', false],
      ['f', false],
      ['', false],
      ['no', true],
      ['TRUE', true],
      ['null', true],
    ]);
  });

  test('times', () => {
    filters('date', [['2021-06-01 00:00', '2021-06-01']]);
    filters('time', [['09:00:00.5', '09:00:00.500']]);
    filters('datetime', [
      ['2021-06', '2021-06-01T00:00:00.000Z'],
      ['1622505600000', '2021-06-01T00:00:00.000Z'],
      ['2020', '2020-01-01T00:00:00.000Z'],
    ]);
    unfit('date', ['2021-6-1', '', 'x', '2021-02-30']);
    unfit('time', ['10:00', '9:00:00', '25:00:00', '']);
    unfit('datetime', ['', 'null', 'true', '2020-02-30', '2021-6-1', '06/01/2021', ' 2021-06-01']);
  });
});
