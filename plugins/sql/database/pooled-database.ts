import type { EventEmitter } from 'node:events';
import type { Knex } from 'knex';
import { ProjectError, problem } from '../../../core';
import { type KnownTables, type Notes, noting } from '../changes/notes';
import { type KnexClientClass, recordingClient } from '../changes/recording-knex';
import { createSharedChanges } from '../changes/shared-changes';
import type { Entry } from '../changes/slots';
import type { TransactionWords } from '../changes/statement-kinds';
import type { Dialect } from '../dialects/dialect';
import { type Answered, type Asked, createBatchedLine } from './batched-line';
import { type ConnectionLine, createConnections, type ServerConfig } from './connections';
import { createAttempts } from './crowd';
import type { Changed, Connection, Database, Rows, Statement } from './database';
import { isGone, told, toldOfBroken, withRetries } from './failures';
import type { InnodbWatch, Line } from './innodb-watch';
import { orEnded } from './longest-read';
import { knexOnPool } from './pooled-knex';
import { createSharedLine, type Ways } from './shared-line';
import { createTransactionLine, type DriverConnection, type TransactionLine } from './transaction-line';
import { createTurns } from './turns';
import type { ClosableUpkeep, UpkeepWays } from './upkeep';

/** What differs between the servers' drivers. */
export interface Driver<Raw> extends ConnectionLine<Raw> {
  readonly dialect: Dialect;
  /** Loads knex's own client of this database. */
  knexClient(): KnexClientClass<Raw>;
  /** Begins a transaction; `isAlone` after it lost: then so that it can't lose again, where the server has a way. */
  begin(isAlone: boolean): string;
  rows(raw: Raw, statement: Statement, values: readonly unknown[]): Promise<Rows>;
  run(raw: Raw, statement: Statement, values: readonly unknown[]): Promise<Changed>;
  plain(raw: Raw, sql: string): Promise<unknown>;
  readonly words: TransactionWords<Raw>;
  /** Runs statements of a transaction together, where the server takes none before it has answered the one before. */
  together?(raw: Raw, all: readonly Asked[]): Promise<readonly Answered[]>;
  /** Lets statements go ahead of answers on a connection, or no longer; absent where they can't. */
  readonly letGoAhead?: (raw: Raw, isOn: boolean) => void;
  /**
   * A statement for another connection that ends what one is doing: a server hears that nobody waits for an answer any more when it
   * sends that. Absent where the server is told before how long a read may take.
   */
  readonly ending?: (raw: Raw) => string;
  /** Makes a connection cut short what others would wait for. */
  readonly cutsShort?: string;
  /** Watches what is written, over a connection of its own. */
  watch?(line: Pick<Line<Raw>, 'open' | 'close'>, idleAfter: number): InnodbWatch;
  /** Looks after tables; absent where the server always does. */
  upkeep?(ways: UpkeepWays<Raw>): ClosableUpkeep;
}

/** The drivers' words name no setting; what they say of several addresses lies in their causes. */
function refuseStart(error: unknown): never {
  const { message, errors = [] } = error as Error & { errors?: readonly Error[] };
  const said = message || errors.map((each) => each.message).join('; ');
  const remedy = 'Start the server, or correct host, port, database, user and password.';
  throw new ProjectError([problem('config/database', `can't be opened: ${said}.`, remedy, 'connection.connection')]);
}

/** Milliseconds after which a connection is closed that nobody uses. */
const idleTimeout = 30_000;

