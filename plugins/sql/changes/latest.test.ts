import { setImmediate as nextTurn } from 'node:timers/promises';
import { createLatest } from './latest';

/** Work that goes on until it is told to end. */
function slowWork() {
  const ends: (() => void)[] = [];
  let runs = 0;
  const latest = createLatest(async () => {
    const run = ++runs;
    await new Promise<void>((resolve) => void ends.push(resolve));
    return run;
  });
  const untilBegun = async (run: number): Promise<void> => {
    for (let turn = 0; turn < 10 && runs < run; turn++) await nextTurn();
    expect(runs).toBe(run);
  };
  const end = (): void => ends.shift()!();
  return { latest, end, untilBegun, begun: () => runs };
}

test('work begins at the end of a turn, for all who came in it', async () => {
  const { latest, end, untilBegun, begun } = slowWork();
  const first = latest();
  await Promise.resolve();
  const second = latest();
  expect(begun()).toBe(0);
  await untilBegun(1);
  end();
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});

test('who comes while it is done waits for the next run, with all who come until that begins', async () => {
  const { latest, end, untilBegun, begun } = slowWork();
  const first = latest();
  await untilBegun(1);
  const second = latest();
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(begun()).toBe(1);
  end();
  expect(await first).toBe(1);
  const third = latest();
  await untilBegun(2);
  const fourth = latest();
  end();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await untilBegun(3);
  end();
  expect(await fourth).toBe(3);
});

test('a failure is told to those who waited for it, and the next run is another', async () => {
  let runs = 0;
  const latest = createLatest(async () => {
    if (++runs === 1) throw new Error('gone');
    return runs;
  });
  const all = await Promise.allSettled([latest(), latest()]);
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await latest()).toBe(2);
});

test('who comes while it fails waits for the next run', async () => {
  let runs = 0;
  let fail: () => void;
  const latest = createLatest(async () => {
    if (++runs === 1) await new Promise((_, reject) => (fail = () => reject(new Error('gone'))));
    return runs;
  });
  const first = latest();
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const second = latest();
  fail!();
  await expect(first).rejects.toThrow('gone');
  expect(await second).toBe(2);
});

test('work that fails at once is no different', async () => {
  let runs = 0;
  const latest = createLatest(() => {
    if (++runs === 1) throw new Error('gone');
    return Promise.resolve(runs);
  });
  await expect(latest()).rejects.toThrow('gone');
  expect(await latest()).toBe(2);
});
