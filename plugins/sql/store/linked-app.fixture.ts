import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type AnyPlugin,
  CONTENT,
  type ContentRegistry,
  createApplication,
  DOCUMENTS,
  type DocumentStore,
  type Documents,
  STORE,
} from '../../../core';
import { projectFiles } from '../../../core/content/structure/structure.fixture';
import { appFolder } from '../../../core/testing/app-folder';
import sql, { DATABASE } from '..';
import type { Database } from '../database/database';
import { createDatabase, dropDatabase } from '../sync/databases.fixture';
import { client } from './database-app.fixture';

// For tests: the project in which everything is linked with everything, on the database that DATABASE_CLIENT names.

export interface LinkedApp {
  readonly database: Database;
  readonly documents: Documents;
  readonly registry: ContentRegistry;
  readonly store: DocumentStore;
  /** Closes the application and starts it on the same database with other files. */
  restart(files: Readonly<Record<string, object>>): Promise<LinkedApp>;
  /** Closes the application and removes what it made. */
  remove(): Promise<void>;
}

let places = 0;

const connectionTo = {
  sqlite: (filename: string) => ({ filename }),
  mysql: (database: string) => ({ host: '127.0.0.1', user: 'root', password: '', database }),
  postgres: (database: string) => ({ host: '127.0.0.1', user: 'postgres', password: '', database }),
};

export async function openLinkedApp(
  files: Readonly<Record<string, object | string>> = projectFiles(),
  plugins: readonly AnyPlugin[] = [],
  settings: { readonly maxAnswerBytes?: number } = {},
): Promise<LinkedApp> {
  const { dataDir, remove } = appFolder();
  const name = client === 'sqlite' ? join(dataDir, 'data.db') : `heddle_l_${process.pid}_${++places}`;
  if (client === 'sqlite') mkdirSync(dataDir);
  else await createDatabase(client, name);
  const all = [sql, ...plugins].map((plugin) => [plugin.name, { default: true, load: () => plugin }] as const);

  async function start(project: Readonly<Record<string, object | string>>): Promise<LinkedApp> {
    const folder = appFolder(project);
    const app = await createApplication({
      ...folder,
      shipped: { plugins: Object.fromEntries(all), inert: {} },
      env: { NODE_ENV: 'test' },
      overrides: {
        database: { connection: { client, connection: connectionTo[client](name), busyTimeout: 20 }, ...settings },
      },
    });
    await app.start();
    const { services } = app.kernel;
    const close = async (): Promise<void> => {
      await app.close();
      folder.remove();
    };
    return {
      database: services.get(DATABASE),
      documents: services.get(DOCUMENTS),
      registry: services.get(CONTENT),
      store: services.get(STORE),
      async restart(changed) {
        await close();
        return start(changed);
      },
      async remove() {
        await close();
        if (client !== 'sqlite') await dropDatabase(client, name);
        remove();
      },
    };
  }

  return start(files);
}