/** A database server, reached through one pool, out of which knex is handed its connections, too. */
export function createPooledDatabase<Raw extends EventEmitter>(
  driver: Driver<Raw>,
  { connection, pool, acquireConnectionTimeout, searchPath, maxAnswerBytes }: ServerConfig,
  dependents: KnownTables['dependents'] = () => [],
): Database {
  const { acquireTimeoutMillis = acquireConnectionTimeout, idleTimeoutMillis = idleTimeout } = pool;
  const connections = createConnections(driver, {
    ...pool,
    idleTimeoutMillis,
    acquireTimeoutMillis: Math.min(acquireTimeoutMillis, acquireConnectionTimeout),
  });
  const connectionOn = (raw: Raw): DriverConnection => ({
    rows: (statement, values) => driver.rows(raw, statement, values),
    run: (statement, values) => driver.run(raw, statement, values),
    plain: (sql) => driver.plain(raw, sql),
  });

  /** Runs work on a connection of the pool. */
  async function lent<T>(work: (raw: Raw) => Promise<T>): Promise<T> {
    const raw = await connections.lend();
    try {
      return await work(raw);
    } finally {
      connections.takeBack(raw);
    }
  }

  /** Runs what only the driver can fail at: where it says that the connection is gone, that one is. */
  const lentToAsk = <T>(ask: (raw: Raw) => Promise<T>): Promise<T> =>
    lent(async (raw) => {
      try {
        return await ask(raw);
      } catch (error) {
        if (isGone(error)) connections.broke(raw);
        throw error;
      }
    });

  const lineOn = (raw: Raw): TransactionLine =>
    driver.together
      ? createBatchedLine({ together: (all) => driver.together!(raw, all), plain: (sql) => driver.plain(raw, sql) })
      : createTransactionLine(connectionOn(raw));

  const attempts = createAttempts();

  /** Asks the connection, not the error: the work may have failed to reach something else. */
  async function undo(raw: Raw, line: TransactionLine): Promise<void> {
    // A connection that is gone has nothing to roll back: the server does that.
    if (!connections.isWhole(raw)) return line.abandon();
    await line.rollback().catch(() => connections.broke(raw));
  }

  /** Transactions under way that don't tell what they change, for nobody wanted to know when they began. */
  const untold = new Set<Promise<unknown>>();

  function untelling<T>(attempt: Promise<T>): Promise<T> {
    untold.add(attempt);
    const ended = (): void => void untold.delete(attempt);
    attempt.then(ended, ended);
    return attempt;
  }

  const attemptOf = <T>(
    work: (connection: Connection) => Promise<T>,
    isAlone: boolean,
    notes: Notes | undefined,
  ): Promise<T> =>
    lent(async (raw) => {
      const line = lineOn(raw);
      let entry: Entry | undefined;
      driver.letGoAhead?.(raw, true);
      line.begin(driver.begin(isAlone));
      try {
        const result = await work(notes ? noting(line.connection, notes) : line.connection);
        entry = notes && changes.entry(notes);
        await entry?.tell(line.connection);
        const toldBy = entry;
        // Of a commit that fails nobody knows the end.
        entry = undefined;
        await line.commit();
        toldBy?.committed();
        return result;
      } catch (error) {
        await undo(raw, line);
        if (!connections.isWhole(raw)) throw toldOfBroken(error);
        entry?.undone();
        throw error;
      } finally {
        driver.letGoAhead?.(raw, false);
      }
    });

  const attempt = <T>(work: (connection: Connection) => Promise<T>, isAlone: boolean): Promise<T> =>
    changes.isWanted ? attemptOf(work, isAlone, changes.notes()) : untelling(attemptOf(work, isAlone, undefined));

  const transaction: Database['transaction'] = (work) =>
    withRetries((before) => attempts(before, (isAlone) => attempt(work, isAlone)));

  /** Ends what a connection is doing, for which nobody waits any longer. */
  async function endWork(raw: Raw, ending: string): Promise<void> {
    connections.broke(raw);
    driver.cut(raw);
    await elsewhere(async (other) => void (await driver.plain(other, ending)));
  }

  const alone: Ways<Raw>['alone'] = (statement, values, took) =>
    lentToAsk(async (raw) => {
      const begun = performance.now();
      const read = driver.rows(raw, statement, values);
      const ending = statement.multiplies && driver.ending?.(raw);
      const found = await (ending ? orEnded(read, () => endWork(raw, ending)) : read);
      took(performance.now() - begun);
      return found;
    });

  async function openShared(): Promise<Raw> {
    const raw = await connections.open();
    try {
      await driver.plain(raw, driver.cutsShort!);
      driver.letGoAhead!(raw, true);
      return raw;
    } catch (error) {
      await connections.close(raw);
      throw error;
    }
  }
  const ways: Ways<Raw> = {
    open: openShared,
    close: connections.close,
    isOpen: connections.isWhole,
    rows: driver.rows,
    alone,
  };
  const shared = driver.letGoAhead && createSharedLine(ways, idleTimeoutMillis);
  const read = shared?.rows ?? ((statement, values) => alone(statement, values, () => undefined));

  async function rows(statement: Statement, values: readonly unknown[]): Promise<Rows> {
    try {
      return await read(statement, values);
    } catch (error) {
      throw told(error);
    }
  }
  const untoldEnded = async (): Promise<void> => void (await Promise.allSettled(untold));
  const changes = createSharedChanges(driver.dialect, { rows, transaction, untoldEnded }, dependents);

  const watch = driver.watch?.(connections, idleTimeoutMillis);
  const upkeep = driver.upkeep?.({ rows, open: connections.open, close: connections.close });

  let knex: Knex | undefined;
  async function elsewhere(work: (raw: Raw) => Promise<void>): Promise<void> {
    const other = await connections.open();
    try {
      await work(other);
    } finally {
      await connections.close(other);
    }
  }

  const makeKnex = (): Knex => {
    const turns = createTurns<Raw>();
    const beside = {
      changes: () => changes,
      writingOn: connectionOn,
      plain: driver.plain,
      words: driver.words,
      broke: connections.broke,
      elsewhere,
      turns,
    };
    return knexOnPool(recordingClient(driver.knexClient(), beside), connections, turns, { connection, searchPath });
  };

  return {
    dialect: driver.dialect,
    maxAnswerBytes,
    open: () => lent(async () => undefined).catch(refuseStart),
    ready: () => changes.open(),
    version: () => undefined,
    opened: connections.opened,
    changes,
    rows,
    transaction,
    ...(watch && { watch }),
    ...(upkeep && { upkeep }),
    knex() {
      knex ??= makeKnex();
      return knex;
    },
    async trouble() {
      try {
        await lentToAsk((raw) => driver.plain(raw, 'select 1'));
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    async close() {
      await Promise.all([watch?.close(), upkeep?.close()]);
      await shared?.close();
      // knex gives back what it was lent before it forgets where.
      await connections.end();
      await knex?.destroy();
    },
  };
}
