import { rmSync } from 'node:fs';

import knexFactory, { type Knex } from 'knex';

import type { DialectName } from '../dialects/dialect';
import { type Row, runOn } from './run';

// For tests: connections to the three databases, and all that is in one of them.

const Sqlite: typeof Knex.Client = require('knex/lib/dialects/better-sqlite3');

class SqliteHere extends Sqlite {
  _driver(): unknown {
    return require(Number(process.versions.napi) >= 10 ? 'better-sqlite3' : 'better-sqlite3-v12');
  }
}

const server = { host: '127.0.0.1', password: '' };

/** `name` is a file on SQLite and a database elsewhere. */
export function openDatabase(dialect: DialectName, name: string): Knex {
  if (dialect === 'sqlite') {
    return knexFactory({ client: SqliteHere, connection: { filename: name }, useNullAsDefault: true });
  }
  if (dialect === 'mysql') {
    const connection = { ...server, user: 'root', database: name, dateStrings: true, port: 3306 };
    return knexFactory({ client: 'mysql2', connection });
  }
  return knexFactory({ client: 'pg', connection: { ...server, user: 'postgres', database: name, port: 5432 } });
}

/** An empty one in the place of one that may be there. */
export async function createDatabase(dialect: DialectName, name: string): Promise<void> {
  await dropDatabase(dialect, name);
  if (dialect === 'sqlite') return;
  await onServer(dialect, `create database ??${dialect === 'mysql' ? ' character set utf8mb4' : ''}`, name);
}

export async function dropDatabase(dialect: DialectName, name: string): Promise<void> {
  if (dialect !== 'sqlite') return onServer(dialect, 'drop database if exists ??', name);
  for (const file of [name, `${name}-wal`, `${name}-shm`]) rmSync(file, { force: true });
}

async function onServer(dialect: DialectName, statement: string, name: string): Promise<void> {
  const knex = openDatabase(dialect, dialect === 'mysql' ? 'mysql' : 'postgres');
  try {
    await knex.raw(statement, [name]);
  } finally {
    await knex.destroy();
  }
}

const tableNames: Readonly<Record<DialectName, string>> = {
  sqlite: `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
  mysql: 'select table_name as name from information_schema.tables where table_schema = database() order by 1',
  postgres: `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
};

/** All rows of all tables, as text. */
export async function rowsIn(knex: Knex, dialect: DialectName): Promise<Record<string, string[]>> {
  const tables = await runOn(knex, dialect)(tableNames[dialect]);
  const entries = tables.map(async ({ name }): Promise<[string, string[]]> => {
    const rows: Row[] = await knex(String(name)).select('*').orderBy('id');
    return [String(name), rows.map((row) => JSON.stringify(row))];
  });
  return Object.fromEntries(await Promise.all(entries));
}
