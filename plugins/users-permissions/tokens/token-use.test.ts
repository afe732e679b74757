import { createLogger } from '../../../core/log';
import type { Database } from '../../sql';
import { createTokenUse, type TokenUse } from './token-use';

const minute = 60_000;
const start = Date.parse('2026-01-01T00:00:00.000Z');

let writes: (readonly unknown[])[];
let transaction: jest.Mock;
let use: TokenUse;

beforeEach(() => {
  jest.useFakeTimers({ now: start });
  writes = [];
  const connection = { run: async (_: unknown, values: readonly unknown[]) => void writes.push(values) };
  transaction = jest.fn((work: (inside: typeof connection) => Promise<void>) => work(connection));
  const dialect = { name: 'sqlite', placeholder: () => '?', store: (value: unknown) => value };
  const database = { dialect, transaction } as unknown as Database;
  use = createTokenUse(() => database, createLogger({ level: 'silent' }));
});
afterEach(() => jest.useRealTimers());

async function usedFor(minutes: number): Promise<void> {
  for (let at = 0; at < minutes; at += 1) {
    use.note(1);
    await jest.advanceTimersByTimeAsync(minute);
  }
}

const at = (minutes: number): string => new Date(start + minutes * minute).toISOString();

test('a token that is used all the time is written down after a minute, then once an hour, and at the end', async () => {
  await usedFor(60);
  expect(writes).toEqual([[at(0), 1]]);
  await usedFor(3);
  expect(writes).toEqual([
    [at(0), 1],
    [at(61), 1],
  ]);
  await use.write();
  expect(writes.at(-1)).toEqual([at(62), 1]);
});

test('another token is written down in its own time, with all that were used meanwhile', async () => {
  await usedFor(2);
  use.note(2);
  await jest.advanceTimersByTimeAsync(minute);
  expect(writes).toEqual([
    [at(0), 1],
    [at(1), 1],
    [at(2), 2],
  ]);
});

test('what could not be written down is tried again after the next use', async () => {
  transaction.mockRejectedValueOnce(new Error('gone'));
  use.note(1);
  use.note(2);
  await jest.advanceTimersByTimeAsync(minute);
  expect(writes).toEqual([]);
  await usedFor(1);
  expect(writes).toEqual([
    [at(1), 1],
    [at(0), 2],
  ]);
});

test('what was not used is not written down', async () => {
  await use.write();
  expect(writes).toEqual([]);
});
