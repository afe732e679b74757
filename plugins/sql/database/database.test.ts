import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Database } from './database';
import { createMysqlDatabase } from './mysql-database';
import { createPostgresDatabase } from './postgres-database';
import { Queue } from './queue';
import { createSqliteDatabase } from './sqlite-database';
import { sqliteDriver } from './sqlite-driver';
import { createStatementNames } from './statement-names';

test('a queue lets one through at a time, in the order of asking', async () => {
  const queue = new Queue();
  const order: number[] = [];
  let inside = 0;
  const visit = async (number: number): Promise<void> => {
    const leave = await queue.enter();
    expect(++inside).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5 - number));
    order.push(number);
    inside -= 1;
    leave();
  };
  await Promise.all([0, 1, 2, 3].map(visit));
  expect(order).toEqual([0, 1, 2, 3]);
});

test('a statement gets a name when it comes again, and only a limited number do', () => {
  const nameOf = createStatementNames();
  expect([nameOf('a'), nameOf('a'), nameOf('a'), nameOf('a')]).toEqual([undefined, undefined, 'h0', 'h0']);
  const names = new Set<string | undefined>();
  for (let text = 0; text < 3_000; text++) for (let use = 0; use < 3; use++) names.add(nameOf(`s${text}`));
  names.delete(undefined);
  expect(names.size).toBe(999);
  expect(nameOf('a')).toBe('h0');
});

test('long statements get names as long as all of them together are not too long', () => {
  const nameOf = createStatementNames();
  const names: (string | undefined)[] = [];
  for (const letter of 'abcd') {
    const text = letter.repeat(3_000_000);
    names.push([nameOf(text), nameOf(text), nameOf(text)].at(-1));
  }
  expect(names).toEqual(['h0', 'h1', undefined, undefined]);
  expect([nameOf('short'), nameOf('short'), nameOf('short')].at(-1)).toBe('h2');
});

describe('servers that can not be reached', () => {
  const connection = { host: '127.0.0.1', port: 1, user: 'x', password: 'x', database: 'x' };
  const config = { connection, pool: { min: 0, max: 1 }, acquireConnectionTimeout: 2_000, maxAnswerBytes: 1_000_000 };

  test.each([
    ['mysql', createMysqlDatabase],
    ['postgres', createPostgresDatabase],
  ])('%s: 503, and trouble is told', async (_name, create) => {
    const database = create(config);
    const unreachable = { status: 503, message: 'The database can not be reached' };
    await expect(database.rows({ sql: 'select 1' }, [])).rejects.toMatchObject(unreachable);
    await expect(database.transaction(async () => undefined)).rejects.toMatchObject(unreachable);
    expect(await database.trouble()).toContain('ECONNREFUSED');
    await expect(database.open()).rejects.toThrow();
    await database.close();
    await expect(database.rows({ sql: 'select 1' }, [])).rejects.toMatchObject(unreachable);
    await expect(database.transaction(async () => undefined)).rejects.toMatchObject(unreachable);
  });

  test.each([
    ['mysql', createMysqlDatabase],
    ['postgres', createPostgresDatabase],
  ])('%s: knex knows the database, and whoever prints it does not print the password', async (_name, create) => {
    const database = create({ ...config, connection: { ...connection, password: 'top-secret' } });
    const knex = database.knex();
    expect(knex.client.config.connection.database).toBe('x');
    expect(inspect(knex.client, { depth: 8 })).not.toContain('top-secret');
    await database.close();
  });

  test('knex prints nothing', async () => {
    const print = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const database = createPostgresDatabase(config);
    await expect(database.rows({ sql: 'select 1' }, [])).rejects.toMatchObject({ status: 503 });
    await database.close();
    expect(print).not.toHaveBeenCalled();
    print.mockRestore();
  });
});

