import fc from 'fast-check';
import { flatMapped, flattened } from './flat-mapped';

const lists = fc.array(fc.array(fc.anything()));

test('answers what flatMap and flat answer', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const numbered = (list: unknown[], index: number) => list.map((each) => [index, each] as const);
      expect(flatMapped(all, numbered)).toEqual(all.flatMap(numbered));
      expect(flattened(all)).toEqual(all.flat());
    }),
  );
});

test('takes what is no list, and as much as there is', () => {
  const byName = new Map([
    ['a', [1, 2]],
    ['b', [3]],
  ]);
  expect(flattened(byName.values())).toEqual([1, 2, 3]);
  const long = Array.from({ length: 300_000 }, (_, index) => index);
  expect(flattened([long, long])).toHaveLength(600_000);
});
