import type { Database } from '../database/database';
import { postgres } from '../dialects/postgres';
import { createSharedChanges } from './shared-changes';

const hour = 3_600_000;

/** Removals on a database that has no rows, and what becomes of each. */
function removals(ends: () => Promise<never>) {
  let begun = 0;
  const transaction = (() => {
    begun += 1;
    return ends();
  }) as Database['transaction'];
  const changes = createSharedChanges(
    postgres,
    { rows: () => [], transaction, untoldEnded: async () => undefined },
    () => [],
  );
  return { begun: () => begun, catchUp: async () => changes.catchUp() };
}

beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
afterEach(() => jest.useRealTimers());

test('who reads does not wait until old rows have been removed', async () => {
  const { begun, catchUp } = removals(() => new Promise(() => undefined));
  await catchUp();
  expect(begun()).toBe(1);
});

test('a removal that fails is nobody else’s failure, and is tried again after an hour', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const { begun, catchUp } = removals(() => Promise.reject(new Error('gone')));
  await catchUp();
  await new Promise(setImmediate);
  await catchUp();
  expect(begun()).toBe(1);
  jest.setSystemTime(Date.now() + hour + 1);
  await catchUp();
  expect(begun()).toBe(2);
  await new Promise(setImmediate);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
