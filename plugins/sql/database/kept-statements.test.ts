import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSqliteDatabase } from './sqlite-database';
import { sqliteDriver } from './sqlite-driver';

test('long statements make room for each other on a connection, and one that is used stays prepared', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-'));
  const prepare = jest.spyOn(sqliteDriver().prototype, 'prepare');
  const database = createSqliteDatabase({
    filename: join(folder, 'data.db'),
    synchronous: 'NORMAL',
    busyTimeout: 100,
    maxAnswerBytes: 1_000_000,
  });
  const timesPrepared = (sql: string): number => prepare.mock.calls.filter(([text]) => text === sql).length;
  try {
    await database.open();
    const usual = 'select 1';
    const long = (name: number): string => `select ${name} /*${'x'.repeat(400_000)}*/`;
    for (let name = 0; name < 8; name++) {
      await database.rows({ sql: long(name) }, []);
      await database.rows({ sql: usual }, []);
    }
    for (const name of [7, 0]) await database.rows({ sql: long(name) }, []);
    expect([usual, long(7), long(0)].map(timesPrepared)).toEqual([1, 1, 2]);
  } finally {
    prepare.mockRestore();
    await database.close();
    rmSync(folder, { recursive: true });
  }
});
