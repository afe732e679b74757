import { singlesAndPairs } from './pairs';

test('every name alone, then every two', () => {
  expect(singlesAndPairs(['a', 'b', 'c'])).toEqual([['a'], ['b'], ['c'], ['a', 'b'], ['a', 'c'], ['b', 'c']]);
});
