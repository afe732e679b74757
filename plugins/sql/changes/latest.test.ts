import { createLatest } from './latest';

test('work is shared by those who want it done after they asked', async () => {
  const ends: (() => void)[] = [];
  let runs = 0;
  const latest = createLatest(async () => {
    const run = ++runs;
    await new Promise<void>((resolve) => void ends.push(resolve));
    return run;
  });
  const first = latest();
  const [second, third] = [latest(), latest()];
  ends.shift()!();
  expect(await first).toBe(1);
  await new Promise(setImmediate);
  const fourth = latest();
  ends.shift()!();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await new Promise(setImmediate);
  ends.shift()!();
  expect(await fourth).toBe(3);
});

test('a failure is told to those who waited for it, and the next run is another', async () => {
  let runs = 0;
  const latest = createLatest(async () => {
    if (++runs === 1) throw new Error('gone');
    return runs;
  });
  const [first, second] = [latest(), latest()];
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe(2);
});
