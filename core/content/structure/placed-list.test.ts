import fc from 'fast-check';
import { PlacedList } from './placed-list';

const row = fc.integer({ min: 1, max: 9 });
const rows = fc.uniqueArray(row, { minLength: 1, maxLength: 4 });
const move = fc.record({ rows, at: fc.constantFrom('start', 'end', 'before', 'after'), others: rows });

type Move = typeof move extends fc.Arbitrary<infer Made> ? Made : never;

/** The same on a plain list, which is gone through each time. */
function moved(list: readonly number[], { rows: moving, at, others }: Move): number[] {
  const rest = list.filter((each) => !moving.includes(each));
  const found = (each: number): boolean => others.includes(each);
  const places = { start: 0, end: rest.length, before: rest.findIndex(found), after: rest.findLastIndex(found) + 1 };
  const place = places[at as keyof typeof places];
  const isThere = at === 'start' || at === 'end' || rest.some(found);
  return isThere ? [...rest.slice(0, place), ...moving, ...rest.slice(place)] : rest;
}

function apply(list: PlacedList, { rows: moving, at, others }: Move): void {
  list.remove(moving);
  if (at === 'start') list.prepend(moving);
  else if (at === 'end') list.append(moving);
  else list.place(moving, at as 'before' | 'after', others);
}

test('rows are moved as in a list that is gone through', () => {
  fc.assert(
    fc.property(fc.uniqueArray(row), fc.array(move, { maxLength: 6 }), (start, moves) => {
      const list = new PlacedList(start);
      let model = start;
      for (const each of moves) {
        apply(list, each);
        model = moved(model, each);
        expect([...list]).toEqual(model);
      }
    }),
    { numRuns: 500 },
  );
});

test('what is told says whether one of the others is there', () => {
  const list = new PlacedList([1, 2]);
  expect([list.place([3], 'before', [9]), list.place([3], 'before', [9, 2])]).toEqual([false, true]);
  expect([...list]).toEqual([1, 3, 2]);
});

test('moves cost the same in a long list', () => {
  const list = new PlacedList(Array.from({ length: 50_000 }, (_, at) => at));
  const begun = performance.now();
  for (let at = 0; at < 50_000; at++) {
    list.remove([at]);
    list.place([at], 'after', [(at * 7_919 + 1) % 50_000]);
  }
  // Gone through at each of them, the list would take a minute.
  expect(performance.now() - begun).toBeLessThan(5_000);
});
