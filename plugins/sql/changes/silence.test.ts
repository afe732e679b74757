import type { Rows } from '../database/database';
import { postgres } from '../dialects/postgres';
import { createSharedChanges } from './shared-changes';

// What becomes of those who want to know what has changed when the database does not answer.

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

const turn = () => new Promise(setImmediate);

/** Changes of a database that answers unless it is silent. */
function setUp() {
  const state = { isSilent: false, asked: 0 };
  const waiting: ((rows: Rows) => void)[] = [];
  function rows(): Rows | Promise<Rows> {
    state.asked += 1;
    return state.isSilent ? new Promise((resolve) => waiting.push(resolve)) : [];
  }
  const transaction = async () => undefined as never;
  const changes = createSharedChanges(postgres, { rows, transaction, untoldEnded: async () => undefined }, () => []);

  /** How a question ends that is waited for so many milliseconds. */
  async function ends(milliseconds = 0): Promise<string> {
    let end = 'open';
    changes.catchUp().then(
      () => (end = 'answered'),
      (error: Error) => (end = error.message),
    );
    for (let turns = 0; turns < 5; turns += 1) await turn();
    await jest.advanceTimersByTimeAsync(milliseconds);
    return end;
  }
  return { state, waiting, ends, begin: changes.begin };
}

const untold = 'the database has not yet told what has changed';

test('who asks waits for a second, and nobody after that until the answer comes late', async () => {
  const { state, waiting, ends } = setUp();
  expect(await ends()).toBe('answered');
  state.isSilent = true;
  expect(await ends(900)).toBe('open');
  await jest.advanceTimersByTimeAsync(100);
  const { asked } = state;
  expect([await ends(), state.asked]).toEqual([untold, asked]);
  state.isSilent = false;
  waiting[0]!([]);
  expect(await ends()).toBe('answered');
});

test('beside a question that is never answered another is tried after five seconds', async () => {
  const { state, ends } = setUp();
  state.isSilent = true;
  expect(await ends(1_000)).toBe('nothing was heard for 1000 ms');
  state.isSilent = false;
  await jest.advanceTimersByTimeAsync(4_900);
  expect(await ends()).toBe(untold);
  await jest.advanceTimersByTimeAsync(100);
  expect(await ends()).toBe('answered');
});

test('a start takes its time', async () => {
  const { state, waiting, begin } = setUp();
  state.isSilent = true;
  let isOver = false;
  const beginning = begin().then(() => (isOver = true));
  while (!isOver) {
    await jest.advanceTimersByTimeAsync(1_500);
    for (const answer of waiting.splice(0)) answer([]);
    await turn();
  }
  await beginning;
  expect(state.asked).toBeGreaterThan(2);
});
