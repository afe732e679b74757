import fs, { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from './database';
import { createSqliteDatabase } from './sqlite-database';
import { sqliteDriver } from './sqlite-driver';

let folder: string;
let database: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-writer-'));
  database = createSqliteDatabase({
    filename: join(folder, 'data.db'),
    synchronous: 'NORMAL',
    busyTimeout: 100,
    maxAnswerBytes: 1_000_000,
  });
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

const write = (sql: string): Promise<unknown> =>
  database.transaction(async (connection) => connection.run({ sql }, []));

test('who only reads has one connection, and who writes two', async () => {
  const pragma = jest.spyOn(sqliteDriver().prototype, 'pragma');
  const opened = (): number => pragma.mock.calls.filter(([text]) => text === 'foreign_keys = ON').length;
  try {
    await database.open();
    database.rows({ sql: 'select 1' }, []);
    database.version();
    expect(opened()).toBe(1);
    await write('create table t (a)');
    await write('insert into t values (1)');
    expect(opened()).toBe(2);
  } finally {
    pragma.mockRestore();
  }
});

test('who reads can not write', async () => {
  await database.open();
  await write('create table t (a)');
  expect(() => database.rows({ sql: 'insert into t values (1) returning a' }, [])).toThrow(/readonly/);
});

test('what the connection is readied with comes before the first write, or at once where it is open', async () => {
  await database.open();
  await database.ready(['create temp table first (a)']);
  await write('insert into first values (1)');
  await database.ready(['create temp table second (a)']);
  await write('insert into second values (1)');
});

test('what fails to ready the connection fails whoever writes, until it fails no more', async () => {
  await database.open();
  await database.ready(['create temp trigger watch after insert on main.t begin select 1; end']);
  await expect(write('create table other (a)')).rejects.toMatchObject({
    message: expect.stringContaining('no such table'),
  });
  const another = new (sqliteDriver())(join(folder, 'data.db'));
  another.exec('create table t (a)');
  another.close();
  await write('insert into t values (1)');
});

test('a file that has gone, or that another came in place of, is not written', async () => {
  const file = join(folder, 'data.db');
  const unreachable = { status: 503, message: 'The database can not be reached' };
  await database.open();
  renameSync(file, join(folder, 'moved.db'));
  await expect(write('create table t (a)')).rejects.toMatchObject(unreachable);
  expect(readdirSync(folder)).not.toContain('data.db');
  copyFileSync(join(folder, 'moved.db'), file);
  await expect(write('create table t (a)')).rejects.toMatchObject(unreachable);
  renameSync(join(folder, 'moved.db'), file);
  await write('create table t (a)');
});

test('who may not write the file now is refused, and not for ever', async () => {
  await database.open();
  const access = jest.spyOn(fs, 'accessSync').mockImplementationOnce(() => {
    throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
  });
  try {
    await expect(write('create table t (a)')).rejects.toMatchObject({ status: 503 });
    await write('create table t (a)');
  } finally {
    access.mockRestore();
  }
});

test('what a process that was killed has left in the log is in the file once one that only reads has ended', async () => {
  const killed = new (sqliteDriver())(join(folder, 'killed.db'));
  killed.pragma('journal_mode = WAL');
  killed.exec("create table t (a); insert into t values ('written')");
  for (const end of ['', '-wal']) copyFileSync(join(folder, `killed.db${end}`), join(folder, `data.db${end}`));
  killed.close();

  await database.open();
  expect(database.rows({ sql: 'select a from t' }, [])).toEqual([['written']]);
  await database.close();
  expect(readdirSync(folder).filter((name) => name.startsWith('data.db'))).toEqual(['data.db']);
  const after = new (sqliteDriver())(join(folder, 'data.db'));
  expect(after.prepare('select a from t').pluck().all()).toEqual(['written']);
  after.close();
});
