import supertest from 'supertest';
import { type Application, createApplication, type PluginCatalogue, type RawConfig, type Token } from '../../core';
import { appFolder } from '../../core/testing/app-folder';
import { schema, schemaFile } from '../rest/rest-app.fixture';
import { shipped } from '../shipped';
import { client, connectionTo } from '../sql/store/database-app.fixture';
import { createDatabase, dropDatabase } from '../sql/sync/databases.fixture';
import { API_TOKENS, ROLES } from '.';

// For tests: an application with a few types, nobody granted anything, and a token that may do everything. Its database is
// of the sort that DATABASE_CLIENT names.

const note = {
  text: { type: 'string' },
  secret: { type: 'password', minLength: 4 },
  writer: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
};

export const noteUid = 'api::note.note';

export const fullKey = 'full-access-key';

let databases = 0;

export interface UsersAppOptions {
  readonly files?: Readonly<Record<string, string | object>>;
  readonly plugins?: RawConfig;
  readonly env?: Readonly<Record<string, string>>;
  readonly catalogue?: PluginCatalogue;
}

export async function usersApp({ files = {}, plugins = {}, env = {}, catalogue = shipped }: UsersAppOptions = {}) {
  const folder = appFolder({
    [schemaFile('note')]: schema('note', note),
    [schemaFile('tag')]: schema('tag', { name: { type: 'string' } }),
    ...files,
  });
  const name = `heddle_u_${process.pid}_${++databases}`;
  if (client !== 'sqlite') await createDatabase(client, name);
  const connection = client === 'sqlite' ? {} : connectionTo[client](name);
  const start = async (): Promise<Application> => {
    const app = await createApplication({
      ...folder,
      shipped: catalogue,
      env: { NODE_ENV: 'test', LOG_LEVEL: 'silent', ...env },
      overrides: { plugins, database: { connection: { client, connection } } },
    });
    await app.start();
    return app;
  };
  const app = await start().catch(async (error) => {
    if (client !== 'sqlite') await dropDatabase(client, name);
    folder.remove();
    throw error;
  });
  const service = <T>(token: Token<T>): T => app.kernel.services.get(token);
  await service(API_TOKENS).ensure({ name: 'full', type: 'full-access', key: fullKey });
  const agent = supertest(app.handler);
  return {
    app,
    agent,
    service,
    folder,
    start,
    get: (path: string, key?: string) =>
      key ? agent.get(path).set('Authorization', `Bearer ${key}`) : agent.get(path),
    post: (path: string, body: object, key?: string) =>
      (key ? agent.post(path).set('Authorization', `Bearer ${key}`) : agent.post(path)).send(body),
    grant: (actions: readonly string[], role = 'public') => service(ROLES).grant(role, actions),
    async remove() {
      await app.close();
      if (client !== 'sqlite') await dropDatabase(client, name);
      folder.remove();
    },
  };
}

export type UsersApp = Awaited<ReturnType<typeof usersApp>>;
