import { appFolder } from '../testing/app-folder';
import { createEnv, readVariables } from './env';

const env = createEnv({
  PORT: '80',
  HALF: '0.5',
  ON: 'true',
  OFF: 'false',
  LIST: '[a, "b c",d]',
  TREE: '{"a":1}',
  DAY: '2020-01-02',
  WORD: 'blue',
  EMPTY: '',
});

test('variables are read as what they are meant for', () => {
  expect(env('WORD')).toBe('blue');
  expect(env.int('PORT')).toBe(80);
  expect(env.float('HALF')).toBe(0.5);
  expect([env.bool('ON'), env.bool('OFF'), env.bool('EMPTY')]).toEqual([true, false, false]);
  expect(env.array('LIST')).toEqual(['a', 'b c', 'd']);
  expect(env.array('EMPTY')).toEqual([]);
  expect(env.json('TREE')).toEqual({ a: 1 });
  expect(env.date('DAY')).toEqual(new Date('2020-01-02'));
  expect(env.oneOf('WORD', ['red', 'blue'])).toBe('blue');
});

test('a fallback stands in for what is absent', () => {
  expect([env('X'), env('X', 'y'), env.int('X', 3), env.bool('X', true), env.array('X', ['z'])]).toEqual([
    undefined,
    'y',
    3,
    true,
    ['z'],
  ]);
});

test.each([
  ['a whole number', () => env.int('HALF'), 'environment variable HALF: is "0.5", which is no whole number.'],
  ['a number', () => env.float('WORD'), 'which is no number.'],
  ['a boolean', () => env.bool('WORD'), 'which is no boolean'],
  ['JSON', () => env.json('WORD'), 'which is no JSON.'],
  ['a date', () => env.date('WORD'), 'which is no date.'],
  ['one of a list', () => env.oneOf('WORD', ['red']), 'which is no one of red.'],
])('what is not %s is refused by name', (_what, read, message) => {
  expect(read).toThrow(message);
});

test('the variables of the process win over those of .env and stay as they are', () => {
  const folder = appFolder({ '.env': '# comment\nA=file\nB="two words"\n', 'other.env': 'A=other' });
  const own = { A: 'process' };
  expect(readVariables(folder.appDir, own)).toEqual({ A: 'process', B: 'two words' });
  expect(readVariables(folder.appDir, {})).toEqual({ A: 'file', B: 'two words' });
  expect(readVariables(folder.appDir, { ENV_PATH: 'other.env' })).toMatchObject({ A: 'other' });
  expect(own).toEqual({ A: 'process' });
  folder.remove();
});

test.each([
  ['A=1\nK: 5\nZ=2', 2],
  ['A=1\nH\nZ=2', 2],
  ['A=1\n=J', 2],
  ['A="1\n2"\nH', 3],
  ['A="1\nZ', 2],
])('a line that gives no variable is refused, for the next one would be lost with it: %j', (text, line) => {
  const folder = appFolder({ '.env': text });
  try {
    expect(() => readVariables(folder.appDir, {})).toThrow(`.env: gives no variable in line ${line}.`);
  } finally {
    folder.remove();
  }
});

test.each([
  ['\uFEFFA=1', '1'],
  ['# K: 5\r\n\r\n  export A = 1 # one\r\n', '1'],
  ["A='it is\nhere: now'\nB=", 'it is\nhere: now'],
  ['A=" #"\nB=`x', ' #'],
])('what Node reads is read: %j', (text, value) => {
  const folder = appFolder({ '.env': text });
  try {
    expect(readVariables(folder.appDir, {})['A']).toBe(value);
  } finally {
    folder.remove();
  }
});

test('a file that can not be read is told by name', () => {
  const folder = appFolder({ 'not-a-file/x': '' });
  expect(() => readVariables(folder.appDir, { ENV_PATH: 'not-a-file' })).toThrow(/not-a-file: can't be read: EISDIR/);
  folder.remove();
});
