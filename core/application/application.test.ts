import request from 'supertest';
import { z } from 'zod';
import { HeddleError, ProjectError } from '../index';
import { pluginOf, sends, testApplication } from '../testing/test-application';

const greeting = (name: string, text: string) =>
  pluginOf(name, ({ hooks }) => {
    hooks.http.routes.tap(name, (routes) => {
      routes.add({
        method: 'GET',
        path: '/greeting',
        access: 'open',
        handle: sends({ text }),
      });
    });
  });

const refusal = async (options: Parameters<typeof testApplication>[0]): Promise<string> => {
  const error = await testApplication(options).then(
    (app) => app.remove().then(() => undefined),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProjectError)) throw error ?? new Error('the application was accepted');
  return error.message;
};

test('many applications live in one process and share nothing', async () => {
  const one = await testApplication({ plugins: [greeting('one', 'hello')] });
  const two = await testApplication({ plugins: [greeting('two', 'hi')] });
  await Promise.all([one.start(), two.start()]);
  expect((await request(one.handler).get('/greeting')).body).toEqual({ text: 'hello' });
  expect((await request(two.handler).get('/greeting')).body).toEqual({ text: 'hi' });
  await one.remove();
  expect((await request(two.handler).get('/greeting')).status).toBe(200);
  await two.remove();
});

test('phases run in order, and closing runs backwards, once', async () => {
  const log: string[] = [];
  const watcher = (name: string) =>
    pluginOf(name, ({ hooks }) => {
      hooks.lifecycle.configure.tap(name, (config) => {
        log.push(`configure ${name}`);
        return config;
      });
      hooks.lifecycle.provide.tap(name, () => void log.push(`provide ${name}`));
      hooks.http.routes.tap(name, () => void log.push(`routes ${name}`));
      hooks.lifecycle.boot.tapPromise(name, async () => void log.push(`boot ${name}`));
      hooks.lifecycle.ready.tap(name, () => void log.push(`ready ${name}`));
      hooks.lifecycle.close.tap(name, () => void log.push(`close ${name}`));
    });
  const app = await testApplication({ plugins: [watcher('a'), watcher('b')] });
  expect(log.splice(0)).toEqual(['configure a', 'configure b', 'provide a', 'provide b', 'routes a', 'routes b']);
  await app.start();
  await app.start();
  expect(log.splice(0)).toEqual(['boot a', 'boot b', 'ready a', 'ready b']);
  await app.close();
  await app.remove();
  expect(log).toEqual(['close b', 'close a']);
});

test('a failed start closes what was opened and names the plugin', async () => {
  const closed: string[] = [];
  const opener = pluginOf('opener', ({ hooks }) =>
    hooks.lifecycle.close.tap('opener', () => void closed.push('opener')),
  );
  const broken = pluginOf('broken', ({ hooks }) =>
    hooks.lifecycle.boot.tapPromise('broken', async () => Promise.reject(new Error('no database'))),
  );
  const app = await testApplication({ plugins: [opener, broken] });
  await expect(app.start()).rejects.toThrow('plugin "broken", hook lifecycle.boot: no database');
  expect(closed).toEqual(['opener']);
  await app.remove();
});

test('an application that is closed while it starts does not come up', async () => {
  const log: string[] = [];
  let begun!: () => void;
  const hasBegun = new Promise<void>((resolve) => (begun = resolve));
  const slow = pluginOf('slow', ({ hooks }) => {
    hooks.lifecycle.boot.tapPromise('slow', async () => {
      begun();
      await new Promise((resolve) => setTimeout(resolve, 30));
      log.push('booted');
    });
    hooks.lifecycle.ready.tap('slow', () => void log.push('ready'));
    hooks.lifecycle.close.tap('slow', () => void log.push('closed'));
  });
  const app = await testApplication({ plugins: [slow] });
  const listening = app.listen(0).then(
    () => 'listening',
    (error: Error) => error.message,
  );
  await hasBegun;
  await app.close();
  expect([await listening, log]).toEqual(['the application was closed', ['booted', 'closed']]);
  await app.remove();
});

