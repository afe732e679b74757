import request from 'supertest';
import { z } from 'zod';
import { pluginOf, testApplication } from '../testing/test-application';
import type { MiddlewareMaker } from './middleware';
import type { Route } from './route';
import { bodyLimits } from './settings/body-limits';
import { queryLimits } from './settings/query-limits';

const adding = (name: string, route: Partial<Route>) =>
  pluginOf(name, ({ hooks }) =>
    hooks.http.routes.tap(
      name,
      (routes) => void routes.add({ method: 'GET', path: '/x', access: 'open', handle: () => undefined, ...route }),
    ),
  );

const marking = (name: string, mark: string, rest: Partial<MiddlewareMaker> = {}) =>
  pluginOf(name, ({ hooks }) => {
    hooks.http.middlewares.tap(name, (middlewares) =>
      middlewares.add(`${name}::mark`, {
        make: (options) => (context, next) => {
          context.append('X-Marks', `${mark}${JSON.stringify(options) ?? ''}`);
          return next();
        },
        ...rest,
      }),
    );
  });

describe('mistakes of plugins', () => {
  test.each(['/x', '/X', '/x/'])('two plugins over %s are both named', async (path) => {
    await expect(testApplication({ plugins: [adding('one', {}), adding('two', { path })] })).rejects.toThrow(
      'is added by plugin "one" and by plugin "two".',
    );
  });

  test('a clash names both plugins', async () => {
    const plugins = [adding('one', { path: '/a/:id' }), adding('two', { path: '/A/:name' })];
    await expect(testApplication({ plugins })).rejects.toThrow(
      'route GET /A/:name: is added by plugin "one" and by plugin "two".',
    );
  });

  test.each([
    [{ path: 'x' }, 'has a path that does not start with "/"'],
    [{ access: undefined }, 'does not say who may use it'],
    [{ handle: undefined }, 'has no handle'],
    [{ policies: ['polite'] }, 'asks for policy "polite", which no plugin registers'],
    [{ middlewares: ['heddle::sekurity'] }, 'Did you mean "heddle::security"?'],
    [{ middlewares: [{ name: 'heddle::etag', config: { on: 1 } }] }, 'heddle::etag.on: is no known option'],
  ])('%j is refused', async (route, message) => {
    await expect(testApplication({ plugins: [adding('one', route as Partial<Route>)] })).rejects.toThrow(message);
  });

  test.each<[string, unknown, string]>([
    ['middlewares', () => undefined, 'middleware "mine", which is no maker of a middleware. Write it as { make: '],
    ['middlewares', { make: () => undefined, options: {} }, 'middleware "mine", which has "options" that are no zod'],
    ['policies', { handler: true }, 'policy "mine", which is no function. Write it as (context, config) =>'],
  ])('something else among the %s is refused', async (hook, given, message) => {
    const plugin = pluginOf('own', ({ hooks }) =>
      hooks.http[hook as 'policies'].tap('own', (all) => all.add('mine', given as never)),
    );
    await expect(testApplication({ plugins: [plugin] })).rejects.toThrow(`plugin "own": registers ${message}`);
  });

  test('a middleware under a name of the core is refused', async () => {
    const thief = pluginOf('thief', ({ hooks }) =>
      hooks.http.middlewares.tap('thief', (all) => all.add('heddle::cors', { make: () => (_context, next) => next() })),
    );
    await expect(testApplication({ plugins: [thief] })).rejects.toThrow(
      'middleware "heddle::cors": is registered by plugin "core" and by plugin "thief".',
    );
  });
});

