import { join } from 'node:path';
import type { Knex } from 'knex';
import {
  type ContentType,
  createApplication,
  DOCUMENTS,
  type DocumentStore,
  type Documents,
  type Heddle,
  STORE,
  type TypeDocuments,
} from '../../../core';
import { type AppFolder, appFolder } from '../../../core/testing/app-folder';
import { pluginOf } from '../../../core/testing/test-application';
import sql, { DATABASE } from '..';
import type { Connection, Database } from '../database/database';
import { createDatabase, dropDatabase, openDatabase } from '../sync/databases.fixture';

// For tests: applications with plugin sql and one content type, on the database that DATABASE_CLIENT names.

export const client = (process.env['DATABASE_CLIENT'] ?? 'sqlite') as 'sqlite' | 'mysql' | 'postgres';

export const uid = 'api::thing.thing';

export type Attributes = Readonly<Record<string, { type: string; [option: string]: unknown }>>;

/** What a schema file says besides its attributes. */
export interface TypeOptions {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
}

export interface Place {
  readonly folder: AppFolder;
  /** A file on SQLite, a database elsewhere. */
  readonly name: string;
  remove(): Promise<void>;
}

let places = 0;

/** An empty database, and a project with one content type to use it. */
export async function makePlace(attributes: Attributes, options: TypeOptions = {}): Promise<Place> {
  const info = { singularName: 'thing', pluralName: 'things' };
  const folder = appFolder({ 'src/api/thing/content-types/thing/schema.json': { info, ...options, attributes } });
  const name = client === 'sqlite' ? join(folder.dataDir, 'data.db') : `heddle_t_${process.pid}_${++places}`;
  if (client !== 'sqlite') await createDatabase(client, name);
  return {
    folder,
    name,
    async remove() {
      if (client !== 'sqlite') await dropDatabase(client, name);
      folder.remove();
    },
  };
}

export const connectionTo = {
  sqlite: (filename: string) => ({ filename }),
  mysql: (database: string) => ({ host: '127.0.0.1', user: 'root', password: '', database }),
  postgres: (database: string) => ({ host: '127.0.0.1', user: 'postgres', password: '', database }),
};

export interface Opened {
  readonly database: Database;
  readonly documents: Documents;
  readonly store: DocumentStore;
  readonly things: TypeDocuments;
  readonly type: ContentType;
  warm(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts an application on the place; `apply` is what a plugin of its own does, and `reach` how it differs in reaching the
 * database.
 */
export async function openApp(
  place: Place,
  apply: (heddle: Heddle) => void = () => undefined,
  reach: Readonly<Record<string, string>> = {},
  settings: { readonly renderings?: boolean; readonly upkeep?: boolean } = {},
): Promise<Opened> {
  const own = pluginOf('own', apply);
  const plugins = { sql: { default: true, load: () => sql }, own: { default: true, load: () => own } };
  const connection = { client, connection: { ...connectionTo[client](place.name), ...reach }, busyTimeout: 2_000 };
  const app = await createApplication({
    ...place.folder,
    shipped: { plugins, inert: {} },
    env: { NODE_ENV: 'test' },
    overrides: { database: { connection, ...settings } },
  });
  await app.start();
  const { services } = app.kernel;
  const documents = services.get(DOCUMENTS);
  let type: ContentType | undefined;
  return {
    database: services.get(DATABASE),
    documents,
    store: services.get(STORE),
    things: documents.of(uid),
    get type() {
      type ??= services.get<{ get(uid: string): ContentType }>({ name: 'heddle.content' }).get(uid);
      return type;
    },
    warm: () => app.warm(),
    close: () => app.close(),
  };
}

/** Another program on the same database. */
export const openForeign = (place: Place): Knex => openDatabase(client, place.name);

/** An application on an empty database of its own, and another program beside it. */
export interface Both {
  readonly place: Place;
  readonly app: Opened;
  readonly foreign: Knex;
  /** Closes them, and removes the database. */
  close(): Promise<void>;
}

export async function openBoth(attributes: Attributes, options?: TypeOptions): Promise<Both> {
  const place = await makePlace(attributes, options);
  const app = await openApp(place);
  const foreign = openForeign(place);
  return {
    place,
    app,
    foreign,
    async close() {
      await app.close();
      await foreign.destroy();
      await place.remove();
    },
  };
}

/** Lets a test see, delay or refuse every statement; what it throws, the statement throws. */
export function watchStatements(database: Database, look: (sql: string) => void | Promise<void>): () => void {
  const { rows, transaction } = database;
  const looked = async <T>(sql: string, run: () => T | Promise<T>): Promise<T> => {
    await look(sql);
    return run();
  };
  /** As on a server, nothing comes after what failed in a transaction. */
  function watched(connection: Connection): Connection {
    let failure: { readonly error: unknown } | undefined;
    async function next<T>(sql: string, run: () => T | Promise<T>): Promise<T> {
      if (failure) throw failure.error;
      try {
        return await looked(sql, run);
      } catch (error) {
        failure = { error };
        throw error;
      }
    }
    const { lastRows } = connection;
    return {
      rows: (statement, values) => next(statement.sql, () => connection.rows(statement, values)),
      lastRows: lastRows && ((statement, values) => next(statement.sql, () => lastRows(statement, values))),
      run: (statement, values) => next(statement.sql, () => connection.run(statement, values)),
      post: (statement, values) => next(statement.sql, () => connection.post(statement, values)),
    };
  }
  database.rows = (statement, values) => looked(statement.sql, () => rows.call(database, statement, values));
  database.transaction = (work) => transaction.call(database, (connection) => work(watched(connection))) as never;
  return () => Object.assign(database, { rows, transaction });
}

/** All rows of the type's table, as text. */
export async function rowsOf(knex: Knex): Promise<string> {
  return JSON.stringify(await knex('things').select('*').orderBy('id'), (_key, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
