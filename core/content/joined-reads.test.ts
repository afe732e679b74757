import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { madeOf } from '../lasting-bytes';
import { createJoinedReads, type Grouped } from './joined-reads';
import type { Bound, StoreAnswer } from './store';

const textOf = ({ json }: StoreAnswer): string => json.toString();

const answerOf = (text: string): StoreAnswer => ({ json: Buffer.from(text), count: 1 });

/** Readings that say their number, and end when they are told to. */
function slowReads() {
  const ends: (() => void)[] = [];
  const run = async (): Promise<StoreAnswer> => {
    const json = Buffer.from(String(ends.length + 1));
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    return { json, count: 1 };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { run, ends, turn };
}

/** Waiting ends where a test says so, not because the machine was busy meanwhile. */
const stopTimers = () => jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
afterEach(() => {
  jest.useRealTimers();
});

/** What collects garbage that is young still, as V8 does all the time: what got old stays. */
function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'minor' }) => void;
  setFlagsFromString('--no-expose-gc');
  // What is collected is freed at once then, and no longer counted.
  setFlagsFromString('--no-concurrent-array-buffer-sweeping');
  return () => collect({ type: 'minor' });
}

describe('joined reads', () => {
  test('answer all who ask the same in one turn by one reading', async () => {
    const joined = createJoinedReads();
    let runs = 0;
    const run = (): StoreAnswer => ({ json: Buffer.from(String(++runs)), count: 1 });
    const answers = await Promise.all([joined.answer('a', run), joined.answer('b', run), joined.answer('a', run)]);
    expect(answers.map(textOf)).toEqual(['1', '2', '1']);
    expect(textOf(await joined.answer('a', run))).toBe('3');
  });

  test('count requests into a turn that arrive one after the other', async () => {
    const joined = createJoinedReads();
    let runs = 0;
    const run = (): StoreAnswer => ({ json: Buffer.from(String(++runs)), count: 1 });
    const arriving = () =>
      new Promise<StoreAnswer>((resolve) => {
        // What is asked in a microtask of one callback comes before the next callback.
        setImmediate(async () => resolve(await Promise.resolve().then(() => joined.answer('a', run))));
      });
    expect((await Promise.all([arriving(), arriving(), arriving()])).map(textOf)).toEqual(['1', '1', '1']);
  });

  test('let nobody join a reading that has begun: behind two of them, the next one answers all', async () => {
    stopTimers();
    const joined = createJoinedReads();
    const { run, ends, turn } = slowReads();
    const first = joined.answer('a', run);
    await turn();
    const second = joined.answer('a', run);
    await turn();
    expect(ends).toHaveLength(2);
    const third = joined.answer('a', run);
    await turn();
    const fourth = joined.answer('a', run);
    await turn();
    expect(ends).toHaveLength(2);
    ends[1]!();
    expect(textOf(await second)).toBe('2');
    await turn();
    expect(ends).toHaveLength(3);
    for (const end of ends) end();
    expect((await Promise.all([first, third, fourth])).map(textOf)).toEqual(['1', '3', '3']);
    expect(joined.size).toBe(0);
  });

  test('wait for readings that take long only for a while', async () => {
    stopTimers();
    const joined = createJoinedReads();
    const { run, ends, turn } = slowReads();
    const all = [joined.answer('a', run)];
    await turn();
    all.push(joined.answer('a', run));
    await turn();
    all.push(joined.answer('a', run));
    await turn();
    expect(ends).toHaveLength(2);
    jest.advanceTimersByTime(9);
    await turn();
    expect(ends).toHaveLength(2);
    jest.advanceTimersByTime(1);
    await turn();
    expect(ends).toHaveLength(3);
    for (const end of ends) end();
    expect((await Promise.all(all)).map(textOf)).toEqual(['1', '2', '3']);
  });

  describe('of a crowd that comes back', () => {
    /** As many as asked together, and got their answer, ask again one by one when they are told to. */
    async function answered(count: number) {
      stopTimers();
      const joined = createJoinedReads();
      const { run, ends, turn } = slowReads();
      const ask = () => joined.answer('a', run);
      const end = async (asked: readonly Promise<StoreAnswer>[]) => {
        for (const each of ends) each();
        return (await Promise.all(asked)).map(textOf);
      };
      const first = Array.from({ length: count }, ask);
      await turn();
      expect(new Set(await end(first))).toEqual(new Set(['1']));
      return { joined, ask, ends, end, turn };
    }

    test('begin once all have come, at the end of that turn', async () => {
      const { joined, ask, ends, end, turn } = await answered(3);
      const asked = [ask()];
      await turn();
      jest.advanceTimersByTime(4);
      asked.push(ask());
      await turn();
      expect(ends).toHaveLength(1);
      asked.push(ask(), ask());
      await turn();
      await turn();
      expect(ends).toHaveLength(2);
      expect(await end(asked)).toEqual(['2', '2', '2', '2']);
      expect(joined.size).toBe(0);
    });

    test('wait for them in good time alone', async () => {
      for (const [after, begun] of [
        [19, 1],
        [21, 2],
      ] as const) {
        const { ask, ends, end, turn } = await answered(3);
        jest.advanceTimersByTime(after);
        const asked = ask();
        await turn();
        await turn();
        expect(ends).toHaveLength(begun);
        jest.advanceTimersByTime(5);
        await turn();
        await turn();
        expect(await end([asked])).toEqual(['2']);
      }
    });

    test('wait a few milliseconds for those who stay away, and then not at all for a while', async () => {
      const { ask, ends, end, turn } = await answered(4);
      const asked = [ask(), ask(), ask()];
      await turn();
      jest.advanceTimersByTime(4);
      await turn();
      expect(ends).toHaveLength(1);
      jest.advanceTimersByTime(1);
      await turn();
      await turn();
      expect(ends).toHaveLength(2);
      expect(await end(asked)).toEqual(['2', '2', '2']);
      const alone = ask();
      await turn();
      expect(ends).toHaveLength(3);
      expect(await end([alone])).toEqual(['3']);
      jest.advanceTimersByTime(100);
      const together = [ask(), ask(), ask()];
      await turn();
      expect(await end(together)).toEqual(['4', '4', '4']);
      const first = ask();
      await turn();
      await turn();
      expect(ends).toHaveLength(4);
      jest.advanceTimersByTime(5);
      await turn();
      await turn();
      expect(await end([first])).toEqual(['5']);
    });

    test('read at once for who comes while they are read for', async () => {
      const { ask, ends, end, turn } = await answered(3);
      const crowd = [ask(), ask(), ask()];
      await turn();
      await turn();
      expect(ends).toHaveLength(2);
      const other = ask();
      await turn();
      expect(ends).toHaveLength(3);
      expect(await end([...crowd, other])).toEqual(['2', '2', '2', '3']);
    });

    test('wait for nobody who was told what went wrong', async () => {
      stopTimers();
      const joined = createJoinedReads();
      const { run, ends, turn } = slowReads();
      const fail = async (): Promise<StoreAnswer> => Promise.reject(new Error('gone'));
      const told = await Promise.allSettled(Array.from({ length: 3 }, () => joined.answer('a', fail)));
      expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      const asked = joined.answer('a', run);
      await turn();
      expect(ends).toHaveLength(1);
      ends[0]!();
      await asked;
      expect(joined.size).toBe(0);
    });

    test('let two go their own ways', async () => {
      const { ask, ends, end, turn } = await answered(2);
      const asked = ask();
      await turn();
      expect(ends).toHaveLength(2);
      expect(await end([asked])).toEqual(['2']);
    });
  });

  test('tell all who asked what went wrong, and forget it', async () => {
    const joined = createJoinedReads();
    const fail = async (): Promise<StoreAnswer> => Promise.reject(new Error('gone'));
    const throwAtOnce = (): StoreAnswer => {
      throw new Error('gone');
    };
    for (const run of [fail, throwAtOnce]) {
      const tellings = await Promise.allSettled([joined.answer('a', run), joined.answer('a', run)]);
      const told = tellings.map((telling) => telling.status === 'rejected' && telling.reason.message);
      expect(told).toEqual(['gone', 'gone']);
    }
    expect(joined.size).toBe(0);
    expect(textOf(await joined.answer('a', () => ({ json: Buffer.from('again'), count: 1 })))).toBe('again');
  });

  test('let what is made of an answer be made once for those who share it', async () => {
    const joined = createJoinedReads();
    const run = (): StoreAnswer => ({ json: Buffer.from('[]'), count: 0 });
    const make = jest.fn(() => 'made');
    const shared = await Promise.all([joined.answer('a', run), joined.answer('a', run)]);
    for (const { json } of shared) madeOf(json, 'test', make);
    expect(make).toHaveBeenCalledTimes(1);
    const alone = await joined.answer('a', run);
    for (const { json } of [alone, alone]) madeOf(json, 'test', make);
    expect(make).toHaveBeenCalledTimes(3);
  });

  test('read in the context of whoever asked first', async () => {
    const joined = createJoinedReads();
    const requests = new AsyncLocalStorage<string>();
    const run = (): StoreAnswer => ({ json: Buffer.from(String(requests.getStore())), count: 1 });
    const asked = ['a', 'b', 'a', 'a'].map((question, at) =>
      requests.run(`${question}${at}`, () => joined.answer(question, run)),
    );
    expect((await Promise.all(asked)).map(textOf)).toEqual(['a0', 'b1', 'a0', 'a0']);
  });

  test('read what differs in one value together, each once, and by themselves what nobody is with', async () => {
    const joined = createJoinedReads();
    const readings: unknown[] = [];
    const ask = (group: string, value: string) =>
      joined.answer(`${group}${value}`, () => answerOf(`alone ${group}${value}`), {
        group,
        value,
        run(values) {
          readings.push(values);
          return values.map(async (each) => answerOf(`${group}${each}`));
        },
      });
    const asked = [ask('a', '1'), ask('a', '2'), ask('b', '1'), ask('a', '1'), joined.answer('c', () => answerOf('c'))];
    expect((await Promise.all(asked)).map(textOf)).toEqual(['a1', 'a2', 'alone b1', 'a1', 'c']);
    expect(readings).toEqual([['1', '2']]);
    expect(joined.size).toBe(0);
  });

  test('wait by groups for readings that are under way', async () => {
    stopTimers();
    const joined = createJoinedReads();
    const { run, ends, turn } = slowReads();
    const readings: unknown[] = [];
    const ask = (value: string) =>
      joined.answer(value, run, {
        group: 'documents',
        value,
        run(values) {
          readings.push(values);
          return values.map(async (each) => answerOf(String(each)));
        },
      });
    const asked = [ask('1')];
    await turn();
    asked.push(ask('2'));
    await turn();
    asked.push(ask('3'), ask('4'));
    await turn();
    asked.push(ask('5'));
    await turn();
    expect([ends.length, readings]).toEqual([2, []]);
    for (const end of ends) end();
    expect((await Promise.all(asked)).map(textOf)).toEqual(['1', '2', '3', '4', '5']);
    expect(readings).toEqual([['3', '4', '5']]);
  });

  test('tell each of a group what became of its own, without waiting for the others', async () => {
    const joined = createJoinedReads();
    let endSlow = (): void => undefined;
    const slow = new Promise<StoreAnswer>((resolve) => {
      endSlow = () => resolve(answerOf('slow'));
    });
    const outcomes = { fast: Promise.resolve(answerOf('fast')), bad: Promise.reject(new Error('gone')), slow };
    const ask = (value: keyof typeof outcomes) =>
      joined.answer(value, () => answerOf('alone'), {
        group: 'documents',
        value,
        run: (values) => values.map((each) => outcomes[each as keyof typeof outcomes]),
      });
    const [first, bad, last] = [ask('fast'), ask('bad'), ask('slow')];
    await expect(bad).rejects.toThrow('gone');
    expect(textOf(await first!)).toBe('fast');
    expect(joined.size).toBe(1);
    endSlow();
    expect(textOf(await last!)).toBe('slow');
    await new Promise((resolve) => setImmediate(resolve));
    expect(joined.size).toBe(0);
  });

  test('begin again after a group could not be read at all', async () => {
    const joined = createJoinedReads();
    const ask = (value: string, run: Grouped['run']) =>
      joined.answer(value, () => answerOf(value), { group: 'documents', value, run });
    const broken = (): never => {
      throw new Error('broken');
    };
    for (let time = 0; time < 4; time++) {
      const told = await Promise.allSettled([ask('1', broken), ask('2', broken)]);
      expect(told.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    }
    expect(joined.size).toBe(0);
    expect(textOf(await ask('1', broken))).toBe('1');
  });

  test('show everything that was written before they were asked for, in whatever order things happen', async () => {
    const happening = fc.record({
      what: fc.constantFrom('write' as const, 'a' as const, 'b' as const),
      after: fc.constantFrom('at once', 'a turn', 'a moment'),
      takes: fc.constantFrom(0, 1, 15),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 25 }), fc.boolean(), async (happenings, grouped) => {
        const joined = createJoinedReads();
        let written = 0;
        const asked: Promise<void>[] = [];
        for (const { what, after, takes } of happenings) {
          if (after === 'a turn') await new Promise((resolve) => setImmediate(resolve));
          if (after === 'a moment') await sleep(1);
          if (what === 'write') written += 1;
          else {
            const before = written;
            // A statement sees what is written when it begins, and answers later.
            const seen = async <T>(see: () => T): Promise<T> => {
              const answer = see();
              if (takes > 0) await sleep(takes);
              return answer;
            };
            const run = () => seen(() => answerOf(`${what}${written}`));
            const several = {
              group: 'all',
              value: what,
              run: (values: readonly Bound[]) => values.map((value) => seen(() => answerOf(`${value}${written}`))),
            };
            asked.push(
              joined.answer(what, run, grouped ? several : undefined).then((answer) => {
                expect(textOf(answer)[0]).toBe(what);
                expect(Number(textOf(answer).slice(1))).toBeGreaterThanOrEqual(before);
              }),
            );
          }
        }
        await Promise.all(asked);
        expect(joined.size).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  test('leave no answers of crowds behind that only a full collection would find', async () => {
    const joined = createJoinedReads();
    const size = 100_000;
    let runs = 0;
    const run = (): StoreAnswer => {
      runs += 1;
      return { json: Buffer.alloc(size), count: 1 };
    };
    async function client(number: number): Promise<void> {
      for (let round = 0; round < 300; round += 1) {
        await joined.answer('a', run);
        await sleep(0);
        // They come back in several turns, so that the first of them waits for the others.
        for (let turn = 0; turn < number % 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        if (number !== 0 || round % 10 > 0) continue;
        collectYoung();
        // A full collection that comes in between would hide what it found.
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
    }
    const collectYoung = youngCollector();
    collectYoung();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(client));
    // They shared answers, and no more of those were there at any time than a few.
    expect(runs).toBeLessThan(8 * 300);
    expect(most).toBeLessThan(40 * size);
  });
});
