import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createStaging, type Staging } from './staging';
import type { Sweep } from './sweeping';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'heddle-staging-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const never = (error: unknown): void => {
  throw error;
};

/** Sweeps, and counts of how many processes something was left. */
async function swept({ sweep }: Staging, { settle = async () => undefined, tell = never }: Partial<Sweep> = {}) {
  const counted: number[] = [];
  await sweep({ settle, tell, done: (count) => void counted.push(count) });
  return counted;
}

test('an application leaves alone what another one of its process is at', async () => {
  const first = createStaging(root);
  await first.open();
  const second = createStaging(root);
  await second.open();
  expect(await swept(second)).toEqual([0]);
  expect(await first.receive(Readable.from(['hello']))).toMatchObject({ size: 5 });
  await Promise.all([first.close(), second.close()]);
  expect(readdirSync(root)).toEqual([]);
});

test('what an application of this process left when it stopped is settled', async () => {
  const first = createStaging(root);
  await first.open();
  await first.note({ doing: 'something' });
  await first.close();
  const second = createStaging(root);
  await second.open();
  const settled: unknown[] = [];
  expect(await swept(second, { settle: async (note) => void settled.push(note) })).toEqual([1]);
  expect(settled).toEqual([{ doing: 'something' }]);
  await second.close();
});

test('what an earlier process with the same number left is settled', async () => {
  const folder = join(root, `0123456789ab.${process.pid}.${hostname()}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.json'), '{}');
  const staging = createStaging(root);
  await staging.open();
  expect(await swept(staging)).toEqual([1]);
  await staging.close();
  expect(readdirSync(root)).toEqual([]);
});

test('what can not be settled now is told, and left for the next start, without what was settled', async () => {
  const first = createStaging(root);
  await first.open();
  for (const name of ['a', 'b', 'c']) await first.note({ name });
  await first.close();
  const start = async (refused: (name: string) => boolean) => {
    const staging = createStaging(root);
    await staging.open();
    const [settled, told]: [string[], unknown[]] = [[], []];
    const [count] = await swept(staging, {
      async settle(note) {
        const { name } = note as { name: string };
        if (refused(name)) throw new Error(name);
        settled.push(name);
      },
      tell: (error) => void told.push(error),
    });
    await staging.close();
    return { swept: count, settled, told: told.length };
  };
  const before = await start((name) => name === 'b');
  expect(before).toMatchObject({ swept: 0, told: 1 });
  const after = await start(() => false);
  expect(after).toMatchObject({ swept: 1, told: 0 });
  expect([...before.settled, ...after.settled].sort()).toEqual(['a', 'b', 'c']);
  expect(readdirSync(root)).toEqual([]);
});

describe('of other machines', () => {
  const minute = 60_000;
  const others = ['behind', 'ahead', 'alike'].map((host) => `0123456789ab.1.${host}`);
  const skews = [-10 * minute, 10 * minute, 0];
  let staging: Staging;

  /** Shows the processes on other machines, each by its own clock. */
  const beat = (after: number): void => {
    for (const [index, other] of others.entries()) {
      const shown = new Date(Date.now() + skews[index]! + after);
      utimesSync(join(root, other), shown, shown);
    }
  };

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate', 'queueMicrotask'] });
    for (const other of others) {
      mkdirSync(join(root, other));
      writeFileSync(join(root, other, 'a.json'), '{}');
    }
    beat(0);
    staging = createStaging(root);
    await staging.open();
  });
  afterEach(() => jest.useRealTimers());

  test('those that show themselves are left alone, whatever their clocks say', async () => {
    const settle = jest.fn();
    const counted: number[] = [];
    await staging.sweep({ settle, tell: never, done: (count) => void counted.push(count) });
    beat(10_000);
    jest.advanceTimersByTime(3 * minute);
    while (counted.length < 2) await new Promise(setImmediate);
    await staging.close();
    expect(readdirSync(root)).toEqual(others.toSorted());
    expect(settle).not.toHaveBeenCalled();
  });

  test('what those left that show themselves no more is settled after a while, whatever their clocks said', async () => {
    const settle = jest.fn(async () => undefined);
    const counted: number[] = [];
    await staging.sweep({ settle, tell: never, done: (count) => void counted.push(count) });
    jest.advanceTimersByTime(minute);
    expect(settle).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2 * minute);
    while (counted.length < 2) await new Promise(setImmediate);
    expect([counted, settle.mock.calls]).toEqual([
      [0, 3],
      [[{}], [{}], [{}]],
    ]);
    await staging.close();
    expect(readdirSync(root)).toEqual([]);
  });

  test('a stop waits for nobody to show himself', async () => {
    expect(await swept(staging)).toEqual([0]);
    await staging.close();
    jest.advanceTimersByTime(3 * minute);
    expect(readdirSync(root)).toHaveLength(3);
  });
});
