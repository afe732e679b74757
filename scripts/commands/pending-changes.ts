import { constants, copyFileSync, existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Knex } from 'knex';
import { type Application, CONTENT } from '../../core';
import { DATABASE, pendingFor } from '../../plugins/sql';
import { Queue } from '../../plugins/sql/database/queue';
import { sqliteDriver } from '../../plugins/sql/database/sqlite-driver';
import { knexOnConnection } from '../../plugins/sql/database/sqlite-knex';
import { layoutOf } from '../../plugins/sql/layout/tables';
import { modelsOf } from '../../plugins/sql/models';

export interface PendingChanges {
  /** The database, for people. */
  readonly database: string;
  /** What the next start will add. */
  readonly changes: readonly string[];
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
  return { database, knex: knexOnConnection(connection, new Queue()), close: () => connection.close() };
}

function lookAt(app: Application, dataDir: string, scratch: string): Looked {
  const { services, core } = app.kernel;
  const database = services.get(DATABASE);
  const { connection } = core.config().database.connection;
  if (database.dialect.name === 'sqlite') {
    const file = connection.filename || 'data.db';
    return lookAtSqlite(isAbsolute(file) ? file : join(dataDir, file), scratch);
  }
  const name = `${database.dialect.name} database ${connection.database ?? ''} on ${connection.host ?? 'its server'}`;
  return { database: name, knex: database.knex(), close: () => database.close() };
}

/** What a start would add to the application's database, found out without adding or writing anything. */
export async function pendingChanges(app: Application, dataDir: string, scratch: string): Promise<PendingChanges> {
  const { dialect } = app.kernel.services.get(DATABASE);
  const { database, knex, close } = lookAt(app, dataDir, scratch);
  try {
    const layout = layoutOf(modelsOf(app.kernel.services.get(CONTENT)));
    const changes = await pendingFor(knex, dialect.name, layout);
    return { database, changes: changes.map(({ description }) => description) };
  } finally {
    await close();
  }
}
