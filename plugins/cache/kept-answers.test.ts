import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Logger, madeOf, type StoreAnswer } from '../../core';
import { createKeptAnswers } from './kept-answers';
import { type CacheOptions, cacheOptions } from './options';

/** A store whose changes a test tells. */
function setUp(options: Partial<CacheOptions> = {}) {
  const numbers = new Map<string, number>();
  let current = 0;
  let silence: Error | undefined;
  const changes = {
    begin: async () => undefined,
    catchUp: async () => {
      if (silence) throw silence;
      return current;
    },
    latest: (names: readonly string[]) => Math.max(0, ...names.map((name) => numbers.get(name) ?? 0)),
  };
  const log = { info: jest.fn(), warn: jest.fn() };
  const kept = createKeptAnswers({ ...cacheOptions.parse({}), ...options }, changes, log as unknown as Logger);
  let runs = 0;
  const answer = (text = `"${++runs}"`): StoreAnswer => ({ json: Buffer.from(`[${text}]`), count: 1 });
  return {
    kept,
    log,
    silent: (error?: Error) => (silence = error),
    change: (...names: string[]) => {
      current += 1;
      for (const name of names) numbers.set(name, current);
    },
    ask: async (key: string, run: () => StoreAnswer | Promise<StoreAnswer> = answer, reads = ['a', 'b']) =>
      (await kept.answer({ key, reads }, run)).json.toString(),
    answer,
  };
}

test('an answer holds until something changes that it was read from', async () => {
  const { ask, change, kept } = setUp();
  expect([await ask('x'), await ask('x'), await ask('y')]).toEqual(['["1"]', '["1"]', '["2"]']);
  change('c');
  expect(await ask('x')).toBe('["1"]');
  change('b');
  expect([await ask('x'), await ask('x')]).toEqual(['["3"]', '["3"]']);
  expect(kept.counts()).toMatchObject({ hits: 3, misses: 3, answers: 2 });
});

test('what changes while an answer is read makes it old', async () => {
  const { ask, change, answer } = setUp();
  await ask('x', async () => {
    const read = answer();
    change('a');
    return read;
  });
  expect(await ask('x')).toBe('["2"]');
});

test('nobody waits for a reading that does not end but who came soon', async () => {
  const { ask } = setUp();
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const never = () => new Promise<StoreAnswer>(() => undefined);
    const waiting = [ask('x', never)];
    await nextTurn();
    now = 4_000;
    waiting.push(ask('x'));
    await nextTurn();
    now = 6_000;
    expect([await ask('x'), await ask('x')]).toEqual(['["1"]', '["1"]']);
    expect(await Promise.race([...waiting, nextTurn('still')])).toBe('still');
  } finally {
    jest.restoreAllMocks();
  }
});

test('what takes long to read is kept once it is read, though somebody has begun anew', async () => {
  const { ask, answer, change } = setUp();
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const ends: (() => void)[] = [];
    const slow = () => new Promise<StoreAnswer>((resolve) => ends.push(() => resolve(answer())));
    const first = ask('x', slow);
    await nextTurn();
    now = 6_000;
    const second = ask('x', slow);
    await nextTurn();
    ends[0]!();
    expect([await first, await ask('x')]).toEqual(['["1"]', '["1"]']);
    ends[1]!();
    expect([await second, await ask('x')]).toEqual(['["2"]', '["1"]']);
    change('a');
    expect(await ask('x')).toBe('["3"]');
  } finally {
    jest.restoreAllMocks();
  }
});

test('who asks while the same is read gets that, unless something changed since it began', async () => {
  const { ask, change, answer } = setUp();
  let end = (): void => undefined;
  const slow = async () => {
    const read = answer();
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return read;
  };
  const first = ask('x', slow);
  const second = ask('x');
  await nextTurn();
  change('a');
  const third = ask('x');
  end();
  expect(await Promise.all([first, second, third])).toEqual(['["1"]', '["1"]', '["2"]']);
  expect(await ask('x')).toBe('["2"]');
});

test('a read that fails is not kept', async () => {
  const { ask, kept } = setUp();
  const failing = () => ask('x', () => Promise.reject(new Error('gone')));
  await expect(failing()).rejects.toThrow('gone');
  expect(kept.counts()).toMatchObject({ answers: 0, bytes: 0 });
  expect(await ask('x')).toBe('["1"]');
});

test('while the store can not tell what has changed, all is read anew, which is logged once', async () => {
  const { ask, silent, log, change } = setUp();
  await ask('x');
  silent(new Error('gone'));
  expect([await ask('x'), await ask('x')]).toEqual(['["2"]', '["3"]']);
  expect([log.warn.mock.calls.length, log.info.mock.calls.length]).toEqual([1, 0]);
  silent();
  expect(await ask('x')).toBe('["1"]');
  expect([log.warn.mock.calls.length, log.info.mock.calls.length]).toEqual([1, 1]);
  silent(new Error('gone'));
  change('a');
  await ask('x');
  silent();
  expect(await ask('x')).toBe('["5"]');
});

test('memory is bounded: what was asked for longest ago goes, and what is too large is not kept', async () => {
  const { ask, kept, answer } = setUp({ maxBytes: 10_000, maxAnswerBytes: 1_000 });
  const large = (length: number) => () => answer('x'.repeat(length));
  for (const key of ['a', 'b', 'c', 'd']) await ask(key, large(900));
  await ask('a');
  await ask('e', large(900));
  expect(kept.counts().bytes).toBeLessThanOrEqual(10_000);
  const before = kept.counts().misses;
  await ask('a');
  expect(kept.counts().misses).toBe(before);
  await ask('b');
  expect(kept.counts().misses).toBe(before + 1);
  const { bytes, answers } = kept.counts();
  await ask('too large', large(1_001));
  expect(kept.counts()).toMatchObject({ bytes, answers });
});

test('what is made of answers counts, and others go for it', async () => {
  const { kept, ask, answer } = setUp({ maxBytes: 50_000 });
  const given = await kept.answer({ key: 'a', reads: ['a'] }, () => answer('x'.repeat(900)));
  await ask('b');
  const { bytes } = kept.counts();
  const made = (name: string, size: number) => madeOf(given.json, name, () => Buffer.alloc(size));
  madeOf(made('body', 10_000), 'br', async () => Buffer.alloc(5_000));
  await nextTurn();
  expect(kept.counts()).toMatchObject({ answers: 2, bytes: bytes + 15_000 });
  made('other', 31_500);
  expect(kept.counts().answers).toBe(1);
  expect(await ask('b')).not.toBe('["1"]');
  made('third', 40_000);
  expect(kept.counts()).toMatchObject({ answers: 1, bytes: expect.any(Number) });
  expect(kept.counts().bytes).toBeLessThanOrEqual(50_000);
  made('fourth', 20_000);
  expect(kept.counts().bytes).toBeLessThanOrEqual(50_000);
});

test('answers end with their age where one is said', async () => {
  const { ask } = setUp({ maxAge: 60 });
  const clock = jest.spyOn(performance, 'now');
  clock.mockReturnValue(0);
  await ask('x');
  clock.mockReturnValue(59_000);
  expect(await ask('x')).toBe('["1"]');
  clock.mockReturnValue(61_000);
  expect(await ask('x')).toBe('["2"]');
  clock.mockRestore();
});
