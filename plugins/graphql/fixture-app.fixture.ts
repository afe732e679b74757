import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import supertest from 'supertest';
import {
  type AnyPlugin,
  type Application,
  createApplication,
  DOCUMENTS,
  type Documents,
  type RawConfig,
} from '../../core';
import { shipped } from '../shipped';
import { DATABASE } from '../sql';
import { watchStatements } from '../sql/store/database-app.fixture';
import { GRAPHQL_SCHEMA } from '.';

// For tests: the conformance suite's application, on a SQLite file of its own, with its full-access token.

const token = 'graphql-test-token';

export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly body: any;
}

export interface FixtureApp {
  readonly app: Application;
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  ask(query: string, variables?: object, as?: 'public' | 'token'): Promise<Answer>;
  request(): ReturnType<typeof supertest>;
  /** How many statements a request comes to. */
  statements(work: () => Promise<unknown>): Promise<number>;
  remove(): Promise<void>;
}

export interface FixtureOptions {
  /** Plugins besides those of the distribution. */
  readonly own?: readonly AnyPlugin[];
  readonly environment?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function fixtureApp(
  plugins: RawConfig['plugins'] = {},
  { own = [], environment = 'test', env: more = {} }: FixtureOptions = {},
): Promise<FixtureApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-graphql-'));
  const { DATABASE_CLIENT: _, DATABASE_FILENAME: __, ...env } = process.env;
  const remove = () => rmSync(dataDir, { recursive: true });
  const app = await createApplication({
    appDir: join(__dirname, '..', '..', 'conformance', 'fixtures', 'app'),
    dataDir,
    shipped: {
      ...shipped,
      plugins: {
        ...shipped.plugins,
        ...Object.fromEntries(own.map((plugin) => [plugin.name, { default: true, load: () => plugin }])),
      },
    },
    overrides: { plugins },
    env: { ...env, ...more, CONFORMANCE_TOKEN: token, NODE_ENV: environment },
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  await app.start();
  const { services } = app.kernel;
  const request = () => supertest(app.handler);
  return {
    app,
    get schema() {
      return services.get(GRAPHQL_SCHEMA)();
    },
    documents: services.get(DOCUMENTS),
    request,
    async ask(query, variables, as = 'token') {
      const call = request()
        .post('/graphql')
        .ok(() => true);
      if (as === 'token') call.set('Authorization', `Bearer ${token}`);
      const { status, text, body } = await call.send({ query, variables });
      return { status, text, body };
    },
    async statements(work) {
      let count = 0;
      const stop = watchStatements(services.get(DATABASE), () => {
        count += 1;
      });
      await work();
      stop();
      return count;
    },
    async remove() {
      await app.close();
      remove();
    },
  };
}