test('the configuration comes from files, the environment and overrides, checked', async () => {
  const app = await testApplication({
    files: {
      'config/server.ts': `export default ({ env }: { env: any }) => ({ host: env('HOST'), port: env.int('PORT', 1), app: { keys: ['x'] } });`,
      '.env': 'HOST=0.0.0.0\nPORT=2',
    },
    env: { NODE_ENV: 'test', PORT: '3' },
    overrides: { server: { url: 'https://example.org' } },
  });
  expect(app.kernel.core.config().server).toMatchObject({
    host: '0.0.0.0',
    port: 3,
    url: 'https://example.org',
    proxy: false,
  });
  expect(app.notices).toEqual(['config/server app is without effect: there are no session cookies to sign.']);
  expect(app.kernel.core.app).toMatchObject({ environment: 'test', env: { HOST: '0.0.0.0', PORT: '3' } });
  await app.remove();
});

test('every problem of a project is in one report', async () => {
  const message = await refusal({
    files: {
      'config/server.json': { prot: 1, http: { requestTimeuot: 1 } },
      'config/middlewares.json': ['heddle::cros', { name: 'heddle::security', config: { hsst: true } }],
      'config/nonsense.json': {},
    },
    plugins: [
      pluginOf('painter', ({ hooks }) =>
        hooks.http.routes.tap('painter', (routes) =>
          routes.add({ method: 'GET', path: '/x', access: 'open', policies: ['absent'], handle: () => undefined }),
        ),
      ),
    ],
  });
  expect(message.split('\n')).toEqual([
    '5 problems keep the application from starting:',
    '- config/nonsense: is no known configuration file. Remove it.',
    '- config/server http.requestTimeuot: is no known option. Remove it. Did you mean "requestTimeout"?',
    '- config/server prot: is no known key. Remove it. Did you mean "port"?',
    '- config/middlewares 0: "heddle::cros" is no known middleware. Remove it. Did you mean "heddle::cors"?',
    '- config/middlewares 1.config.hsst: is no known option. Remove it. Did you mean "hsts"?',
  ]);
});

test('problems of files and of the plugin list come together', async () => {
  const message = await refusal({
    files: { 'config/server.js': 'throw new Error("x")', 'config/plugins.json': { paintr: true } },
    plugins: [greeting('painter', '')],
  });
  expect(message).toContain('2 problems');
  expect(message).toContain('Did you mean "painter"?');
});

test('wrong options of a plugin are refused before anything is applied', async () => {
  const apply = jest.fn();
  const strict = pluginOf('strict', apply, { options: z.strictObject({ size: z.int() }) });
  expect(
    await refusal({ files: { 'config/plugins.json': { strict: { config: { size: 'x' } } } }, plugins: [strict] }),
  ).toContain('config/plugins strict.config.size');
  expect(apply).not.toHaveBeenCalled();
});

test('an unknown level of logging is refused', async () => {
  expect(await refusal({ env: { LOG_LEVEL: 'loud' } })).toContain('"loud" is no level of logging');
});

test('a plugin of the project shares the errors and types of the core', async () => {
  const app = await testApplication({
    files: {
      'config/plugins.json': { local: { resolve: './src/plugins/local' } },
      'src/plugins/local/index.ts': `
        import { definePlugin, HeddleError } from 'heddle';
        export default definePlugin({
          name: 'local',
          apply({ hooks }) {
            hooks.http.routes.tap('local', (routes) => {
              routes.add({ method: 'GET', path: '/teapot', access: 'open', handle() { throw new HeddleError('NotImplementedError', 'tea only'); } });
            });
          },
        });`,
    },
  });
  await app.start();
  expect((await request(app.handler).get('/teapot')).body.error).toMatchObject({
    status: new HeddleError('NotImplementedError', '').status,
    message: 'tea only',
  });
  await app.remove();
});

test('routes and everything else can be described without starting', async () => {
  const app = await testApplication({ plugins: [greeting('one', 'hello')] });
  expect(app.routes()).toEqual([{ method: 'GET', path: '/greeting', plugin: 'one', access: 'open' }]);
  expect(app.describe()).toMatchObject({
    plugins: ['one'],
    hooks: [{ hook: 'http.routes', taps: ['one'] }],
    middlewares: ['heddle::security', 'heddle::cors', 'heddle::compression', 'heddle::etag'],
    notices: [],
  });
  await app.remove();
});
