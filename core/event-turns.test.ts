import { setImmediate as nextTurn } from 'node:timers/promises';
import { atEndOfTurn, oncePerTurn } from './event-turns';

test('at the end of a turn all who came in it are told what is so then', async () => {
  let [state, asked] = [0, 0];
  const tell = atEndOfTurn(() => {
    asked += 1;
    return state;
  });
  const first = tell();
  state = 1;
  await Promise.resolve();
  const second = tell();
  state = 2;
  expect(await Promise.all([first, second])).toEqual([2, 2]);
  expect(asked).toBe(1);
  state = 3;
  expect(await tell()).toBe(3);
  expect(asked).toBe(2);
});

test('who comes while the others are told waits for the next turn', async () => {
  let state = 0;
  const tell = atEndOfTurn(() => state);
  const [, later] = await Promise.all([
    tell(),
    tell().then(() => {
      const next = tell();
      state = 1;
      return next;
    }),
  ]);
  expect(later).toBe(1);
});

test('what can not be told fails for all who came, and for nobody after', async () => {
  let fails = true;
  const tell = atEndOfTurn(() => {
    if (fails) throw new Error('locked');
    return 1;
  });
  const outcomes = await Promise.allSettled([tell(), tell()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await tell()).toBe(1);
});

test('once per turn, the first is told what is so, and the others of its turn the same', async () => {
  let state = 0;
  const tell = oncePerTurn(() => state);
  const first = tell();
  state = 1;
  await Promise.resolve();
  expect([first, tell()]).toEqual([0, 0]);
  await nextTurn();
  expect(tell()).toBe(1);
});

test('a failure is not told to others', () => {
  let fails = true;
  const tell = oncePerTurn(() => {
    if (fails) throw new Error('locked');
    return 1;
  });
  expect(tell).toThrow('locked');
  fails = false;
  expect(tell()).toBe(1);
});
