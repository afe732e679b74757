import { ApolloServerPluginLandingPageProductionDefault } from '@apollo/server/plugin/landingPage/default';
import type { RawConfig } from '../../../core';
import { type UsersApp, usersApp } from '../../users-permissions/app.fixture';
import { extendedPolicy } from './content-policy';

async function withApp(config: object, NODE_ENV: string, use: (app: UsersApp) => Promise<void>): Promise<void> {
  const app = await usersApp({ plugins: { graphql: { config } } as RawConfig, env: { NODE_ENV } });
  try {
    await use(app);
  } finally {
    await app.remove();
  }
}

const asBrowser = (app: UsersApp, path = '/graphql') =>
  app.agent.get(path).set('Accept', 'text/html,application/xhtml+xml,*/*;q=0.8');

const isThere = async (app: UsersApp): Promise<boolean> => {
  const { status, text } = await asBrowser(app);
  return status === 200 && text.includes('<html');
};

test.each<[object, string, boolean]>([
  [{}, 'development', true],
  [{}, 'production', false],
  [{ landingPage: false }, 'test', false],
  [{ landingPage: true }, 'production', true],
  [{ playgroundAlways: true }, 'production', true],
  [{ playgroundAlways: true, landingPage: false }, 'production', false],
  [{ landingPage: ({ environment }: { environment: string }) => environment === 'production' }, 'test', false],
  [{ landingPage: ({ environment }: { environment: string }) => environment === 'production' }, 'production', true],
])('%j in %j', async (config, options, there) => {
  await withApp(config, options, async (app) => expect(await isThere(app)).toBe(there));
});

test('everything that the page needs comes from its own path, under a policy of its own', async () => {
  await withApp({}, 'test', async (app) => {
    const { text, headers } = await asBrowser(app);
    expect(headers['content-security-policy']).toContain("connect-src 'self' https: ws: wss:");
    expect(headers['content-security-policy']).toContain("worker-src 'self' blob:");
    expect(headers['content-security-policy']).not.toContain("script-src 'self' 'unsafe-inline'");
    expect(text).toContain('<base href="/graphql/client/">');
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
    expect(named.filter((path) => /^(https?:)?\/\//.test(path))).toEqual([]);
    for (const path of named.filter((each) => !each.startsWith('/'))) {
      const file = await app.agent.get(`/graphql/client/${path}`);
      expect([path, file.status]).toEqual([path, 200]);
    }
    const setup = await app.agent.get('/graphql/client/setup.js').expect('Content-Type', /javascript/);
    expect(setup.text).toContain('/graphql');
    await app.agent.get('/graphql/client/../../package.json').expect(404);
    await app.agent.get('/graphql/client/%2e%2e%2fpackage.json').expect(404);
    await app.agent.get('/graphql/client/nothing.js').expect(404);
    const usual = await app.agent.get('/api/tags');
    expect(usual.headers['content-security-policy']).not.toContain('worker-src');
    const frame = await app.agent.get('/graphql/client/iframe-sandbox/index.html').expect(200);
    expect(frame.headers['content-security-policy']).toBe('sandbox allow-scripts');
  });
});

test('who asks for JSON, or asks something, gets no page', async () => {
  await withApp({}, 'test', async (app) => {
    const asked = await asBrowser(app, '/graphql?query={__typename}').set('apollo-require-preflight', 'yes');
    expect(asked.body).toEqual({ data: { __typename: 'Query' } });
    expect((await app.agent.get('/graphql').set('Accept', 'application/json')).status).toBe(400);
  });
});

test('whatever the client calls the host', async () => {
  await withApp({}, 'test', async (app) => {
    await asBrowser(app).set('Host', '[').expect(200);
    const asked = await asBrowser(app, '/graphql?query={__typename}').set({
      Host: '[',
      'apollo-require-preflight': 'yes',
    });
    expect(asked.body).toEqual({ data: { __typename: 'Query' } });
  });
});

test('follows the endpoint', async () => {
  await withApp({ endpoint: '/v1/query' }, 'test', async (app) => {
    expect((await asBrowser(app, '/v1/query')).text).toContain('<base href="/v1/query/client/">');
    expect(await isThere(app)).toBe(false);
  });
});

test.each([
  ['a plugin', ApolloServerPluginLandingPageProductionDefault()],
  ['a function that returns one', () => ApolloServerPluginLandingPageProductionDefault()],
])('%s of Apollo Server renders its page, with what it loads allowed', async (_name, landingPage) => {
  await withApp({ landingPage }, 'production', async (app) => {
    const { status, text, headers } = await asBrowser(app);
    expect([status, /apollo/i.test(text)]).toEqual([200, true]);
    expect(headers['content-security-policy']).toContain("script-src 'self' 'unsafe-inline' https:");
    await app.agent.get('/graphql/client/main.js').expect(404);
  });
});

test.each<[object, string]>([
  [{ landingPage: () => 'yes' }, 'graphql.config.landingPage: returns yes. Return true, false, or a plugin'],
  [{ landingPage: 5 }, 'landingPage: must be true, false, a function or a plugin of Apollo Server'],
])('%j is refused', async (config, message) => {
  await expect(usersApp({ plugins: { graphql: { config } } as RawConfig })).rejects.toThrow(message);
});

test('what is deprecated is told', async () => {
  await withApp({ playgroundAlways: true }, 'test', async ({ app: { notices } }) => {
    expect(notices).toContain('config/plugins graphql.config.playgroundAlways is deprecated: set landingPage instead.');
  });
});

test('a policy is extended, not replaced', () => {
  expect(
    extendedPolicy("default-src 'self';object-src 'none';img-src data:", {
      'img-src': ['blob:'],
      'object-src': ["'self'"],
      'frame-src': ['https:'],
    }),
  ).toBe("default-src 'self';object-src 'self';img-src data: blob:;frame-src 'self' https:");
});
