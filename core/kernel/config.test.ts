import { z } from 'zod';
import { createConfigDeclarations } from './config';

const declared = () => {
  let adding = 'one';
  const config = createConfigDeclarations(() => adding);
  const declare = (file: string, keys: object): void => config.declarations.declare(file as never, keys as never);
  return {
    ...config,
    declare,
    as: (name: string) => {
      adding = name;
    },
  };
};

test('declared keys are checked and get their defaults, whether the file is there or not', () => {
  const { declare, check } = declared();
  declare('color', { depth: z.int().default(8), name: z.string().optional() });
  expect(check({}).config).toEqual({ color: { depth: 8, name: undefined } });
  expect(check({ color: { depth: 24 } }).problems).toEqual([]);
});

test('unknown files and keys are refused, with what was meant', () => {
  const { declare, check } = declared();
  declare('color', { depth: z.int().default(8) });
  const lines = check({ colour: {}, color: { detph: 1 } }).problems.map(({ where, at, remedy }) => [where, at, remedy]);
  expect(lines).toEqual([
    ['config/colour', undefined, 'Remove it. Did you mean "color"?'],
    ['config/color', 'detph', 'Remove it. Did you mean "depth"?'],
  ]);
});

test('wrong values name the path inside the file', () => {
  const { declare, check } = declared();
  declare('color', { range: z.strictObject({ from: z.int(), to: z.int() }) });
  const problems = check({ color: { range: { from: 'x', too: 1 } } }).problems;
  expect(problems.map(({ at }) => at)).toEqual(['range.from', 'range.to', 'range.too']);
  expect(problems[2]!.remedy).toContain('Did you mean "to"?');
});

test('a file must hold an object', () => {
  const { declare, check } = declared();
  declare('color', { depth: z.int().default(8) });
  expect(check({ color: [] }).problems[0]!.what).toBe('does not hold an object.');
});

test('inert keys and unread files are accepted with a notice', () => {
  const { declare, declarations, check } = declared();
  declare('color', { depth: z.int().default(8) });
  declarations.inert('color', { gamma: 'screens do that.' });
  declarations.inert('panel', { '*': 'there is none.' });
  declarations.unread('color', 'never said, for it is declared.');
  declarations.unread('sound', 'it is quiet.');
  const { problems, notices } = check({ color: { gamma: 2 }, panel: { any: 1 }, sound: { loud: true } });
  expect(problems).toEqual([]);
  expect(notices).toEqual([
    'config/sound is without effect: it is quiet.',
    'config/color gamma is without effect: screens do that.',
    'config/panel any is without effect: there is none.',
  ]);
});

test('two plugins over one key are both named; different keys of one file are fine', () => {
  const { declare, check, as } = declared();
  declare('color', { depth: z.int().default(8) });
  as('two');
  declare('color', { name: z.string().optional() });
  expect(check({}).problems).toEqual([]);
  declare('color', { depth: z.int() });
  expect(check({}).problems[0]).toMatchObject({
    at: 'depth',
    what: 'is declared by plugin "one" and by plugin "two".',
  });
});
