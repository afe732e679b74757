import type BetterSqlite3 from 'better-sqlite3';
import { Lru } from '../../../core';
import { lengthFunction, numberFunction, timeFunction } from '../dialects/sqlite';
import { createCountedLists } from './answer-length';
import type { Changed, Connection, Rows, Statement } from './database';
import { answerBeyond } from './failures';
import { sqliteDriver } from './sqlite-driver';

export type Sqlite = BetterSqlite3.Database;
export type Prepared = BetterSqlite3.Statement<unknown[]>;

export interface SqliteSettings {
  readonly filename: string;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly busyTimeout: number;
  readonly maxAnswerBytes: number;
}

/** A driver that waits stops the whole process: readers do so for no longer than this, and writers not at all. */
const longestStop = 100;

/** What a commit for many writers changes has room in memory, so that it is written once: in kilobytes. */
const writerCache = 16_000;

/** Pages in the log after which they are put in their places, each once however often it has changed. */
const checkpointAfter = 4_000;

function opened({ filename, synchronous, busyTimeout }: SqliteSettings, make: (database: Sqlite) => void): Sqlite {
  const database = new (sqliteDriver())(filename, { fileMustExist: true, timeout: busyTimeout });
  try {
    database.function(numberFunction, { deterministic: true }, (value: unknown) => JSON.stringify(value));
    database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${synchronous}`);
    database.pragma('foreign_keys = ON');
    make(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** For reading only; but whoever is the last to close the file puts into it what its log still holds. */
export const openForReading = (settings: SqliteSettings): Sqlite =>
  opened(settings, (database) => {
    database.pragma('query_only = ON');
    database.pragma(`busy_timeout = ${Math.min(settings.busyTimeout, longestStop)}`);
  });

export const openForWriting = (settings: SqliteSettings): Sqlite =>
  opened(settings, (database) => {
    database.pragma(`cache_size = -${writerCache}`);
    database.pragma(`wal_autocheckpoint = ${checkpointAfter}`);
    // What a savepoint would bring back needs no file.
    database.pragma('temp_store = memory');
    database.pragma('busy_timeout = 0');
  });

/** Prepared statements of one connection, kept by text, and characters in them: SQLite holds up to thirty bytes for each. */
const keptStatements = 1_000;
const keptText = 2_000_000;

const isTooLong = (rows: Rows, most: number): boolean =>
  rows.reduce((length, [text]) => length + ((text as Buffer | string | null)?.length ?? 0), 0) > most;

export function connectionOn(database: Sqlite, { maxAnswerBytes }: Pick<SqliteSettings, 'maxAnswerBytes'>): Connection {
  const lists = createCountedLists(maxAnswerBytes);
  database.function(lengthFunction, (bytes: number, relations: number) => {
    lists.add(bytes, relations);
    return 1;
  });
  database.function(timeFunction, (_: unknown) => {
    lists.look();
    return 1;
  });
  const statements = new Lru<Prepared>(keptStatements, keptText);
  function prepared({ sql }: Statement): Prepared {
    const known = statements.get(sql);
    if (known) return known;
    const made = database.prepare<unknown[]>(sql);
    statements.set(sql, made.reader ? made.raw() : made);
    return made;
  }
  return {
    rows(statement, values) {
      lists.begin();
      const rows = prepared(statement).all(...values) as Rows;
      if (statement.isAnswered && isTooLong(rows, maxAnswerBytes)) throw answerBeyond(maxAnswerBytes);
      return rows;
    },
    run(statement, values): Changed {
      const { changes, lastInsertRowid } = prepared(statement).run(...values);
      return { changes, firstId: Number(lastInsertRowid) - changes + 1 };
    },
    post: (statement, values) => void prepared(statement).run(...values),
  };
}
