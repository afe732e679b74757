import type { LockKey } from '../../../core';
import { client } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

interface Writer {
  /** Settles once the writer has what it locks. */
  readonly inside: Promise<void>;
  isInside(): boolean;
  /** Lets it end. */
  end(): Promise<void>;
}

/** A writer that takes locks and stays. */
function writer(...keys: readonly LockKey[]): Writer {
  let entered = false;
  let enter: () => void;
  let leave: () => void;
  const inside = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const work = app.store.transaction(async (transaction) => {
    await transaction.lock(...keys);
    // Locks are not waited for where statements go ahead of answers, but what comes next does.
    await transaction.rows(app.registry.get('api::tag.tag'), { id: 1 });
    entered = true;
    enter();
    await left;
  });
  return {
    inside,
    isInside: () => entered,
    async end() {
      leave();
      await work;
    },
  };
}

const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

// SQLite has one writer at a time, whatever it locks.
const onServers = client === 'sqlite' ? test.skip : test;

onServers('who shares a lock waits for none but who has it alone', async () => {
  // The first to lock something may have it alone until its row is there.
  await writer({ shared: 'a' }, { shared: 'b' }).end();
  const [one, two] = [writer({ shared: 'a' }, 'mine'), writer({ shared: 'b' }, { shared: 'a' })];
  await Promise.all([one.inside, two.inside]);
  const alone = writer('a');
  await moment();
  expect(alone.isInside()).toBe(false);
  await one.end();
  await moment();
  expect(alone.isInside()).toBe(false);
  await two.end();
  await alone.inside;
  const late = writer({ shared: 'a' });
  await moment();
  expect(late.isInside()).toBe(false);
  await alone.end();
  await late.inside;
  await late.end();
});

onServers('what is locked alone and shared at once is locked alone', async () => {
  const one = writer({ shared: 'a' }, 'a', { shared: 'a' });
  await one.inside;
  const other = writer({ shared: 'a' });
  await moment();
  expect(other.isInside()).toBe(false);
  await one.end();
  await other.inside;
  await other.end();
});

onServers(
  'writers that lock the same in another order do not wait for each other in a circle',
  async () => {
    const keys = Array.from({ length: 20 }, (_, at): LockKey => (at % 3 === 0 ? `key ${at}` : { shared: `key ${at}` }));
    const all = Array.from({ length: 6 }, (_, at) => writer(...(at % 2 === 0 ? keys : [...keys].reverse())));
    while (all.length > 0) {
      const first = await Promise.race(all.map(async (each) => each.inside.then(() => each)));
      await moment();
      expect(all.filter((each) => each.isInside())).toEqual([first]);
      await first.end();
      all.splice(all.indexOf(first), 1);
    }
  },
  20_000,
);
