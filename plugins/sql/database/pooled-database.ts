import type { Knex } from 'knex';
import knexFactory from 'knex';
import { ProjectError, problem } from '../../../core';
import { type KnownTables, noting } from '../changes/notes';
import { type KnexClientClass, recordingClient } from '../changes/recording-knex';
import { createSharedChanges } from '../changes/shared-changes';
import type { Dialect } from '../dialects/dialect';
import { createAttempts } from './crowd';
import type { Changed, Connection, Database, Rows, Statement } from './database';
import { isGone, told, withRetries } from './failures';
import type { InnodbWatch, Line } from './innodb-watch';
import { quietKnex } from './quiet-knex';
import { createSharedLine, type Ways } from './shared-line';
import { createTransactionLine, type DriverConnection } from './transaction-line';

/** What differs between the servers' drivers. */
export interface Driver<Raw> {
  readonly dialect: Dialect;
  /** knex's own client of this database. */
  readonly client: KnexClientClass<Raw>;
  readonly config: Knex.Config;
  /** Statements that make a new connection behave. */
  readonly session: readonly string[];
  /** Begins a transaction; `isAlone` after it lost: then so that it can't lose again, where the server has a way. */
  begin(isAlone: boolean): string;
  rows(raw: Raw, statement: Statement, values: readonly unknown[]): Promise<Rows>;
  run(raw: Raw, statement: Statement, values: readonly unknown[]): Promise<Changed>;
  plain(raw: Raw, sql: string): Promise<unknown>;
  /** Lets statements go ahead of answers on a connection, or no longer; absent where they can't. */
  readonly letGoAhead?: (raw: Raw, isOn: boolean) => void;
  /** Makes a connection cut short what others would wait for. */
  readonly cutsShort?: string;
  /** Watches what is written, over a connection of its own. */
  watch?(line: Pick<Line<Raw>, 'open' | 'close'>): InnodbWatch;
}

interface KnexClient<Raw> {
  acquireRawConnection(): Promise<Raw>;
  destroyRawConnection(raw: Raw): Promise<void>;
  acquireConnection(): Promise<Raw>;
  releaseConnection(raw: Raw): Promise<void>;
}

/** The drivers' words name no setting; what they say of several addresses lies in their causes. */
function refuseStart(error: unknown): never {
  const { message, errors = [] } = error as Error & { errors?: readonly Error[] };
  const said = message || errors.map((each) => each.message).join('; ');
  const remedy = 'Start the server, or correct host, port, database, user and password.';
  throw new ProjectError([problem('config/database', `can't be opened: ${said}.`, remedy, 'connection.connection')]);
}

/** Milliseconds after which the pool gives a connection back that nobody uses. */
const idleTimeout = 30_000;

/** A database server, reached through one pool that knex keeps and hands its connections out of. */
export function createPooledDatabase<Raw extends object>(
  driver: Driver<Raw>,
  dependents: KnownTables['dependents'] = () => [],
): Database {
  const connectionOn = (raw: Raw): DriverConnection => ({
    rows: (statement, values) => driver.rows(raw, statement, values),
    run: (statement, values) => driver.run(raw, statement, values),
    plain: (sql) => driver.plain(raw, sql),
  });

  const knex = knexFactory({
    ...driver.config,
    client: recordingClient(driver.client, {
      changes: () => changes,
      tell: (raw, notes) => changes.tell(connectionOn(raw), notes),
      plain: driver.plain,
    }),
    ...quietKnex,
    pool: {
      ...driver.config.pool,
      afterCreate(raw: Raw, done: (error: unknown, raw: Raw) => void) {
        driver.session
          .reduce<Promise<unknown>>((before, sql) => before.then(() => driver.plain(raw, sql)), Promise.resolve())
          .then(
            () => done(null, raw),
            (error) => done(error, raw),
          );
      },
    },
  });
  const client = knex.client as KnexClient<Raw>;

  /** Runs work on a connection of the pool. A connection that broke is taken out of it, so that it is not lent again. */
  async function lent<T>(work: (raw: Raw) => Promise<T>): Promise<T> {
    const raw = await client.acquireConnection();
    try {
      return await work(raw);
    } catch (error) {
      if (isGone(error)) Object.assign(raw, { __knex__disposed: error });
      throw error;
    } finally {
      await client.releaseConnection(raw);
    }
  }

  const attempts = createAttempts();

  const attempt = <T>(work: (connection: Connection) => Promise<T>, isAlone: boolean): Promise<T> =>
    lent(async (raw) => {
      const notes = changes.notes();
      const line = createTransactionLine(connectionOn(raw), driver.letGoAhead !== undefined);
      driver.letGoAhead?.(raw, true);
      line.begin(driver.begin(isAlone));
      try {
        const result = await work(noting(line.connection, notes));
        const entry = await changes.tell(line.connection, notes);
        await line.commit();
        entry?.committed();
        return result;
      } catch (error) {
        // A connection that is gone has nothing to roll back: the server does that.
        if (!isGone(error)) await line.rollback();
        throw error;
      } finally {
        driver.letGoAhead?.(raw, false);
      }
    });

  const transaction: Database['transaction'] = (work) =>
    withRetries((before) => attempts(before, (isAlone) => attempt(work, isAlone)));

  const alone: Ways<Raw>['alone'] = (statement, values, took) =>
    lent(async (raw) => {
      const begun = performance.now();
      const found = await driver.rows(raw, statement, values);
      took(performance.now() - begun);
      return found;
    });

  async function openShared(): Promise<Raw> {
    const raw = await client.acquireRawConnection();
    try {
      for (const sql of [...driver.session, driver.cutsShort!]) await driver.plain(raw, sql);
      driver.letGoAhead!(raw, true);
      return raw;
    } catch (error) {
      await client.destroyRawConnection(raw);
      throw error;
    }
  }
  const ways: Ways<Raw> = {
    open: openShared,
    close: (raw) => client.destroyRawConnection(raw),
    isOpen: (raw) => !('__knex__disposed' in raw),
    rows: driver.rows,
    alone,
  };
  const idleAfter = driver.config.pool?.idleTimeoutMillis ?? idleTimeout;
  const shared = driver.letGoAhead && createSharedLine(ways, idleAfter);
  const read = shared?.rows ?? ((statement, values) => alone(statement, values, () => undefined));

  async function rows(statement: Statement, values: readonly unknown[]): Promise<Rows> {
    try {
      return await read(statement, values);
    } catch (error) {
      throw told(error);
    }
  }
  const changes = createSharedChanges(driver.dialect, { rows, transaction }, dependents);

  const watch = driver.watch?.({
    open: () => client.acquireRawConnection(),
    close: (raw) => client.destroyRawConnection(raw),
  });

  return {
    dialect: driver.dialect,
    open: () => lent(async () => undefined).catch(refuseStart),
    ready: () => changes.open(),
    version: () => undefined,
    changes,
    rows,
    transaction,
    ...(watch && { watch }),
    knex: () => knex,
    async trouble() {
      try {
        await lent((raw) => driver.plain(raw, 'select 1'));
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    async close() {
      await watch?.close();
      await shared?.close();
      await knex.destroy();
    },
  };
}
