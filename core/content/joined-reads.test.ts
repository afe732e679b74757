import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { madeOf } from '../lasting-bytes';
import { createJoinedReads, type Grouped } from './joined-reads';
import { answerOf, slowReads, stopTimers, textOf } from './joined-reads.fixture';
import type { Bound, StoreAnswer } from './store';

afterEach(() => {
  jest.useRealTimers();
});

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
        gathers: false,
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
        gathers: false,
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
        gathers: false,
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
      joined.answer(value, () => answerOf(value), { group: 'documents', value, gathers: true, run });
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
      fc.asyncProperty(
        fc.array(happening, { maxLength: 25 }),
        fc.constantFrom('alone', 'grouped', 'gathered'),
        async (happenings, how) => {
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
                gathers: how === 'gathered',
                run: (values: readonly Bound[]) => values.map((value) => seen(() => answerOf(`${value}${written}`))),
              };
              asked.push(
                joined.answer(what, run, how === 'alone' ? undefined : several).then((answer) => {
                  expect(textOf(answer)[0]).toBe(what);
                  expect(Number(textOf(answer).slice(1))).toBeGreaterThanOrEqual(before);
                }),
              );
            }
          }
          await Promise.all(asked);
          expect(joined.size).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});
