import { join } from 'node:path';
import {
  type AnyPlugin,
  type Application,
  CONTENT,
  type ContentRegistry,
  createApplication,
  DOCUMENTS,
  type DocumentStore,
  type Documents,
  STORE,
} from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import i18n from '../i18n';
import rest from '../rest';
import type { DocumentAction } from '../rest/hooks';
import sql, { DATABASE } from '../sql';
import type { Database } from '../sql/database/database';
import { client } from '../sql/store/database-app.fixture';
import { createDatabase, dropDatabase } from '../sql/sync/databases.fixture';
import draftPublish from '.';
import { projectFiles } from './linked-project.fixture';

// For tests: the linked project with versions and locales, on the database that DATABASE_CLIENT names.

export interface VersionsPlace {
  readonly folder: AppFolder;
  readonly connection: object;
  remove(): Promise<void>;
}

export interface VersionsApp {
  readonly app: Application;
  readonly database: Database;
  readonly documents: Documents;
  readonly registry: ContentRegistry;
  readonly store: DocumentStore;
  /** What draft-publish adds to the interface: publish, unpublish, discardDraft. */
  readonly actions: ReadonlyMap<string, DocumentAction>;
  close(): Promise<void>;
}

let places = 0;

const server = {
  mysql: { host: '127.0.0.1', user: 'root', password: '' },
  postgres: { host: '127.0.0.1', user: 'postgres', password: '' },
};

/** An empty database, and the project to use it. */
export async function makeVersionsPlace(files = projectFiles()): Promise<VersionsPlace> {
  const folder = appFolder(files);
  const name = client === 'sqlite' ? join(folder.dataDir, 'data.db') : `heddle_v_${process.pid}_${++places}`;
  if (client !== 'sqlite') await createDatabase(client, name);
  return {
    folder,
    connection: client === 'sqlite' ? { filename: name } : { ...server[client], database: name },
    async remove() {
      if (client !== 'sqlite') await dropDatabase(client, name);
      folder.remove();
    },
  };
}

const all: readonly AnyPlugin[] = [sql, draftPublish, i18n, rest];

/** Starts the project; the plugins named in `off` are switched off. */
export async function openVersionsApp(place: VersionsPlace, off: readonly string[] = []): Promise<VersionsApp> {
  const plugins = all.map((plugin) => [plugin.name, { default: true, load: () => plugin }] as const);
  const locales = { i18n: { config: { locales: ['en', 'fr', 'de'] } } };
  const app = await createApplication({
    ...place.folder,
    shipped: { plugins: Object.fromEntries(plugins), inert: {} },
    env: { NODE_ENV: 'test' },
    overrides: {
      database: { connection: { client, connection: place.connection, busyTimeout: 20 } },
      plugins: { ...locales, ...Object.fromEntries(off.map((name) => [name, false])) },
    },
  });
  await app.start();
  const { services, hooks } = app.kernel;
  const actions = new Map<string, DocumentAction>();
  hooks.rest?.actions.call({ add: (action) => actions.set(action.name, action) });
  return {
    app,
    actions,
    database: services.get(DATABASE),
    documents: services.get(DOCUMENTS),
    registry: services.get(CONTENT),
    store: services.get(STORE),
    close: () => app.close(),
  };
}

/** An application for the tests of a file: opened before the first, gone after the last. */
export function versionsApp(files = projectFiles()): () => VersionsApp {
  let place: VersionsPlace;
  let app: VersionsApp;

  beforeAll(async () => {
    place = await makeVersionsPlace(files);
    app = await openVersionsApp(place);
  });
  afterAll(async () => {
    await app.close();
    await place.remove();
  });

  return () => app;
}
