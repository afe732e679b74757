import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { makeFolder } from '../../../core';
import type { KnownTables } from '../changes/notes';
import { sqlite } from '../dialects/sqlite';
import type { Connection, Database } from './database';
import { isLost, told, undoneByDatabase, withRetries } from './failures';
import { Queue } from './queue';
import { createSharedCommit } from './shared-commit';
import { connectionOn, openForReading, type Prepared, type Sqlite, type SqliteSettings } from './sqlite-connection';
import { knexOnConnection } from './sqlite-knex';
import { SqliteWriter } from './sqlite-writer';
import { standingTriggers } from './standing-triggers';
import { over } from './transaction-line';

/** Pauses of a writer that waits for another process: they double, up to the longest. */
const firstPause = 1;
const longestPause = 25;

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
  settings: SqliteSettings,
  dependents: KnownTables['dependents'] = () => [],
): Database {
  const { filename, busyTimeout } = settings;
  const queue = new Queue();
  const writer = new SqliteWriter(settings, dependents);
  let reader: Sqlite | undefined;
  let reading: Connection | undefined;
  /** Prepared once, for each request asks it. */
  let dataVersion: Prepared | undefined;
  let knex: Knex | undefined;

  function open(): void {
    makeFolder(dirname(filename));
    // A new file is its owner's alone, and SQLite gives those that it puts beside it the same mode.
    closeSync(openSync(filename, 'a', 0o600));
    reader = openForReading(settings);
    writer.hold();
    // Answers are taken as the bytes that the file keeps.
    const encoding = String(reader.pragma('encoding', { simple: true }));
    if (encoding !== 'UTF-8') throw new Error(`it keeps texts in ${encoding}; only UTF-8 can be served`);
    reading = connectionOn(reader, settings);
    dataVersion = reader.prepare<unknown[]>('pragma data_version').pluck();
  }

  /** Begins a transaction once no other process writes; who has waited long enough is not tried again. */
  async function begin(until: number): Promise<void> {
    for (let pause = firstPause; ; pause = Math.min(2 * pause, longestPause)) {
      try {
        writer.opened().database.exec('begin immediate');
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
    exec: (sql) => void writer.opened().database.exec(sql),
    inTransaction: () => writer.inTransaction,
  });

  /**
   * The connection for one turn. What its writer did not wait for may come in the turn of the next, and would be kept or undone
   * with what that one writes.
   */
  function connectionForTurn(): { readonly connection: Connection; end(): void } {
    let isOver = false;
    const { connection } = writer.opened();
    const inTurn = <T>(run: () => T): T => {
      if (isOver) throw over();
      // Outside a transaction a statement would be committed by itself.
      if (!writer.inTransaction) throw undoneByDatabase();
      queue.goOn();
      return run();
    };
    return {
      connection: {
        rows: (statement, values) => inTurn(() => connection.rows(statement, values)),
        run: (statement, values) => inTurn(() => connection.run(statement, values)),
        post: (statement, values) => inTurn(() => connection.post(statement, values)),
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
    maxAnswerBytes: settings.maxAnswerBytes,
    async open() {
      try {
        open();
      } catch (error) {
        throw new Error(`The SQLite file ${filename} can not be opened: ${(error as Error).message}`, { cause: error });
      }
    },
    async ready(statements) {
      writer.ready(statements);
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
      begin: () => writer.opened().changes.begin(),
      catchUp: () => writer.opened().changes.catchUp(),
      latest: (tables) => writer.opened().changes.latest(tables),
    },
    knex() {
      knex ??= orTold(() => knexOnConnection({ connection: writer.opened().database, queue, busyTimeout, begin }));
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
      writer.close();
      leave();
    },
  };
}
