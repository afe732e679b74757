import { EventEmitter } from 'node:events';
import { TapError } from '../../../core';
import { postgres } from '../dialects/postgres';
import type { Database } from './database';
import { longestRead } from './longest-read';
import { createPooledDatabase, type Driver } from './pooled-database';

let sent: string[];
let opened: EventEmitter[];
let database: Database;
/** What a statement fails with. */
let failures: Map<string, Error>;

async function answer(sql: string): Promise<void> {
  sent.push(sql);
  const failure = failures.get(sql);
  if (failure) throw failure;
}

const driver: Driver<EventEmitter> = {
  dialect: postgres,
  knexClient: () => {
    throw new Error('not needed');
  },
  make: () => new EventEmitter(),
  connect: async (raw) => opened.push(raw),
  prepare: async () => undefined,
  close: async () => undefined,
  cut: () => undefined,
  isUsable: () => true,
  begin: () => 'begin',
  words: { leaving: /^/, stateOn: async () => 'none' },
  rows: async (_, { sql }) => {
    await answer(sql);
    return [];
  },
  run: async (_, { sql }) => {
    await answer(sql);
    return { changes: 1, firstId: 1 };
  },
  plain: (_, sql) => answer(sql),
};

const config = {
  connection: {},
  pool: { min: 0, max: 1 },
  acquireConnectionTimeout: 1_000,
  maxAnswerBytes: 1_000_000,
};

beforeEach(() => {
  sent = [];
  opened = [];
  failures = new Map();
  database = createPooledDatabase(driver, config);
});
afterEach(() => database.close());

const coded = (code: string): Error => Object.assign(new Error('connect failed'), { code });
const tapped = (cause: Error): TapError => new TapError('shop', 'document.written', cause);

/** What a transaction fails with that has written something. */
const failing = (fail: () => void): Promise<unknown> =>
  database
    .transaction(async (connection) => {
      await connection.run({ sql: 'insert' }, []);
      fail();
    })
    .catch((error: unknown) => error);

test.each([
  ['could not reach another server', coded('ECONNREFUSED')],
  ['gave up waiting for one', new Error('aborted')],
  ['has a knex of its own', Object.assign(new Error('full'), { name: 'KnexTimeoutError' })],
])('what a tap wrote that %s is rolled back, and its failure is no failure of the database', async (_, cause) => {
  const error = tapped(cause);
  const told = await failing(() => {
    throw error;
  });
  expect(told).toBe(error);
  expect(sent).toEqual(['begin', 'insert', 'rollback']);
  await database.transaction(async (connection) => connection.run({ sql: 'next' }, []));
  expect(opened).toHaveLength(1);
});

test('nothing is sent on a connection that broke, and a tap that ran into that could not reach the database', async () => {
  const told = await failing(() => {
    opened[0]!.emit('error', new Error('lost'));
    throw tapped(coded('ECONNRESET'));
  });
  expect(told).toMatchObject({ status: 503, message: 'The database can not be reached' });
  expect(sent).toEqual(['begin', 'insert']);
});

test('a connection on which nothing can be rolled back is not used again, and what failed first is told', async () => {
  failures.set('rollback', new Error('out of order'));
  const first = new Error('changed my mind');
  const told = await failing(() => {
    throw first;
  });
  expect(told).toBe(first);
  await database.transaction(async (connection) => connection.run({ sql: 'next' }, []));
  expect(opened).toHaveLength(2);
});

test('a connection of which the driver says that it is gone is not used again', async () => {
  failures.set('read', coded('57P01'));
  const read = (sql: string) => async () => database.rows({ sql }, []);
  await expect(read('read')()).rejects.toMatchObject({ status: 503, message: 'The database can not be reached' });
  await read('again')();
  expect(opened).toHaveLength(2);
});

test('a read that would go on for days is ended over another connection, and its own is not used again', async () => {
  const cut: EventEmitter[] = [];
  const endless: Driver<EventEmitter> = {
    ...driver,
    cut: (raw) => void cut.push(raw),
    ending: () => 'end it',
    rows: async (raw, statement, values) => {
      if (statement.sql === 'endless') await new Promise(() => sent.push('endless'));
      return driver.rows(raw, statement, values);
    },
  };
  const other = createPooledDatabase(endless, config);
  jest.useFakeTimers();
  const read = async () => other.rows({ sql: 'endless', multiplies: true }, []);
  const outcome = read().catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(longestRead);
  jest.useRealTimers();
  expect(await outcome).toMatchObject({
    status: 503,
    message: 'The database has ended the statement: ask for less, or try again',
  });
  expect(sent).toEqual(['endless', 'end it']);
  expect(cut).toEqual([opened[0]]);
  await other.rows({ sql: 'next', multiplies: true }, []);
  expect(opened).toHaveLength(3);
  await other.close();
});