describe('SQLite', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'heddle-sqlite-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = async (file = join(folder, 'deep', 'er', 'data.db'), busyTimeout = 2_000) => {
    const settings = { filename: file, synchronous: 'FULL', busyTimeout, maxAnswerBytes: 1_000_000 } as const;
    const database = createSqliteDatabase(settings);
    await database.open();
    return database;
  };
  const write = (database: Awaited<ReturnType<typeof open>>, sql: string) =>
    database.transaction(async (connection) => connection.run({ sql }, []));

  test('a file is made with its folders, in WAL, with foreign keys', async () => {
    const database = await open();
    expect(database.rows({ sql: 'pragma journal_mode' }, [])).toEqual([['wal']]);
    expect(database.rows({ sql: 'pragma foreign_keys' }, [])).toEqual([[1]]);
    await database.transaction(async (connection) => {
      expect(connection.rows({ sql: 'pragma synchronous' }, [])).toEqual([[2]]);
    });
    expect(await database.trouble()).toBeUndefined();
    await database.close();
  });

  test("a new file and those beside it are their owner's alone; one that is there keeps its mode", async () => {
    const modes = () =>
      readdirSync(folder)
        .filter((name) => name.startsWith('own.db'))
        .map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);
    const database = await open(join(folder, 'own.db'));
    await write(database, 'create table t (a)');
    expect(modes()).toEqual(['own.db', 'own.db-shm', 'own.db-wal'].map((name) => [name, '600']));
    await database.close();
    chmodSync(join(folder, 'own.db'), 0o640);
    await (await open(join(folder, 'own.db'))).close();
    expect(modes()).toEqual([['own.db', '640']]);
  });

  test('a file that is no database is named', async () => {
    const file = join(folder, 'x.db');
    writeFileSync(file, 'no database at all, just some text that is long enough'.repeat(20));
    await expect(open(file)).rejects.toThrow(`The SQLite file ${file} can not be opened`);
  });

  test('the folders around a file are made, and where they can not be, that is told', async () => {
    await (await open(join(folder, 'of', 'mine', 'x.db'))).close();
    expect(readdirSync(join(folder, 'of', 'mine'))).toContain('x.db');
    writeFileSync(join(folder, 'text'), '');
    const badly = [[join(folder, 'text', 'of', 'x.db'), 'ENOTDIR']];
    if (process.platform === 'linux') badly.push(['/proc/of/mine/x.db', 'ENOENT']);
    for (const [file, why] of badly)
      await expect(open(file)).rejects.toThrow(`The SQLite file ${file} can not be opened: ${why}`);
  });

  test('a file that keeps its texts in UTF-16 is refused', async () => {
    const file = join(folder, 'utf16.db');
    const made = new (sqliteDriver())(file);
    made.exec("pragma encoding = 'UTF-16le'; create table things (name text)");
    made.close();
    await expect(open(file)).rejects.toThrow('it keeps texts in UTF-16le; only UTF-8 can be served');
  });

  test('readers do not write', async () => {
    const database = await open();
    await write(database, 'create table t (a)');
    expect(() => database.rows({ sql: 'insert into t values (1) returning a' }, [])).toThrow(/readonly/);
    await database.close();
  });

  test.each([
    ['the version', async (database: Database) => database.version()],
    [
      'what a statement tells',
      async ({ dialect, rows }: Database) => (await rows({ sql: `select ${dialect.snapshot}` }, []))[0]![0],
    ],
  ])('%s changes with every write and with nothing else', async (_, versionOf) => {
    const [database, other] = [await open(), await open()];
    await write(database, 'create table t (a)');
    const version = (): Promise<unknown> => versionOf(database);
    const versions = [await version(), await version()];
    await write(database, 'insert into t values (1)');
    versions.push(await version());
    await write(other, 'insert into t values (2)');
    versions.push(await version(), await version());
    await write(database, 'insert into t values (3)');
    versions.push(await version());
    expect(versions[0]).toBe(versions[1]);
    expect(versions[3]).toBe(versions[4]);
    expect(new Set(versions).size).toBe(4);
    await Promise.all([database.close(), other.close()]);
  });

  test('a transaction that fails is undone, and the next one is not harmed', async () => {
    const database = await open();
    await write(database, 'create table t (a)');
    const failing = database.transaction(async (connection) => {
      connection.run({ sql: 'insert into t values (1)' }, []);
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error('undone');
    });
    const next = write(database, 'insert into t values (2)');
    await expect(failing).rejects.toThrow('undone');
    await next;
    expect(database.rows({ sql: 'select a from t' }, [])).toEqual([[2]]);
    await database.close();
  });

  test('another process that writes is waited for without stopping this one, for as long as is configured', async () => {
    const [database, other] = [await open(undefined, 300), await open()];
    await write(database, 'create table t (a)');
    let release = (): void => undefined;
    const busy = other.transaction(
      (connection) =>
        new Promise<void>((resolve) => {
          connection.run({ sql: 'insert into t values (1)' }, []);
          release = resolve;
        }),
    );
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
    }, 5);
    const start = performance.now();
    await expect(write(database, 'insert into t values (2)')).rejects.toMatchObject({ status: 503 });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(turns).toBeGreaterThan(3);
    clearInterval(ticking);
    const late = write(database, 'insert into t values (3)');
    release();
    await Promise.all([busy, late]);
    expect(database.rows({ sql: 'select a from t order by a' }, [])).toEqual([[1], [3]]);
    await Promise.all([database.close(), other.close()]);
  });

  test('once it is closed, it can not be reached', async () => {
    const database = await open();
    const standing = database.standing!(new Map());
    await database.close();
    const unreachable = { status: 503, message: 'The database can not be reached' };
    const thrown = (work: () => unknown): unknown => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    expect(thrown(() => database.rows({ sql: 'select 1' }, []))).toMatchObject(unreachable);
    expect(thrown(() => database.version())).toMatchObject(unreachable);
    expect(thrown(standing)).toMatchObject(unreachable);
    await expect(write(database, 'create table t (a)')).rejects.toMatchObject(unreachable);
    expect(await database.trouble()).toContain('not open');
  });

  test('an error of a definition does not say what was to be written', async () => {
    const database = await open();
    const writing = database.knex()('nowhere').insert({ token: 'a-secret-token' });
    const error = (await writing.catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toContain('nowhere');
    expect(error.stack + JSON.stringify(error)).not.toContain('a-secret-token');
    await database.close();
  });

  test('definitions wait in the queue of the writers', async () => {
    const database = await open();
    const slow = database.transaction(async (connection) => {
      connection.run({ sql: 'create table t (a)' }, []);
      await new Promise((resolve) => setTimeout(resolve, 10));
    });
    const rows = database.knex()('t').select('a');
    await slow;
    expect(await rows).toEqual([]);
    await database.close();
  });
});
