import { constants, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { ContentRegistry } from '../../core';
import { type DatabaseConfig, sqliteFile } from './config';
import type { Database } from './database/database';
import { Queue } from './database/queue';
import { sqliteDriver } from './database/sqlite-driver';
import { knexOnConnection } from './database/sqlite-knex';
import { layoutOf } from './layout/tables';
import { modelsOf } from './models';
import { pendingFor } from './sync/sync';

export interface PendingChanges {
  /** The database, for people. */
  readonly database: string;
  /** What the next start will add. */
  readonly changes: readonly string[];
}

/** Whose database is looked at. */
export interface LookedAt {
  readonly database: Database;
  readonly config: DatabaseConfig;
  readonly registry: ContentRegistry;
  readonly dataDir: string;
}

interface Looked {
  readonly database: string;
  readonly knex: Knex;
  close(): unknown;
}

/**
 * A SQLite file is opened where it lies only if a running service has its side files there: opening it would make
 * them. Else a copy is looked at, or an empty database for a file that is not there yet.
 */
function lookableFile(file: string, scratch: string): string {
  const isInUse = ['-wal', '-shm'].every((ending) => existsSync(file + ending));
  if (isInUse) return file;
  if (!existsSync(file)) return ':memory:';
  const copy = join(scratch, 'copy.db');
  for (const ending of ['', '-wal']) {
    if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending, constants.COPYFILE_FICLONE);
  }
  return copy;
}

function lookAtSqlite(file: string, scratch: string): Looked {
  const lookable = lookableFile(file, scratch);
  const Driver = sqliteDriver();
  const connection = new Driver(lookable, { readonly: lookable === file });
  const database = `SQLite file ${file}${existsSync(file) ? '' : ' (not there yet)'}`;
  const begin = async (): Promise<void> => void connection.exec('begin');
  const knex = knexOnConnection({ connection, queue: new Queue(), busyTimeout: 0, begin });
  return { database, knex, close: () => connection.close() };
}

function lookAt({ database, config, dataDir }: LookedAt, scratch: string): Looked {
  const { connection } = config.connection;
  if (database.dialect.name === 'sqlite') return lookAtSqlite(sqliteFile(connection, dataDir), scratch);
  const name = `${database.dialect.name} database ${connection.database ?? ''} on ${connection.host ?? 'its server'}`;
  return { database: name, knex: database.knex(), close: () => database.close() };
}

/** What a start would add to the database, found out without adding or writing anything outside a scratch folder. */
export async function pendingChanges(place: LookedAt, scratch: string): Promise<PendingChanges> {
  const { database, knex, close } = lookAt(place, scratch);
  try {
    const layout = layoutOf(modelsOf(place.registry, place.config));
    const changes = await pendingFor(knex, place.database.dialect.name, layout);
    return { database, changes: changes.map(({ description }) => description) };
  } finally {
    await close();
  }
}
