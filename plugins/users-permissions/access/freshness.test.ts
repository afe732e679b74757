import { setImmediate as nextTurn } from 'node:timers/promises';
import { createFreshness } from './freshness';

test('requests of one turn ask for the version once, and each knows what this process changed', async () => {
  let [version, asked] = [1, 0];
  const freshness = createFreshness(() => {
    asked += 1;
    return String(version);
  });
  const first = freshness.now();
  version = 2;
  const second = freshness.now();
  expect([asked, freshness.holds(first, second)]).toEqual([1, true]);
  freshness.changed();
  expect(freshness.holds(first, freshness.now())).toBe(false);
  expect(asked).toBe(1);
  await nextTurn();
  const third = freshness.now();
  expect([asked, third.version, freshness.holds(second, third)]).toEqual([2, '2', false]);
});

test('where no version is told, what is known holds for a while', () => {
  const freshness = createFreshness(() => undefined);
  const then = { ...freshness.now(), at: 1_000 };
  expect(freshness.holds(then, { ...then, at: 1_499 })).toBe(true);
  expect(freshness.holds(then, { ...then, at: 1_500 })).toBe(false);
});
