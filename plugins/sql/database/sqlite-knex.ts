import type BetterSqlite3 from 'better-sqlite3';
import type { Knex } from 'knex';
import type { Queue } from './queue';
import { quietKnex } from './quiet-knex';
import { sqliteDriver } from './sqlite-driver';

interface Asked {
  readonly sql: string;
}

const beginning = /^\s*begin(?:\s+deferred)?(?:\s+transaction)?\s*;?\s*$/i;

interface SqliteClient {
  new (
    config: Knex.Config,
  ): {
    _query(connection: unknown, asked: Asked): Promise<unknown>;
    acquireConnection(): Promise<unknown>;
    releaseConnection(connection: unknown): Promise<void>;
    destroy(): Promise<void>;
  };
}

export interface SharedWriter {
  readonly connection: BetterSqlite3.Database;
  /** Where writers wait for each other. */
  readonly queue: Queue;
  readonly busyTimeout: number;
  /** Begins a transaction that may write, once no other process does. */
  begin(until: number): Promise<void>;
}

/**
 * Query builder and schema builder on the one connection that writes, waiting in the same queue as other writers, and for
 * other processes as the driver does where it is in no transaction. Loaded here: reading and writing documents needs none
 * of it.
 */
export function knexOnConnection({ connection, queue, busyTimeout, begin }: SharedWriter): Knex {
  const { knex: knexFactory } = require('knex') as typeof import('knex');
  const Base = require('knex/lib/dialects/better-sqlite3/index.js') as SqliteClient;
  const shared = Object.assign(connection, { __knexUid: 'writer' });
  let leave: (() => void) | undefined;
  const wait = (time: number): void => {
    if (connection.open) connection.pragma(`busy_timeout = ${time}`);
  };

  class SharedConnection extends Base {
    _driver(): unknown {
      return sqliteDriver();
    }

    /**
     * A transaction that only read at first would keep this connection, which is asked for what others have committed, at
     * the moment of its first read; and once they did, it could not write any more.
     */
    override async _query(on: unknown, asked: Asked): Promise<unknown> {
      queue.goOn();
      if (!beginning.test(asked.sql)) return super._query(on, asked);
      wait(0);
      try {
        await begin(performance.now() + busyTimeout);
        return asked;
      } finally {
        wait(busyTimeout);
      }
    }

    override async acquireConnection(): Promise<unknown> {
      leave = await queue.enterUnlessStuck();
      wait(busyTimeout);
      return shared;
    }

    override async releaseConnection(): Promise<void> {
      wait(0);
      leave?.();
      leave = undefined;
    }

    override async destroy(): Promise<void> {
      // The connection belongs to the database, which closes it.
    }
  }

  return knexFactory({
    client: SharedConnection as unknown as typeof Knex.Client,
    useNullAsDefault: true,
    // It is open already; knex only wants to be told of a file.
    connection: { filename: connection.name },
    ...quietKnex,
  });
}
