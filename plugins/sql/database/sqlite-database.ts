import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import { type Changes, Lru, makeFolder } from '../../../core';
import type { KnownTables } from '../changes/notes';
import { recordWriter } from '../changes/recorded-writer';
import { numberFunction, sqlite } from '../dialects/sqlite';
import type { Changed, Connection, Database, Rows, Statement } from './database';
import { isLost, told, undoneByDatabase, withRetries } from './failures';
import { Queue } from './queue';
import { createSharedCommit } from './shared-commit';
import { sqliteDriver } from './sqlite-driver';
import { knexOnConnection } from './sqlite-knex';
import { standingTriggers } from './standing-triggers';
import { over } from './transaction-line';

export interface SqliteSettings {
  readonly filename: string;
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly busyTimeout: number;
}

type Sqlite = BetterSqlite3.Database;
type Prepared = BetterSqlite3.Statement<unknown[]>;

/** A driver that waits stops the whole process: readers do so for no longer than this, and writers not at all. */
const longestStop = 100;

/** Pauses of a writer that waits for another process: they double, up to the longest. */
const firstPause = 1;
const longestPause = 25;

/** What a commit for many writers changes has room in memory, so that it is written once: in kilobytes. */
const writerCache = 16_000;

/** Pages in the log after which they are put in their places, each once however often it has changed. */
const checkpointAfter = 4_000;

function makeWriter(database: Sqlite): void {
  database.pragma('journal_mode = WAL');
  database.pragma(`cache_size = -${writerCache}`);
  database.pragma(`wal_autocheckpoint = ${checkpointAfter}`);
  // What a savepoint would bring back needs no file.
  database.pragma('temp_store = memory');
}

/** Prepared statements of one connection, kept by text, and characters in them: SQLite holds up to thirty bytes for each. */
const keptStatements = 1_000;
const keptText = 2_000_000;

function connectionOn(database: Sqlite): Connection {
  const statements = new Lru<Prepared>(keptStatements, keptText);
  function prepared({ sql }: Statement): Prepared {
    const known = statements.get(sql);
    if (known) return known;
    const made = database.prepare<unknown[]>(sql);
    statements.set(sql, made.reader ? made.raw() : made);
    return made;
  }
  return {
    rows: (statement, values) => prepared(statement).all(...values) as Rows,
    run(statement, values): Changed {
      const { changes, lastInsertRowid } = prepared(statement).run(...values);
      return { changes, firstId: Number(lastInsertRowid) - changes + 1 };
    },
    post: (statement, values) => void prepared(statement).run(...values),
  };
}

const orTold = <T>(run: () => T): T => {
  try {
    return run();
  } catch (error) {
    throw told(error);
  }
};

/**
 * Writes take turns on a connection of their own and reads use another, so that no read ever sees what is not committed,
 * however long a tap inside a transaction sleeps.
 */
export function createSqliteDatabase(
  { filename, synchronous, busyTimeout }: SqliteSettings,
  dependents: KnownTables['dependents'] = () => [],
): Database {
  const queue = new Queue();
  let writer: Sqlite | undefined;
  let reader: Sqlite | undefined;
  let writing: Connection | undefined;
  let reading: Connection | undefined;
  /** Prepared once, for each request asks it. */
  let dataVersion: Prepared | undefined;
  let knex: Knex | undefined;
  let changes: Changes | undefined;

  function connect(readonly: boolean): Sqlite {
    const database = new (sqliteDriver())(filename, { readonly, timeout: busyTimeout });
    database.function(numberFunction, { deterministic: true }, (value: unknown) => JSON.stringify(value));
    if (!readonly) makeWriter(database);
    database.pragma(`synchronous = ${synchronous}`);
    database.pragma('foreign_keys = ON');
    database.pragma(`busy_timeout = ${readonly ? Math.min(busyTimeout, longestStop) : 0}`);
    return database;
  }

  function open(): void {
    makeFolder(dirname(filename));
    // A new file is its owner's alone, and SQLite gives those that it puts beside it the same mode.
    closeSync(openSync(filename, 'a', 0o600));
    writer = connect(false);
    changes = recordWriter(writer, dependents);
    writing = connectionOn(writer);
    reader = connect(true);
    // Answers are taken as the bytes that the file keeps.
    const encoding = String(reader.pragma('encoding', { simple: true }));
    if (encoding !== 'UTF-8') throw new Error(`it keeps texts in ${encoding}; only UTF-8 can be served`);
    reading = connectionOn(reader);
    dataVersion = reader.prepare<unknown[]>('pragma data_version').pluck();
  }

  /** Begins a transaction once no other process writes; who has waited long enough is not tried again. */
  async function begin(until: number): Promise<void> {
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        writer!.exec('begin immediate');
        return;
      } catch (error) {
        if (!isLost(error) || performance.now() >= until) throw error;
        await sleep(pause);
        // Waiting for another process, it does something: how long is said by `until`.
        queue.goOn();
      }
    }
  }

  const commits = createSharedCommit(queue, {
    begin: (until) =>
      begin(until).catch((error) => {
        throw told(error);
      }),
    exec: (sql) => void writer!.exec(sql),
    inTransaction: () => writer!.inTransaction,
  });

  /**
   * The connection for one turn. What its writer did not wait for may come in the turn of the next, and would be kept or undone
   * with what that one writes.
   */
  function connectionForTurn(): { readonly connection: Connection; end(): void } {
    let isOver = false;
    const inTurn = <T>(run: () => T): T => {
      if (isOver) throw over();
      // Outside a transaction a statement would be committed by itself.
      if (!writer!.inTransaction) throw undoneByDatabase();
      queue.goOn();
      return run();
    };
    return {
      connection: {
        rows: (statement, values) => inTurn(() => writing!.rows(statement, values)),
        run: (statement, values) => inTurn(() => writing!.run(statement, values)),
        post: (statement, values) => inTurn(() => writing!.post(statement, values)),
      },
      end() {
        isOver = true;
      },
    };
  }

  async function attempt<T>(work: (connection: Connection) => Promise<T>, until: number): Promise<T> {
    const turn = await commits.enter(until);
    const { connection, end } = connectionForTurn();
    let result: T;
    try {
      result = await work(connection);
    } catch (error) {
      end();
      turn.undo();
      throw error;
    }
    end();
    await turn.keep();
    return result;
  }

  return {
    dialect: sqlite,
    async open() {
      try {
        open();
      } catch (error) {
        throw new Error(`The SQLite file ${filename} can not be opened: ${(error as Error).message}`, { cause: error });
      }
    },
    async ready(statements) {
      for (const sql of statements) writer!.exec(sql);
    },
    rows: (statement, values) => orTold(() => reading!.rows(statement, values)),
    transaction(work) {
      const until = performance.now() + busyTimeout;
      return withRetries(() => attempt(work, until));
    },
    version: () => orTold(() => String(dataVersion!.get())),
    standing(triggers) {
      const number = standingTriggers(reader!, triggers);
      return () => orTold(number);
    },
    changes: {
      begin: () => changes!.begin(),
      catchUp: () => changes!.catchUp(),
      latest: (tables) => changes!.latest(tables),
    },
    knex() {
      knex ??= knexOnConnection({ connection: writer!, queue, busyTimeout, begin });
      return knex;
    },
    async trouble() {
      try {
        reader!.prepare('select 1').get();
        return undefined;
      } catch (error) {
        return isLost(error) ? undefined : (error as Error).message;
      }
    },
    async close() {
      const leave = await queue.enter();
      await knex?.destroy();
      reader?.close();
      writer?.close();
      leave();
    },
  };
}
