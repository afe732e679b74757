import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knexFactory from 'knex';

export const clients = ['sqlite', 'mysql', 'postgres'] as const;
export type Client = (typeof clients)[number];

/** A database that is measured, with a folder for whatever else a candidate keeps. */
export interface Place {
  readonly client: Client;
  /** A file on SQLite, a database elsewhere. */
  readonly name: string;
  readonly folder: string;
}

const server = {
  mysql: { driver: 'mysql2', user: 'root', port: 3306, administration: 'mysql' },
  postgres: { driver: 'pg', user: 'postgres', port: 5432, administration: 'postgres' },
} as const;

const access = (client: Exclude<Client, 'sqlite'>) => ({
  host: process.env['DATABASE_HOST'] ?? '127.0.0.1',
  port: Number(process.env['DATABASE_PORT'] ?? server[client].port),
  user: process.env['DATABASE_USERNAME'] ?? server[client].user,
  password: process.env['DATABASE_PASSWORD'] ?? '',
});

/** The variables that the fixture's configuration and the peer's read. */
export function environmentOf({ client, name }: Place): Record<string, string> {
  if (client === 'sqlite') return { DATABASE_CLIENT: client, DATABASE_FILENAME: name };
  const { host, port, user, password } = access(client);
  return {
    DATABASE_CLIENT: client,
    DATABASE_HOST: host,
    DATABASE_PORT: String(port),
    DATABASE_NAME: name,
    DATABASE_USERNAME: user,
    DATABASE_PASSWORD: password,
  };
}

async function onServer(client: Exclude<Client, 'sqlite'>, statement: string, name: string): Promise<void> {
  const { driver, administration } = server[client];
  const knex = knexFactory({ client: driver, connection: { ...access(client), database: administration } });
  try {
    await knex.raw(statement, [name]);
  } finally {
    await knex.destroy();
  }
}

const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'heddle-bench-'));

/** An empty database. */
export async function createPlace(client: Client): Promise<Place> {
  const folder = makeFolder();
  if (client === 'sqlite') return { client, name: join(folder, 'bench.db'), folder };
  const name = `heddle_bench_${process.pid}`;
  await onServer(client, `create database ??${client === 'mysql' ? ' character set utf8mb4' : ''}`, name);
  return { client, name, folder };
}

/** A copy of a SQLite database in a folder of its own. */
export function copyOf(place: Place): Place {
  const folder = makeFolder();
  const name = join(folder, 'bench.db');
  copyFileSync(place.name, name);
  return { ...place, name, folder };
}

export async function removePlace({ client, name, folder }: Place): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  if (client !== 'sqlite') await onServer(client, 'drop database if exists ??', name);
}
