import { createTiming, currentTiming, runTimed } from './timing';

/** A clock that says these times, one after the other. */
const clock = (...times: number[]) => {
  const left = [...times];
  return () => left.shift()!;
};

test('parts are told in the order of their first marks, and add up to the total', () => {
  const timing = createTiming(clock(100, 100.5, 101, 103, 104, 105));
  for (const part of ['parse', 'plan', 'database', 'plan']) timing.mark(part);
  expect(timing.told()).toBe('parse;dur=0.500, plan;dur=1.500, database;dur=2.000, render;dur=1.000, total;dur=5.000');
});

test('what marks nothing tells the total alone', () => {
  expect(createTiming(clock(1, 3.25)).told()).toBe('total;dur=2.250');
});

test('a timing is current inside the work that it times, and nowhere else', async () => {
  const timing = createTiming();
  const found = await runTimed(timing, async () => {
    await Promise.resolve();
    return currentTiming();
  });
  expect(found).toBe(timing);
  expect(currentTiming()).toBeUndefined();
});
