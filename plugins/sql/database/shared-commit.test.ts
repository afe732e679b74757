import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import type { Connection } from './database';
import { undoneByDatabase } from './failures';
import { Queue } from './queue';
import { createSharedCommit, type Turn, type Writer } from './shared-commit';
import { createSqliteDatabase } from './sqlite-database';
import { sqliteDriver } from './sqlite-driver';

let file: BetterSqlite3.Database;
let said: string[];
let queue: Queue;
/** What a statement is to fail with, once. */
let failing: Map<string, Error>;
let enter: (until: number) => Promise<Turn>;
/** Time passes where a test says so: how long a commit is put off does not depend on what else the machine does. */
let now: number;

function writerOn(): Writer {
  const exec = (sql: string): void => {
    said.push(sql);
    const error = failing.get(sql);
    failing.delete(sql);
    if (error) throw error;
    file.exec(sql);
  };
  return { begin: async () => exec('begin'), exec, inTransaction: () => file.inTransaction };
}

beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  file = new (sqliteDriver())(':memory:');
  file.exec('create table t (a unique on conflict rollback)');
  said = [];
  failing = new Map();
  queue = new Queue();
  ({ enter } = createSharedCommit(queue, writerOn()));
});
afterEach(() => {
  jest.restoreAllMocks();
  file.close();
});

const kept = (): unknown[] => file.prepare('select a from t order by rowid').pluck().all();

/** Writes a value; `inside` is what else the writer does in its turn. */
async function write(value: number, inside: () => void | Promise<void> = () => undefined): Promise<number> {
  const turn = await enter(0);
  try {
    file.exec(`insert into t values (${value})`);
    await inside();
  } catch (error) {
    turn.undo();
    throw error;
  }
  await turn.keep();
  return value;
}

const fails = (): void => {
  throw new Error('refused');
};

test('who comes while others write shares their commit, and nobody is told before it', async () => {
  let told = 0;
  const writing = [1, 2, 3].map(async (value) => {
    await write(value, () => expect(told).toBe(0));
    told += 1;
    expect(file.inTransaction).toBe(false);
  });
  await Promise.all(writing);
  expect(said).toEqual(['begin', 'savepoint turn', 'release turn', 'savepoint turn', 'release turn', 'commit']);
  expect([told, kept()]).toEqual([3, [1, 2, 3]]);
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
])('who comes %s turns of the event loop later: commits %s', async (turns, commits) => {
  async function later(): Promise<number> {
    for (let turn = 0; turn < turns; turn++) await nextTurn();
    return write(2);
  }
  await Promise.all([write(1), later()]);
  expect(said.filter((sql) => sql === 'commit')).toHaveLength(commits);
});

test('a lone writer has a transaction without savepoints', async () => {
  await write(1);
  await write(2);
  expect(said).toEqual(['begin', 'commit', 'begin', 'commit']);
});

test.each([[0], [1], [2]])('who fails, being number %s of three, takes back what is its own', async (place) => {
  const answers = await Promise.allSettled([0, 1, 2].map((value) => write(value, value === place ? fails : undefined)));
  expect(answers.map(({ status }) => status)).toEqual(
    [0, 1, 2].map((value) => (value === place ? 'rejected' : 'fulfilled')),
  );
  expect(kept()).toEqual([0, 1, 2].filter((value) => value !== place));
  expect(file.inTransaction).toBe(false);
});

test('a commit that fails, fails for all of them, and the next one is not harmed', async () => {
  failing.set('commit', new Error('the disk is full'));
  const answers = await Promise.allSettled([1, 2].map((value) => write(value)));
  expect(answers).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { message: 'the disk is full' } })));
  expect(kept()).toEqual([]);
  await write(3);
  expect(kept()).toEqual([3]);
});

test('where nothing can be taken back after a commit that failed, all are told of it, and the next one does that first', async () => {
  failing.set('commit', new Error('the disk is full'));
  failing.set('rollback', new Error('the disk is gone'));
  const answers = await Promise.allSettled([1, 2].map((value) => write(value)));
  expect(answers).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { message: 'the disk is full' } })));
  failing.set('rollback', new Error('the disk is still gone'));
  await expect(write(3)).rejects.toThrow('the disk is still gone');
  await write(4);
  expect(kept()).toEqual([4]);
});

