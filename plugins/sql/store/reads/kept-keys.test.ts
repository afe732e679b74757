import { createChoices } from './choices';
import { createTotals, keyOf } from './totals';

const statement = { sql: 'select ?, ?' };

test('what is kept has a key of its own, whatever its values hold', () => {
  const all: unknown[][] = [
    ['a', 'b\u0000c'],
    ['a\u0000b', 'c'],
    ['a\nb', 'c'],
    [null, ''],
    ['', ''],
    ['', null],
    ['null', ''],
    [1, 2],
    ['1', '2'],
    [1n, 2],
    [Number.POSITIVE_INFINITY, 2],
    [Number.NEGATIVE_INFINITY, 2],
    ['x'.repeat(5_000), 'y'],
    ['x'.repeat(5_000), 'z'],
  ];
  expect(new Set(all.map((values) => keyOf(statement, values))).size).toBe(all.length);
});

test('long values make no long key', () => {
  expect(keyOf(statement, ['x'.repeat(1_000_000), 'y']).length).toBeLessThan(200);
});

test('what has long keys makes room for each other', async () => {
  const totals = createTotals();
  const choices = createChoices<number>();
  const long = (name: string): string => name.repeat(2_000_000);
  for (const name of ['a', 'b', 'c']) {
    totals.set(long(name), '1', 7);
    await choices.of(long(name), async () => 1);
  }
  expect(['a', 'b', 'c'].map((name) => totals.get(long(name), '1'))).toEqual([undefined, 7, 7]);
  expect(await choices.of(long('c'), async () => 2)).toBe(1);
  expect(await choices.of(long('a'), async () => 2)).toBe(2);
});

test('a choice is kept for a minute', async () => {
  jest.useFakeTimers();
  try {
    const choices = createChoices<number>();
    let chosen = 0;
    const choose = async (): Promise<number> => ++chosen;
    expect([await choices.of('a', choose), await choices.of('a', choose), await choices.of('b', choose)]).toEqual([
      1, 1, 2,
    ]);
    jest.advanceTimersByTime(61_000);
    expect([await choices.of('a', choose), await choices.of('a', choose)]).toEqual([3, 3]);
    jest.advanceTimersByTime(61_000);
    // Only one finds out anew; whoever asks meanwhile goes on as before.
    expect(await Promise.all([choices.of('a', choose), choices.of('a', choose)])).toEqual([4, 3]);
    choices.keep('a', 9);
    expect(await choices.of('a', choose)).toBe(9);
  } finally {
    jest.useRealTimers();
  }
});
