import { constants } from 'node:buffer';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { KnownTables } from './changes/notes';
import { connectionKeys } from './connection-keys';
import type { Database } from './database/database';
import { sortIndexes } from './sort-indexes';

const clients = {
  sqlite: 'sqlite',
  'better-sqlite3': 'sqlite',
  mysql: 'mysql',
  mysql2: 'mysql',
  postgres: 'postgres',
  pg: 'postgres',
} as const;

const pool = z.strictObject({
  min: z.int().min(0).default(0),
  max: z.int().min(1).default(10),
  acquireTimeoutMillis: z.int().min(1).optional(),
  createTimeoutMillis: z.int().min(1).optional(),
  destroyTimeoutMillis: z.int().min(1).optional(),
  idleTimeoutMillis: z.int().min(1).optional(),
  reapIntervalMillis: z.int().min(1).optional(),
  createRetryIntervalMillis: z.int().min(1).optional(),
});

/** `config/database`, as existing projects write it; the SQLite options are Heddle's own. */
export const databaseKeys = {
  connection: z
    .strictObject({
      client: z.enum(Object.keys(clients) as [keyof typeof clients]).default('sqlite'),
      connection: connectionKeys.default({}),
      pool: pool.prefault({}),
      acquireConnectionTimeout: z.int().min(1).default(10_000),
      useNullAsDefault: z.boolean().optional(),
      debug: z.boolean().optional(),
      searchPath: z.union([z.string(), z.array(z.string())]).optional(),
      synchronous: z.enum(['FULL', 'NORMAL']).default('FULL'),
      busyTimeout: z.int().min(0).default(5_000),
    })
    .prefault({}),
  indexes: sortIndexes,
  /** Bytes of what a read answers, and so of what it keeps in memory. */
  maxAnswerBytes: z.int().min(1_048_576).max(constants.MAX_STRING_LENGTH).default(67_108_864),
  /** Whether the database keeps the text of each row, so that answers are not spelt anew. */
  renderings: z.boolean().default(true),
  /** Whether tables are vacuumed and analyzed where PostgreSQL's own upkeep is switched off. */
  upkeep: z.boolean().default(true),
};

export type DatabaseConfig = { [Key in keyof typeof databaseKeys]: z.infer<(typeof databaseKeys)[Key]> };

declare module '../../core/types' {
  interface ConfigSections {
    database: DatabaseConfig;
  }
}

/** The file that is meant: a relative one lies in the data folder. */
export function sqliteFile({ filename }: DatabaseConfig['connection']['connection'], dataDir: string): string {
  const file = filename || 'data.db';
  return isAbsolute(file) ? file : join(dataDir, file);
}

/** The database that the configuration names. */
export function databaseFor(
  { connection: settings, maxAnswerBytes }: Pick<DatabaseConfig, 'connection' | 'maxAnswerBytes'>,
  dataDir: string,
  dependents?: KnownTables['dependents'],
): Database {
  const { client, connection, pool: poolSettings, acquireConnectionTimeout, searchPath } = settings;
  if (clients[client] === 'sqlite') {
    const { createSqliteDatabase } =
      require('./database/sqlite-database') as typeof import('./database/sqlite-database');
    const { synchronous, busyTimeout } = settings;
    const file = { filename: sqliteFile(connection, dataDir), synchronous, busyTimeout, maxAnswerBytes };
    return createSqliteDatabase(file, dependents);
  }
  const { filename: _file, schema, ...address } = connection;
  const config = {
    connection: address,
    pool: poolSettings,
    acquireConnectionTimeout,
    searchPath: searchPath ?? schema,
    maxAnswerBytes,
  };
  if (clients[client] === 'mysql') {
    const { createMysqlDatabase } = require('./database/mysql-database') as typeof import('./database/mysql-database');
    return createMysqlDatabase(config, dependents);
  }
  const { createPostgresDatabase } =
    require('./database/postgres-database') as typeof import('./database/postgres-database');
  return createPostgresDatabase(config, dependents);
}