test('where the database undoes the transaction by itself, the others are told to do it again', async () => {
  const twice = (): void => void file.exec('insert into t values (2)');
  const answers = await Promise.allSettled([write(1), write(2, twice), write(3)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(answers[0]).toMatchObject({ reason: { code: (undoneByDatabase() as Error & { code: string }).code } });
  expect(answers[1]).toMatchObject({ reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } });
  expect(kept()).toEqual([3]);
});

test('who does not notice that all was undone is not told of success', async () => {
  const swallowed = (): void => {
    expect(() => file.exec('insert into t values (1)')).toThrow(/UNIQUE/);
  };
  await expect(write(1, swallowed)).rejects.toThrow('The database has undone the transaction');
  expect(kept()).toEqual([]);
});

test('who can not begin is refused alone', async () => {
  failing.set('begin', new Error('another process writes'));
  const answers = await Promise.allSettled([1, 2].map((value) => write(value)));
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(kept()).toEqual([2]);
});

test('a writer who waits for another that waits for him has that one refused, and comes to an end himself', async () => {
  const { enter: enterSoon } = createSharedCommit(new Queue(20), writerOn());
  const turn = await enterSoon(0);
  await expect(enterSoon(0)).rejects.toMatchObject({
    name: 'ServiceUnavailableError',
    message: 'Another writer does not come to an end, try again',
    cause: { message: expect.stringContaining('service(DOCUMENTS).of(uid, transaction)') },
  });
  const next = enterSoon(0);
  const isKept = turn.keep();
  await (await next).keep();
  await isKept;
});

test('however long a writer takes, the others wait as long as he does something', async () => {
  const slow = new Queue(20);
  const { enter: enterSoon } = createSharedCommit(slow, writerOn());
  const turn = await enterSoon(0);
  const next = enterSoon(0);
  for (let step = 0; step < 20; step += 1) {
    await sleep(5);
    slow.goOn();
  }
  const isKept = turn.keep();
  await (await next).keep();
  await isKept;
});

test('who waits for the connection itself gets it, outside any transaction, however many writers come', async () => {
  let isWriting = true;
  let written = 0;
  const writers = [1, 2, 3, 4].map(async (writer) => {
    while (isWriting) {
      written += 1;
      await write(writer * 1e6 + written);
    }
  });
  await sleep(5);
  const leave = await queue.enter();
  expect(file.inTransaction).toBe(false);
  expect(kept()).toHaveLength(written - 4);
  isWriting = false;
  leave();
  await Promise.all(writers);
  expect(kept()).toHaveLength(written);
});

test('a commit is not put off for long, nor for many', async () => {
  const slow = () => {
    now += 15;
  };
  await Promise.all([1, 2, 3, 4].map((value) => write(value, slow)));
  expect(said.filter((sql) => sql === 'commit')).toHaveLength(2);
  said.length = 0;
  await Promise.all(Array.from({ length: 130 }, (_, index) => write(100 + index)));
  expect(said.filter((sql) => sql === 'commit')).toHaveLength(3);
});

describe('a database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-shared-'));
  const database = createSqliteDatabase({
    filename: join(folder, 'x.db'),
    synchronous: 'FULL',
    busyTimeout: 500,
    maxAnswerBytes: 1_000_000,
  });
  const values = () => database.rows({ sql: 'select a from t order by a' }, []) as number[][];
  const insert = (value: number) =>
    database.transaction(async (connection) => {
      connection.run({ sql: 'insert into t values (?)' }, [value]);
      expect(values()).not.toContainEqual([value]);
      return value;
    });
  beforeAll(async () => {
    await database.open();
    await database.knex().raw('create table t (a unique on conflict rollback)');
  });
  afterAll(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  test('shows what was written when its writer is told, and not before', async () => {
    const writing = [1, 2, 3].map(async (value) => {
      await insert(value);
      expect(values()).toContainEqual([value]);
    });
    await Promise.all(writing);
  });

  test('does again what it undid for the sake of another', async () => {
    const answers = await Promise.allSettled([insert(10), insert(1), insert(11)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(values()).toEqual([[1], [2], [3], [10], [11]]);
  });

  test.each([
    ['keeps', async () => undefined],
    ['undoes', async () => Promise.reject(new Error('refused'))],
  ])('takes nothing from a writer that %s what it wrote, once it is the next one that writes', async (_, end) => {
    let first: Connection | undefined;
    const ended = database.transaction(async (connection) => {
      first = connection;
      await end();
    });
    const next = database.transaction(async (connection) => {
      connection.run({ sql: 'insert into t values (30)' }, []);
      expect(() => first!.rows({ sql: 'select a from t' }, [])).toThrow('The transaction is over');
      expect(() => first!.run({ sql: 'insert into t values (31)' }, [])).toThrow('The transaction is over');
      expect(() => first!.post({ sql: 'insert into t values (32)' }, [])).toThrow('The transaction is over');
      connection.run({ sql: 'delete from t where a=30' }, []);
    });
    await Promise.all([next, ended.catch(() => undefined)]);
  });

  test('runs no statement outside a transaction', async () => {
    const going = database.transaction(async (connection) => {
      expect(() => connection.run({ sql: 'insert into t values (1)' }, [])).toThrow('UNIQUE');
      expect(() => connection.run({ sql: 'insert into t values (20)' }, [])).toThrow('has undone the transaction');
      return 'wrong';
    });
    await expect(going).rejects.toMatchObject({ status: 503 });
    expect(values()).not.toContainEqual([20]);
  });
});
