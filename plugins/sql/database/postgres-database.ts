import type { Knex } from 'knex';
import type { Client } from 'pg';
import type { KnownTables } from '../changes/notes';
import { postgres } from '../dialects/postgres';
import type { Changed, Database, Rows, Statement } from './database';
import { createPooledDatabase, type Driver } from './pooled-database';
import { createStatementNames } from './statement-names';

type Parser = (text: string) => unknown;

const whole = new Set([21, 23]);
const booleanType = 16;

/** Values as text, but for the two kinds that every reader wants parsed. */
const types = {
  getTypeParser: (oid: number): Parser =>
    whole.has(oid) ? Number : oid === booleanType ? (text) => text === 't' : (text) => text,
};

/** The lock that all writers share, among the numbers of other locks. */
const everyWriter = 0;

/**
 * Writers that wait for each other in a circle, as those who publish documents that link each other do, are found out by
 * the server after a second. No writer waits that long: it gives way, and comes again when it has the database to itself.
 */
const begin = (isAlone: boolean): string =>
  `begin; set local lock_timeout = '10s'; ${
    isAlone
      ? `select pg_advisory_xact_lock(${everyWriter})`
      : `select pg_advisory_xact_lock_shared(${everyWriter}); set local lock_timeout = '100ms'`
  }`;

export function createPostgresDatabase(config: Knex.Config, dependents?: KnownTables['dependents']): Database {
  const nameOf = createStatementNames();
  const query = async (raw: Client, { sql }: Statement, values: readonly unknown[]) =>
    raw.query({ name: nameOf(sql), text: sql, values: [...values], rowMode: 'array', types: types as never });

  const driver: Driver<Client> = {
    dialect: postgres,
    client: require('knex/lib/dialects/postgres/index.js'),
    config,
    session: ["set time zone 'UTC'; set jit = off; set datestyle = 'ISO'; set extra_float_digits = 1"],
    begin,
    rows: async (raw, statement, values) => (await query(raw, statement, values)).rows as unknown as Rows,
    async run(raw, statement, values): Promise<Changed> {
      const { rowCount, rows } = await query(raw, statement, values);
      return { changes: rowCount ?? 0, firstId: Number((rows as unknown as Rows)[0]?.[0] ?? 0) };
    },
    plain: (raw, sql) => raw.query(sql),
  };
  return createPooledDatabase(driver, dependents);
}
