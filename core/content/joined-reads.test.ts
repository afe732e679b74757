import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { madeOf } from '../lasting-bytes';
import { createJoinedReads } from './joined-reads';
import type { StoreAnswer } from './store';

const textOf = ({ json }: StoreAnswer): string => json.toString();

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

describe('joined reads', () => {
  test('answer all who ask the same in one turn by one reading', async () => {
    const joined = createJoinedReads();
    let runs = 0;
    const run = (): StoreAnswer => ({ json: Buffer.from(String(++runs)), count: 1 });
    const answers = await Promise.all([joined('a', run), joined('b', run), joined('a', run)]);
    expect(answers.map(textOf)).toEqual(['1', '2', '1']);
    expect(textOf(await joined('a', run))).toBe('3');
  });

  test('let nobody join a reading that has begun: the next one answers them', async () => {
    const joined = createJoinedReads();
    const { run, ends, turn } = slowReads();
    const first = joined('a', run);
    await turn();
    const [second, third] = [joined('a', run), joined('a', run)];
    await turn();
    expect(ends).toHaveLength(1);
    ends[0]!();
    expect(textOf(await first)).toBe('1');
    await turn();
    ends[1]!();
    expect((await Promise.all([second, third])).map(textOf)).toEqual(['2', '2']);
    expect(ends).toHaveLength(2);
  });

  test('wait for a reading that takes long only for a while', async () => {
    const joined = createJoinedReads();
    const { run, ends } = slowReads();
    const first = joined('a', run);
    await sleep(5);
    const second = joined('a', run);
    await sleep(40);
    expect(ends).toHaveLength(2);
    ends[1]!();
    expect(textOf(await second)).toBe('2');
    ends[0]!();
    expect(textOf(await first)).toBe('1');
  });

  test('tell all who asked what went wrong, and forget it', async () => {
    const joined = createJoinedReads();
    const fail = async (): Promise<StoreAnswer> => Promise.reject(new Error('gone'));
    const tellings = await Promise.allSettled([joined('a', fail), joined('a', fail)]);
    expect(tellings.map((telling) => telling.status === 'rejected' && telling.reason.message)).toEqual([
      'gone',
      'gone',
    ]);
    expect(textOf(await joined('a', () => ({ json: Buffer.from('again'), count: 1 })))).toBe('again');
  });

  test('let what is made of an answer be made once for those who share it', async () => {
    const joined = createJoinedReads();
    const run = (): StoreAnswer => ({ json: Buffer.from('[]'), count: 0 });
    const make = jest.fn(() => 'made');
    const shared = await Promise.all([joined('a', run), joined('a', run)]);
    for (const { json } of shared) madeOf(json, 'test', make);
    expect(make).toHaveBeenCalledTimes(1);
    const alone = await joined('a', run);
    for (const { json } of [alone, alone]) madeOf(json, 'test', make);
    expect(make).toHaveBeenCalledTimes(3);
  });

  test('show everything that was written before they were asked for, in whatever order things happen', async () => {
    const happening = fc.record({
      what: fc.constantFrom('write' as const, 'a' as const, 'b' as const),
      after: fc.constantFrom('at once', 'a turn', 'a moment'),
      takes: fc.constantFrom(0, 1, 15),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 25 }), async (happenings) => {
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
            const run = async (): Promise<StoreAnswer> => {
              const json = Buffer.from(`${what}${written}`);
              if (takes > 0) await sleep(takes);
              return { json, count: 1 };
            };
            asked.push(
              joined(what, run).then((answer) => {
                expect(textOf(answer)[0]).toBe(what);
                expect(Number(textOf(answer).slice(1))).toBeGreaterThanOrEqual(before);
              }),
            );
          }
        }
        await Promise.all(asked);
      }),
      { numRuns: 60 },
    );
  });
});
