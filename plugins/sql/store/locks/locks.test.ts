import { createConnection, type Connection as MysqlConnection } from 'mysql2/promise';
import { Client } from 'pg';
import type { LockKey } from '../../../../core';
import type { Connection } from '../../database/database';
import { asOneOfWriters } from '../../database/every-writer';
import { client } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';
import { type Locks, lockingOn, locksOn } from './locks';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1. They use connections of their own: a writer of
// the store that waits for long gives way, and comes again alone.

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

interface Raw {
  run(sql: string, values?: readonly unknown[]): Promise<unknown>;
  close(): Promise<void>;
}

async function connect(): Promise<Raw> {
  const current = client === 'postgres' ? 'current_database()' : 'database()';
  const [row] = await app.database.rows({ sql: `select ${current}` }, []);
  const database = String(row![0]);
  if (client === 'postgres') {
    const raw = new Client({ host: '127.0.0.1', user: 'postgres', password: '', database });
    await raw.connect();
    return { run: (sql, values = []) => raw.query(sql, [...values]), close: () => raw.end() };
  }
  const raw: MysqlConnection = await createConnection({ host: '127.0.0.1', user: 'root', password: '', database });
  return { run: (sql, values = []) => raw.query(sql, [...values]), close: () => raw.end() };
}

type Take = (connection: Connection) => void | Promise<void>;

const open = new Set<Raw>();
afterEach(async () => {
  for (const raw of open) await raw.close();
  open.clear();
});

interface Writer {
  /** Settles once the writer has what it locks. */
  readonly inside: Promise<void>;
  isInside(): boolean;
  end(): Promise<void>;
}

/** A writer that takes locks and stays. */
async function writer(take: Take): Promise<Writer> {
  const raw = await connect();
  open.add(raw);
  await raw.run('set transaction isolation level read committed');
  await raw.run('begin');
  const post: Connection['post'] = async ({ sql }, values) => void (await raw.run(sql, values));
  let isInside = false;
  const inside = (async () => {
    // As a transaction of the service begins.
    if (client === 'postgres') await raw.run(asOneOfWriters);
    await take({ post } as Connection);
    isInside = true;
  })();
  return {
    inside,
    isInside: () => isInside,
    async end() {
      await inside;
      await raw.run('commit');
    },
  };
}

const locking =
  (...keys: readonly LockKey[]): Take =>
  (connection) =>
    locksOn(app.database).lock(connection, keys);
const moment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

// SQLite has one writer at a time, whatever it locks.
const onServers = client === 'sqlite' ? test.skip : test;

onServers('who shares a lock waits for none but who has it alone', async () => {
  // Who is the first to lock something may have it alone.
  await (await writer(locking({ shared: 'a' }, { shared: 'b' }, 'mine'))).end();
  const one = await writer(locking({ shared: 'a' }, 'mine'));
  const two = await writer(locking({ shared: 'b' }, { shared: 'a' }));
  await Promise.all([one.inside, two.inside]);
  const alone = await writer(locking('a'));
  await moment();
  expect(alone.isInside()).toBe(false);
  await one.end();
  await moment();
  expect(alone.isInside()).toBe(false);
  await two.end();
  await alone.inside;
  const late = await writer(locking({ shared: 'a' }));
  await moment();
  expect(late.isInside()).toBe(false);
  await alone.end();
  await late.end();
});

onServers('what is locked alone and shared at once is locked alone', async () => {
  const one = await writer(locking({ shared: 'c' }, 'c', { shared: 'c' }));
  await one.inside;
  const other = await writer(locking({ shared: 'c' }));
  await moment();
  expect(other.isInside()).toBe(false);
  await one.end();
  await other.end();
});

onServers('writers that lock the same in another order do not wait for each other in a circle', async () => {
  const keys = Array.from({ length: 20 }, (_, at): LockKey => (at % 3 === 0 ? `key ${at}` : { shared: `key ${at}` }));
  const orders = Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? keys : [...keys].reverse()));
  const all = await Promise.all(orders.map((order) => writer(locking(...order))));
  // A server would end one of those that wait for each other with an error.
  await Promise.all(all.map((each) => each.end()));
});

onServers('who locks very much has room for it, and keeps others from what he locks', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => `many ${at}`);
  const one = await writer(locking(...many));
  await one.inside;
  const other = await writer(locking('many 19999'));
  await moment();
  expect(other.isInside()).toBe(false);
  await one.end();
  await other.end();
});

onServers('lists are locked apart from what else is, in the given order, and only so many at once', async () => {
  const names = ['list b', 'list a'];
  const one = await writer(locking(...names));
  const other = await writer((connection) => locksOn(app.database).lockLists(connection, names));
  await Promise.all([one.inside, other.inside]);
  await Promise.all([one.end(), other.end()]);

  const taken = async (lists: readonly string[]): Promise<unknown[]> => {
    let numbers: unknown[] = [];
    const post: Connection['post'] = (_, values) => {
      numbers = Array.isArray(values[0]) ? values[0] : [...values];
    };
    await locksOn(app.database).lockLists({ post } as Connection, lists);
    return numbers;
  };
  const [first, second] = await Promise.all(names.map((name) => taken([name])));
  expect(await taken([...names, names[0]!])).toEqual([...first!, ...second!]);
  const many = Array.from({ length: 30_000 }, (_, at) => `list ${at}`);
  expect((await taken(many)).length).toBeLessThanOrEqual(4_096);
});

test('a transaction takes no lock that it has, and tells whether it took any', async () => {
  const taken: LockKey[][] = [];
  const locks: Locks = { lock: (_, keys) => void taken.push([...keys]), lockLists: () => undefined };
  const lock = lockingOn({} as Connection, locks);
  expect(await lock([])).toBe(false);
  expect(await lock(['a', { shared: 'b' }])).toBe(true);
  expect(await lock([{ shared: 'a' }, { shared: 'b' }, 'a'])).toBe(false);
  // Who shares one has to wait for those who share it with him.
  expect(await lock(['b', { shared: 'c' }, 'a'])).toBe(true);
  expect(await lock([{ shared: 'b' }, 'b'])).toBe(false);
  expect(taken).toEqual([
    ['a', { shared: 'b' }],
    ['b', { shared: 'c' }],
  ]);
  expect(await lockingOn({} as Connection, { ...locks, areNeedless: true })(['a'])).toBe(false);
});

test('it has waited once the server says so', async () => {
  let say = (): void => undefined;
  const locks: Locks = {
    lock: () =>
      new Promise((resolve) => {
        say = resolve;
      }),
    lockLists: () => undefined,
  };
  let waited: boolean | undefined;
  const locking = (async () => {
    waited = await lockingOn({} as Connection, locks)(['a']);
  })();
  await moment();
  expect(waited).toBeUndefined();
  say();
  await locking;
  expect(waited).toBe(true);
});
