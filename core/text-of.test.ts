import { textOf } from './text-of';

test('is what JavaScript makes of it, also of what JavaScript can make none of', () => {
  const plain: unknown[] = ['a', 1, -0, true, null, undefined, 10n, [], [1, [2, 'b']], [null, undefined], {}, [{}]];
  expect(plain.map(textOf)).toEqual(plain.map(String));
  const odd = { toString: 1 };
  expect([odd, [odd, 1], [[odd]]].map(textOf)).toEqual(['[object Object]', '[object Object],1', '[object Object]']);
});
