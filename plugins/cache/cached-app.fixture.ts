import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { type Application, CONTENT, type ContentType, createApplication, type Token } from '../../core';
import { shipped } from '../shipped';
import { client, connectionTo } from '../sql/store/database-app.fixture';
import { createDatabase, dropDatabase } from '../sql/sync/databases.fixture';
import { CACHE, type Counts } from '.';

// For tests: applications with the conformance suite's types on one database, of the sort that DATABASE_CLIENT names, with
// and without the cache.

export const token = 'cache-test-token';

export interface Asked {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Service {
  readonly app: Application;
  get<T>(service: Token<T>): T;
  ask(path: string, key?: string | null): Promise<Asked>;
  send(method: 'post' | 'put' | 'delete', path: string, data?: object): Promise<Asked>;
  graphql(query: string): Promise<Asked>;
  attach(name: string, bytes: Buffer): Promise<Asked>;
  counts(): Counts;
}

export interface Place {
  readonly name: string;
  /** Another application on the database. */
  start(cache?: boolean | object): Promise<Service>;
  remove(): Promise<void>;
}

let places = 0;

function serviceOf(app: Application): Service {
  const agent = supertest(app.handler);
  const keyed = (call: supertest.Test, key: string | null): supertest.Test => {
    call.ok(() => true);
    return key === null ? call : call.set('Authorization', `Bearer ${key}`);
  };
  const get = <T>(service: Token<T>): T => app.kernel.services.get(service);
  return {
    app,
    get,
    ask: (path, key = token) => keyed(agent.get(path), key),
    send: (method, path, data) => keyed(agent[method](path), token).send(data && { data }),
    graphql: (query) => keyed(agent.post('/graphql'), token).send({ query }),
    attach: (name, bytes) => keyed(agent.post('/api/upload'), token).attach('files', bytes, name),
    counts: () => get(CACHE).counts(),
  };
}

export async function makePlace(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-cache-'));
  const name = client === 'sqlite' ? join(dataDir, 'data.db') : `heddle_k_${process.pid}_${++places}`;
  if (client !== 'sqlite') await createDatabase(client, name);
  const running: Application[] = [];
  return {
    name,
    async start(cache = true) {
      const app = await createApplication({
        appDir: join(__dirname, '..', '..', 'conformance', 'fixtures', 'app'),
        // One folder serves one process, and these are in one.
        dataDir: join(dataDir, `app-${running.length}`),
        shipped,
        overrides: { plugins: { cache }, database: { connection: { client, connection: connectionTo[client](name) } } },
        env: { CONFORMANCE_TOKEN: token, NODE_ENV: 'test', LOG_LEVEL: 'silent' },
      });
      running.push(app);
      await app.start();
      return serviceOf(app);
    },
    async remove() {
      for (const app of running.reverse()) await app.close();
      if (client !== 'sqlite') await dropDatabase(client, name);
      rmSync(dataDir, { recursive: true });
    },
  };
}

export const idOf = ({ body, status, text }: Asked): string => {
  if (status >= 300) throw new Error(text);
  return body.data.documentId;
};

export const typeIn = ({ app }: Service, uid: string): ContentType => app.kernel.services.get(CONTENT).get(uid);

/** How many of the reads that the work comes to are answered by what was kept. */
export async function hits(service: Service, work: () => Promise<unknown>): Promise<number> {
  const before = service.counts().hits;
  await work();
  return service.counts().hits - before;
}
