import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import knexFactory, { type Knex } from 'knex';
import { cleanedUp, orTakenBack } from '../clean-up';
import { interrupted } from './interruption';

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

async function onServer(
  client: Exclude<Client, 'sqlite'>,
  work: (knex: Knex) => Promise<void>,
  database: string = server[client].administration,
): Promise<void> {
  // One connection, for what is set for a session.
  const pool = { min: 1, max: 1 };
  const knex = knexFactory({ client: server[client].driver, connection: { ...access(client), database }, pool });
  await cleanedUp(
    () => work(knex),
    () => knex.destroy(),
  );
}

const createEmpty = async (knex: Knex, client: Client, name: string): Promise<void> => {
  await knex.raw(`create database ??${client === 'mysql' ? ' character set utf8mb4' : ''}`, [name]);
};

/** The columns of a table that hold what was written into them; the others are computed. */
async function writtenColumns(knex: Knex, table: string): Promise<string[]> {
  const [columns] = await knex.raw('show columns from ??', [table]);
  return (columns as { Field: string; Extra: string }[])
    .filter(({ Extra }) => !/\bGENERATED\b/.test(Extra))
    .map(({ Field }) => Field);
}

/** MariaDB can't copy a database: its tables are made anew, foreign keys included, and filled. */
async function copyTables(knex: Knex, from: string, to: string): Promise<void> {
  await createEmpty(knex, 'mysql', to);
  await knex.raw('set foreign_key_checks = 0');
  const [tables] = await knex.raw(`show full tables from ?? where table_type = 'BASE TABLE'`, [from]);
  await knex.raw('use ??', [to]);
  for (const [table] of (tables as object[]).map((row): string[] => Object.values(row))) {
    const [[made]] = await knex.raw('show create table ??.??', [from, table!]);
    await knex.raw(made['Create Table']);
    const columns = await writtenColumns(knex, table!);
    const rows = knex.select(columns).from(`${from}.${table}`);
    await knex.into(knex.raw('?? (??)', [table!, columns])).insert(rows);
    // Otherwise the server takes the table for an empty one for some seconds.
    const [told] = await knex.raw('analyze table ??', [table!]);
    const failure = (told as { Msg_type: string; Msg_text: string }[]).find((each) => /error/i.test(each.Msg_type));
    if (failure) throw new Error(`the table "${table}" could not be analyzed: ${failure.Msg_text}`);
  }
}

let places = 0;

/** A place of its own, where nothing is yet. */
function newPlace(client: Client): Place {
  interrupted.throwIfAborted();
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-'));
  const name = client === 'sqlite' ? join(folder, 'bench.db') : `heddle_bench_${process.pid}_${++places}`;
  return { client, name, folder };
}

/** Does what a place is made for; where that fails, nothing of it stays. */
export async function orRemoved(place: Place, work: () => Promise<unknown>): Promise<Place> {
  await orTakenBack(work, () => removePlace(place));
  return place;
}

/** An empty database. */
export async function createPlace(client: Client): Promise<Place> {
  const place = newPlace(client);
  if (client === 'sqlite') return place;
  return orRemoved(place, () => onServer(client, (knex) => createEmpty(knex, client, place.name)));
}

/** A copy of the database and the folder, which nobody uses meanwhile. */
export async function copyOf({ client, name: from, folder: original }: Place): Promise<Place> {
  const place = newPlace(client);
  const { name, folder } = place;
  return orRemoved(place, async () => {
    cpSync(original, folder, { recursive: true, verbatimSymlinks: true });
    if (client === 'sqlite') return;
    await onServer(client, async (knex) => {
      if (client === 'mysql') await copyTables(knex, from, name);
      else await knex.raw('create database ?? template ??', [name, from]);
    });
    // What a server does by itself sooner or later: without it, it knows nothing of its tables, nor that all may see their rows.
    if (client === 'postgres') await onServer(client, async (knex) => knex.raw('vacuum (analyze)'), name);
  });
}

export async function removePlace({ client, name, folder }: Place): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  if (client !== 'sqlite') await onServer(client, async (knex) => knex.raw('drop database if exists ??', [name]));
}

/** Runs the work on a copy, so that nobody meets what was written before. */
export async function onCopy<T>(place: Place, work: (copy: Place) => Promise<T>): Promise<T> {
  const copy = await copyOf(place);
  return cleanedUp(
    () => work(copy),
    () => removePlace(copy),
  );
}