describe('config/middlewares', () => {
  const order = async (list: unknown, ...plugins: ReturnType<typeof marking>[]) => {
    const app = await testApplication({
      files: list === undefined ? {} : { 'config/middlewares.json': list as object },
      plugins,
    });
    const { middlewares, notices } = app.describe();
    await app.start();
    const marks = (await request(app.handler).get('/')).headers['x-marks'];
    await app.remove();
    return { middlewares, notices, marks };
  };

  test('the list decides about order, and which are there; plugins add their global ones', async () => {
    const { middlewares, marks } = await order(
      ['strapi::errors', { name: 'a::mark', config: { n: 1 } }, 'heddle::cors', 'b::mark', 'strapi::query'],
      marking('a', 'A'),
      marking('b', 'B'),
      marking('c', 'C', { global: true }),
      marking('d', 'D'),
    );
    expect(middlewares).toEqual([
      'a::mark',
      'heddle::cors',
      'b::mark',
      'heddle::compression',
      'heddle::etag',
      'c::mark',
    ]);
    expect(marks).toBe('A{"n":1}, B, C');
  });

  test('before and after move a middleware', async () => {
    const first = marking('first', '1', { global: true, before: ['heddle::security'] });
    const last = marking('last', '2', { global: true, after: ['heddle::etag', 'absent'] });
    expect((await order(undefined, last, first)).middlewares).toEqual([
      'first::mark',
      'heddle::security',
      'heddle::cors',
      'heddle::compression',
      'heddle::etag',
      'last::mark',
    ]);
  });

  test('a cycle is shown', async () => {
    const cycle = [
      marking('a', '', { global: true, after: ['b::mark'] }),
      marking('b', '', { global: true, after: ['a::mark'] }),
    ];
    await expect(order(undefined, ...cycle)).rejects.toThrow(
      'middleware "a::mark": waits for itself: a::mark → b::mark → a::mark.',
    );
  });

  test('what existing projects list is accepted, and named where it does nothing', async () => {
    const generated = [
      'strapi::logger',
      'strapi::errors',
      'strapi::security',
      'strapi::cors',
      'strapi::poweredBy',
      'strapi::query',
      'strapi::body',
      'strapi::session',
      'strapi::favicon',
      'strapi::public',
    ];
    const { middlewares, notices } = await order([
      ...generated,
      { resolve: './src/middlewares/own' },
      'global::mine',
      { name: 'api::a.b', config: {} },
    ]);
    expect(middlewares).toEqual(['heddle::security', 'heddle::cors', 'heddle::compression', 'heddle::etag']);
    expect(notices.map((notice) => notice.split(' is without')[0])).toEqual([
      'config/middlewares strapi::poweredBy',
      'config/middlewares strapi::session',
      'config/middlewares strapi::favicon',
      'config/middlewares strapi::public',
      'config/middlewares ./src/middlewares/own',
      'config/middlewares global::mine',
      'config/middlewares api::a.b',
    ]);
  });

  test.each([
    [['strapi::sesion'], '0: "strapi::sesion" is no known middleware. Remove it. Did you mean "heddle::session"?'],
    [['cors'], '0: "cors" is no known middleware. Remove it. Did you mean "heddle::cors"?'],
    [[{ nmae: 'heddle::cors' }], '0.nmae: is no known option. Remove it. Did you mean "name"?'],
    [[{}], '0: names no middleware.'],
    [[3], 'config/middlewares 0: Invalid input'],
    [['heddle::cors', 'strapi::cors'], '1: "strapi::cors" is listed twice.'],
    [
      [{ name: 'strapi::cors', config: { origins: [] } }],
      '0.config.origins: is no known option. Remove it. Did you mean "origin"?',
    ],
    [[{ name: 'strapi::query', config: { arrayLimit: -1 } }], '0.config.arrayLimit: '],
    [[{ name: 'strapi::body', config: { jsonLimit: 'much' } }], '0.config.jsonLimit: A size such as 1mb is expected.'],
    [{ list: [] }, 'config/middlewares list: Invalid input: expected array'],
  ])('%j is refused', async (list, message) => {
    await expect(order(list)).rejects.toThrow(message);
  });

  test('options of middlewares of plugins are checked, too', async () => {
    const strict = marking('strict', '', { options: z.strictObject({ size: z.int().default(1) }) });
    await expect(order([{ name: 'strict::mark', config: { sise: 1 } }], strict)).rejects.toThrow(
      'Did you mean "size"?',
    );
    expect((await order(['strict::mark'], strict)).marks).toBe('{"size":1}');
  });

  test('limits of queries and bodies are read from it', async () => {
    const limitsWith = async (list?: object) => {
      const app = await testApplication({ files: list ? { 'config/middlewares.json': list } : {} });
      const config = app.kernel.core.config();
      const read = { query: queryLimits(config), body: bodyLimits(config), notices: app.notices };
      await app.remove();
      return read;
    };
    expect(await limitsWith()).toEqual({
      query: { arrayLimit: 100, depth: 20, parameterLimit: 1000 },
      body: { jsonLimit: '1mb', formLimit: '56kb' },
      notices: [],
    });
    const list = [
      { name: 'strapi::query', config: { arrayLimit: 500, strictNullHandling: true } },
      { name: 'heddle::body', config: { jsonLimit: '10mb', formidable: { maxFileSize: 1 } } },
    ];
    expect(await limitsWith(list)).toEqual({
      query: { arrayLimit: 500, depth: 20, parameterLimit: 1000 },
      body: { jsonLimit: '10mb', formLimit: '56kb' },
      notices: [
        'config/middlewares strapi::query strictNullHandling is without effect: it is fixed here.',
        'config/middlewares heddle::body formidable is without effect: it is fixed here.',
      ],
    });
  });
});
