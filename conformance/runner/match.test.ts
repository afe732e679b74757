import { match, matcherProblems } from './match';
import type { Json } from './row';

const fits = (expected: Json, got: Json | undefined) => match(expected, got).length === 0;

const cases: [name: string, expected: Json, good: (Json | undefined)[], bad: (Json | undefined)[]][] = [
  [
    'plain values',
    { a: [1, null, 'x'] },
    [{ a: [1, null, 'x'] }],
    [{ a: [1, null] }, { a: [1, null, 'x'], b: 1 }, {}, null],
  ],
  ['null is not absence', { a: null }, [{ a: null }], [{}]],
  ['$any', '$any', [null, 0, {}], [undefined]],
  ['what every object has', { $partial: { constructor: { $absent: true } } }, [{}], [{ constructor: 1 }]],
  ['what every object has, wanted', { $partial: { toString: '$any' } }, [{ toString: 1 }], [{}]],
  ['$string', '$string', ['', 'x'], [1, null, undefined]],
  ['$integer', '$integer', [0, -1], [1.5, '1', null]],
  ['$number', '$number', [0, 1.5], ['1', null]],
  ['$boolean', '$boolean', [true, false], [0, 'true', null]],
  ['$iso', '$iso', ['2024-02-29T10:20:30.000Z'], ['2024-02-29', '2024-02-29T10:20:30Z', 0]],
  ['$documentId', '$documentId', ['a1'.repeat(12)], ['a1', 'A1'.repeat(12), 24]],
  ['$is', { $is: '$any' }, ['$any'], ['x', undefined]],
  ['$absent', { a: { $absent: true } }, [{}], [{ a: null }]],
  ['$not', { $not: 'x' }, ['y', null], ['x', undefined]],
  ['$matches', { $matches: '^a' }, ['ab'], ['ba', 1, undefined]],
  ['$length', { $length: 2 }, [[1, 2]], [[1], 'ab', undefined]],
  [
    '$partial',
    { $partial: { a: 1, b: { $absent: true } } },
    [{ a: 1, c: 2 }],
    [{ a: 2 }, { a: 1, b: 1 }, [], undefined],
  ],
  ['$each', { $each: '$integer' }, [[1, 2]], [[1, 'x'], [], undefined]],
  ['$pluck', { $pluck: { a: [1, 2] } }, [[{ a: 1 }, { a: 2, b: 0 }]], [[{ a: 2 }, { a: 1 }], [], { a: 1 }]],
  [
    '$sorted up',
    { $sorted: 'a:asc' },
    [[], [{ a: 1 }, { a: 1 }, { a: null }, { a: 2 }], [{ a: '2024' }, { a: '2025' }]],
    [[{ a: 2 }, { a: 1 }], {}, undefined],
  ],
  ['$sorted down', { $sorted: 'a:desc' }, [[{ a: 2 }, { a: 1 }]], [[{ a: 1 }, { a: 2 }]]],
  ['$unordered', { $unordered: [1, 2, 2] }, [[2, 1, 2]], [[1, 2], [1, 1, 2], [1, 2, 2, 3], 1]],
  ['$all', { $all: ['$string', { $not: 'x' }] }, ['y'], ['x', 1]],
  ['$anyOf', { $anyOf: [1, '$string'] }, [1, 'x'], [2, null]],
];

test.each(cases)('%s', (_, expected, good, bad) => {
  expect(matcherProblems(expected)).toEqual([]);
  for (const value of good) expect(match(expected, value)).toEqual([]);
  for (const value of bad) expect(fits(expected, value)).toBe(false);
});

test('a difference says where and what', () => {
  expect(match({ data: [{ name: 'a' }], meta: {} }, { data: [{ name: 'b' }], meta: {} })).toEqual([
    { path: 'body.data.0.name', expected: 'a', got: 'b' },
  ]);
});

test.each<[Json, RegExp]>([
  ['$nope', /unknown matcher \$nope/],
  [{ a: [{ $nope: 1 }] }, /unknown matcher \$nope/],
  [{ $length: 'x' }, /\$length can't take "x"/],
  [{ $partial: [] }, /can't take/],
  [{ $partial: { a: '$nope' } }, /unknown matcher/],
  [{ $length: 1, a: 2 }, /stands beside/],
])('%j is no matcher', (matcher, problem) => {
  expect(matcherProblems(matcher).join()).toMatch(problem);
});

test('an unknown matcher is an error of the runner, not of the target', () => {
  expect(() => match('$nope', 'x')).toThrow('Unknown matcher $nope');
  expect(() => match({ $nope: 1 }, 'x')).toThrow('Unknown matcher $nope');
});
