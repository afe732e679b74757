import type { RequestListener } from 'node:http';
import supertest from 'supertest';
import { definePlugin, type Logger } from '../../../core';
import { sends, type TestApplication, testApplication } from '../../../core/testing/test-application';
import { rateLimitOptions } from './options';
import { createRateLimit } from './rate-limit';

// For tests: applications whose routes are limited, and what they log.

/** The last one that was made, and what was logged in the test; it is removed after it. */
export const last: { app: TestApplication | undefined; logged: string[] } = { app: undefined, logged: [] };

const line =
  (level: string) =>
  (fields: object, text: string): void =>
    void last.logged.push(`${level} ${text} ${JSON.stringify(fields)}`);
const log: Logger = {
  level: 'debug',
  debug: line('debug'),
  info: line('info'),
  warn: line('warn'),
  error: line('error'),
  child: () => log,
};

beforeEach(() => {
  last.logged = [];
});
afterEach(() => last.app?.remove());

export async function limited(given: object, server: object = {}): Promise<RequestListener> {
  const limit = createRateLimit(rateLimitOptions.parse(given), log);
  const plugin = definePlugin({
    name: 'guard',
    apply({ hooks }) {
      hooks.http.middlewares.tap('guard', (makers) => makers.add('guard::limit', { make: () => limit.middleware }));
      hooks.http.routes.tap('guard', (routes) => {
        for (const path of ['/api/auth/local', '/api/auth/local/register', '/api/connect/:provider'])
          for (const method of ['GET', 'POST'] as const)
            routes.add({
              method,
              path,
              access: 'open',
              middlewares: ['guard::limit'],
              body: 'json',
              handle: sends({}),
            });
      });
      hooks.lifecycle.close.tapPromise('guard', () => limit.close());
    },
  });
  const app = await testApplication({ plugins: [plugin], overrides: { server }, log });
  last.app = app;
  await app.start();
  return app.handler;
}

export const ask = (handler: RequestListener, path = '/api/auth/local', headers: object = {}, body: object = {}) =>
  supertest(handler)
    .post(path)
    .set(headers as Record<string, string>)
    .send(body);
