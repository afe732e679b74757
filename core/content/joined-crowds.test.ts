import { setTimeout as sleep } from 'node:timers/promises';
import { youngCollector } from '../young-garbage.fixture';
import { createJoinedReads } from './joined-reads';
import { answerOf, slowReads, stopTimers, textOf } from './joined-reads.fixture';
import type { Bound, StoreAnswer } from './store';

afterEach(() => {
  jest.useRealTimers();
});

describe('joined reads of a crowd that comes back', () => {
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

describe('joined reads of a crowd whose members each ask something else', () => {
  /** Three who asked together and were told, by groups that are waited for, or are not. */
  async function told({ gathers, outcome }: { gathers: boolean; outcome?: (value: Bound) => Promise<StoreAnswer> }) {
    stopTimers();
    const joined = createJoinedReads();
    const { run, ends, turn } = slowReads();
    const readings: (readonly Bound[])[] = [];
    const ask = (value: string, answer = async (each: Bound) => answerOf(String(each))) =>
      joined.answer(value, run, {
        group: 'documents',
        value,
        gathers,
        run(values) {
          readings.push(values);
          return values.map(answer);
        },
      });
    const first = await Promise.allSettled(['1', '2', '3'].map((value) => ask(value, outcome)));
    await turn();
    expect(readings.splice(0)).toEqual([['1', '2', '3']]);
    return { joined, first, ask, ends, readings, turn };
  }

  test('begin once as many have come, whatever they ask for, and whoever asks for the same', async () => {
    const { joined, ask, readings, turn } = await told({ gathers: true });
    const asked = [ask('4')];
    await turn();
    jest.advanceTimersByTime(4);
    asked.push(ask('5'));
    await turn();
    await turn();
    expect(readings).toEqual([]);
    asked.push(ask('5'));
    expect((await Promise.all(asked)).map(textOf)).toEqual(['4', '5', '5']);
    expect(readings).toEqual([['4', '5']]);
    await turn();
    expect(joined.size).toBe(0);
  });

  test('wait a few milliseconds for those who stay away', async () => {
    const { ask, ends, readings, turn } = await told({ gathers: true });
    const asked = ask('4');
    await turn();
    jest.advanceTimersByTime(4);
    await turn();
    expect(ends).toHaveLength(0);
    jest.advanceTimersByTime(1);
    await turn();
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect(textOf(await asked)).toBe('1');
    expect(readings).toEqual([]);
  });

  test('wait for nobody where it does not pay', async () => {
    const { ask, ends, turn } = await told({ gathers: false });
    const asked = ask('4');
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await asked;
  });

  /** A crowd that came back is being read for when two more ask, one after the other, and answered before those. */
  async function joinedByOthers() {
    const { ask, ends, readings, turn } = await told({ gathers: true });
    let answerAll = (): void => undefined;
    const slow = new Promise<void>((resolve) => {
      answerAll = resolve;
    });
    const asked = ['4', '5', '6'].map((value) => ask(value, (each) => slow.then(() => answerOf(String(each)))));
    await turn();
    await turn();
    const others = [ask('7')];
    await turn();
    others.push(ask('8'));
    await turn();
    answerAll();
    expect((await Promise.all(asked)).map(textOf)).toEqual(['4', '5', '6']);
    await turn();
    await turn();
    for (const end of ends.splice(0)) end();
    await Promise.all(others);
    return { ask, ends, readings, turn };
  }

  test('wait for nobody after others have asked while such a crowd was read for', async () => {
    const { ask, ends, turn } = await joinedByOthers();
    const next = ask('9');
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await next;
  });

  test('wait a while later for these, too', async () => {
    const { ask, readings, turn } = await joinedByOthers();
    jest.advanceTimersByTime(10);
    const five = ['9', '10', '11', '12', '13'];
    const asked = five.slice(1).map((value) => ask(value));
    await turn();
    await turn();
    expect(readings).toHaveLength(1);
    asked.unshift(ask(five[0]!));
    expect((await Promise.all(asked)).map(textOf)).toEqual(five);
    expect(readings).toHaveLength(2);
  });

  test('wait for nobody of those of whom one was told what went wrong', async () => {
    const outcome = async (value: Bound) => {
      if (value === '2') throw new Error('gone');
      return answerOf(String(value));
    };
    const { first, ask, ends, turn } = await told({ gathers: true, outcome });
    expect(first.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const asked = ask('4');
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    await asked;
  });
});

test('joined reads leave no answers of crowds behind that only a full collection would find', async () => {
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
  expect(runs).toBeLessThan(1_000);
  expect(most).toBeLessThan(40 * size);
});
