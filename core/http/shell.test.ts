import request from 'supertest';
import { forbidden, HeddleError, validationError } from '../errors';
import type { Logger } from '../kernel/logger';
import type { AnyPlugin } from '../kernel/plugin';
import { pluginOf, sends, type TestApplication, testApplication } from '../testing/test-application';
import type { Route } from './route';

const routesOf = (
  name: string,
  routes: readonly Route[],
  rest: (heddle: Parameters<AnyPlugin['apply']>[0]) => void = () => undefined,
): AnyPlugin =>
  pluginOf(name, (heddle) => {
    heddle.hooks.http.routes.tap(name, (all) => routes.forEach((route) => void all.add(route)));
    rest(heddle);
  });

const get = (path: string, handle: Route['handle'], rest: Partial<Route> = {}): Route => ({
  method: 'GET',
  path,
  access: 'open',
  handle,
  ...rest,
});

function recordingLog() {
  const lines: { level: string; message: string; [field: string]: unknown }[] = [];
  const at = (level: string) => (fields: object, message: string) => void lines.push({ level, message, ...fields });
  const log: Logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log };
  return { log, lines };
}

let app: TestApplication;
const { log, lines } = recordingLog();

beforeAll(async () => {
  const items = routesOf(
    'items',
    [
      get('/api/items', (context) => {
        context.body = { list: true, who: context.state.principal.kind };
      }),
      get('/api/items/:id', (context) => {
        context.body = { id: context.params.id };
      }),
      {
        method: 'POST',
        path: '/api/items',
        access: 'open',
        body: 'json',
        handle: (context) => {
          context.body = { got: context.request.body ?? 'nothing' };
        },
      },
      {
        method: 'PUT',
        path: '/api/only-put',
        access: 'open',
        handle: (context) => {
          context.status = 204;
        },
      },
      get('/api/guarded', sends('in'), { access: { action: 'items.read' } }),
      get('/api/secret', sends('in'), { access: { action: 'items.secret' } }),
      get('/api/policed', sends('in'), {
        policies: ['even-minutes', { name: 'named', config: 'x' }, ({ query }) => query.pass === 'yes'],
      }),
      get('/api/wrapped', sends('in'), {
        middlewares: ['outer', { name: 'inner', config: { size: 2 } }],
      }),
      get('/api/refused', () => {
        throw validationError('Wrong', { key: 'x' });
      }),
      get('/api/forbidden', async () => {
        throw forbidden();
      }),
      get('/api/plain', () => {
        throw new HeddleError('ValidationError', 'Plain');
      }),
      get('/api/crash', () => {
        throw new TypeError('password is hunter2');
      }),
      get('/api/unwritable', (context) => {
        context.body = { big: 1n };
      }),
      get('/api/refused-big', () => {
        throw validationError('Wrong', { value: 1n });
      }),
      get('/api/unspoken', () => {
        throw validationError('No tap has an answer');
      }),
      get('/api/rewritten', () => {
        throw new HeddleError('RateLimitError', 'Slow down');
      }),
    ],
    ({ hooks }) => {
      hooks.http.policies.tap('items', (policies) => {
        policies.add('even-minutes', () => true);
        policies.add('named', (_context, config) => config === 'x');
      });
      hooks.http.middlewares.tap('items', (middlewares) => {
        middlewares.add('outer', {
          make: () => async (context, next) => {
            await next();
            context.set('X-Way', `outer ${context.response.get('X-Way')}`);
          },
        });
        middlewares.add('inner', {
          make: (options) => (context, next) => {
            context.set('X-Way', `inner ${JSON.stringify(options)}`);
            return next();
          },
        });
      });
      hooks.http.authenticate.tap('items', ({ req }) => {
        const { authorization } = req.headers;
        if (authorization === 'Bearer crash') throw new Error('no connection');
        if (authorization?.startsWith('Bearer ') && authorization !== 'Bearer good')
          throw new HeddleError('UnauthorizedError', 'Missing or invalid credentials');
        return authorization === 'Bearer good' ? { kind: 'user', rights: 'user' } : undefined;
      });
      hooks.http.authorize.tap('items', ({ principal, action }) =>
        action === 'items.read' && principal.kind === 'user' ? true : undefined,
      );
      hooks.http.error.tap('items', (answer, error) => {
        if (error instanceof Error && error.message === 'No tap has an answer') throw new Error('speechless');
        return answer.status === 429 ? { status: 503, body: { busy: true } } : answer;
      });
    },
  );
  app = await testApplication({ plugins: [items], log });
  await app.start();
});

afterAll(() => app.remove());
beforeEach(() => void lines.splice(0));

const envelope = (status: number, name: string, message: string, details?: object) => ({
  data: null,
  error: { status, name, message, ...(details && { details }) },
});

describe('paths and methods', () => {
  test('a route answers, with parameters decoded', async () => {
    expect((await request(app.handler).get('/api/items')).body).toEqual({ list: true, who: 'public' });
    expect((await request(app.handler).get('/api/items/a%20b%2Fc?x=1')).body).toEqual({ id: 'a b/c' });
  });

  test.each(['/API/Items', '/api/items/', '/api/items/?a=b'])('%s finds the route, too', async (path) => {
    expect((await request(app.handler).get(path)).status).toBe(200);
  });

  test('values keep their case', async () => {
    expect((await request(app.handler).get('/API/Items/AbC')).body).toEqual({ id: 'AbC' });
  });

  test('HEAD has the headers of GET and no body', async () => {
    const [head, full] = [await request(app.handler).head('/api/items'), await request(app.handler).get('/api/items')];
    expect(head.status).toBe(200);
    expect(head.text).toBeUndefined();
    for (const name of ['content-length', 'content-type', 'etag']) expect(head.headers[name]).toBe(full.headers[name]);
    expect((await request(app.handler).head('/api/none')).status).toBe(404);
  });

  test.each(['/', '/api', '/api/item', '/api/items/1/2', '/api//items', '/api/only-put'])(
    'GET %s is not found',
    async (path) => {
      const answer = await request(app.handler).get(path);
      expect([answer.status, answer.body]).toEqual([404, envelope(404, 'NotFoundError', 'Not Found', {})]);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    },
  );

  test.each([
    ['PATCH', '/api/items', 'HEAD, GET, POST'],
    ['DELETE', '/api/items/1', 'HEAD, GET'],
    ['POST', '/api/only-put', 'HEAD, GET, PUT'],
    ['POST', '/api/unknown', 'HEAD, GET'],
  ])('%s %s is not allowed', async (method, path, allow) => {
    const answer = await request(app.handler)[method.toLowerCase() as 'post'](path);
    expect([answer.status, answer.text, answer.headers.allow, answer.headers['content-type']]).toEqual([
      405,
      'Method Not Allowed',
      allow,
      'text/plain; charset=utf-8',
    ]);
  });

  test('OPTIONS tells the methods; methods nobody knows are not implemented', async () => {
    const answer = await request(app.handler).options('/api/items');
    expect([answer.status, answer.text, answer.headers.allow]).toEqual([200, '', 'HEAD, GET, POST']);
    const unknown = await request(app.handler).propfind('/api/items');
    expect([unknown.status, unknown.text]).toEqual([501, 'Not Implemented']);
  });

  test.each(['/api/items/%', '/api/items/%zz', '/api/items/%E0%A4%A', '/%zz'])('%s is malformed', async (path) => {
    expect((await request(app.handler).get(path)).body).toEqual(envelope(400, 'BadRequestError', 'failed to decode'));
  });

  test.each(['/api/items/a%00b', '//api/items'])('%s is malicious', async (path) => {
    expect((await request(app.handler).get(path)).body).toEqual(envelope(400, 'BadRequestError', 'Malicious Path'));
  });
});

describe('access', () => {
  test('bad credentials are refused on open routes, too, but not where there is no route', async () => {
    const bad = (path: string) => request(app.handler).get(path).set('Authorization', 'Bearer bad');
    expect((await bad('/api/items')).body).toEqual(
      envelope(401, 'UnauthorizedError', 'Missing or invalid credentials', {}),
    );
    expect((await bad('/api/none')).status).toBe(404);
    expect((await request(app.handler).patch('/api/items').set('Authorization', 'Bearer bad')).status).toBe(405);
  });

  test('an action needs somebody to allow it', async () => {
    const good = (path: string) => request(app.handler).get(path).set('Authorization', 'Bearer good');
    expect((await good('/api/guarded')).text).toBe('in');
    expect((await good('/api/secret')).body).toEqual(envelope(403, 'ForbiddenError', 'Forbidden', {}));
    expect((await request(app.handler).get('/api/guarded')).status).toBe(403);
    expect((await good('/api/items')).body.who).toBe('user');
  });

  test('every policy must agree', async () => {
    expect((await request(app.handler).get('/api/policed?pass=yes')).text).toBe('in');
    expect((await request(app.handler).get('/api/policed')).status).toBe(403);
  });

  test('middlewares of a route wrap its handler, in order, with their options', async () => {
    expect((await request(app.handler).get('/api/wrapped')).headers['x-way']).toBe('outer inner {"size":2}');
  });
});

describe('errors', () => {
  test('those that are meant for the caller pass as they are', async () => {
    expect((await request(app.handler).get('/api/refused')).body).toEqual(
      envelope(400, 'ValidationError', 'Wrong', { key: 'x' }),
    );
    expect((await request(app.handler).get('/api/plain')).body).toEqual(envelope(400, 'ValidationError', 'Plain', {}));
    expect((await request(app.handler).get('/api/forbidden')).status).toBe(403);
    expect(lines.filter(({ level }) => level !== 'debug')).toEqual([]);
  });

  test('all others are told to the log, with plugin and place, and nothing to the caller', async () => {
    const answer = await request(app.handler)
      .get('/api/crash?token=abc')
      .set('X-Request-Id', 'r-1')
      .set('Authorization', 'Basic c2VjcmV0');
    expect([answer.status, answer.body]).toEqual([500, envelope(500, 'InternalServerError', 'Internal Server Error')]);
    const failure = lines.find(({ level }) => level === 'error')!;
    expect(failure).toMatchObject({
      requestId: 'r-1',
      method: 'GET',
      path: '/api/crash',
      plugin: 'items',
      hook: 'route GET /api/crash',
    });
    expect(JSON.stringify(lines)).not.toMatch(/c2VjcmV0|abc/);
  });

  test('a failing tap is named', async () => {
    await request(app.handler).get('/api/items').set('Authorization', 'Bearer crash').expect(500);
    expect(lines.find(({ level }) => level === 'error')).toMatchObject({ plugin: 'items', hook: 'http.authenticate' });
  });

  test('a body that cannot be written is an error like any other', async () => {
    expect((await request(app.handler).get('/api/unwritable')).body).toEqual(
      envelope(500, 'InternalServerError', 'Internal Server Error'),
    );
  });

  test.each([
    ['/api/refused-big', 'Do not know how to serialize a BigInt', undefined],
    ['/api/unspoken', 'speechless', 'items'],
  ])('an error whose answer can not be made, as of %s, is answered and logged', async (path, message, plugin) => {
    const { status, body } = await request(app.handler).get(path);
    expect([status, body]).toEqual([500, envelope(500, 'InternalServerError', 'Internal Server Error')]);
    const told = lines.filter(({ level }) => level === 'error');
    expect(told).toMatchObject([{ message: 'a request failed unexpectedly', ...(plugin && { plugin }) }]);
    expect(String(told[0]!['err'])).toContain(message);
  });

  test('http.error has the last word', async () => {
    const answer = await request(app.handler).get('/api/rewritten');
    expect([answer.status, answer.body]).toEqual([503, { busy: true }]);
  });
});

describe('bodies', () => {
  const post = (type: string, body: string | Buffer) =>
    request(app.handler).post('/api/items').set('Content-Type', type).send(body);

  test('JSON and forms are read, everything else is left alone', async () => {
    expect((await post('application/json', '{"data":{"a":1}}')).body).toEqual({ got: { data: { a: 1 } } });
    expect((await post('application/vnd.api+json', '{"a":1}')).body).toEqual({ got: { a: 1 } });
    expect((await post('application/x-www-form-urlencoded', 'data[a]=1')).body).toEqual({ got: { data: { a: '1' } } });
    expect((await post('text/plain', '{"a":1}')).body).toEqual({ got: 'nothing' });
    expect((await request(app.handler).post('/api/items')).body).toEqual({ got: 'nothing' });
  });

  test.each([
    ['{"data":', /JSON/],
    ['"text"', /^invalid JSON, only supports object and array$/],
    ['null', /^invalid JSON, only supports object and array$/],
    ['{"__proto__":{"a":1}}', /forbidden prototype property/],
  ])('%s is a syntax error', async (body, message) => {
    const answer = await post('application/json', body);
    expect(answer.body).toEqual(envelope(400, 'SyntaxError', expect.stringMatching(message) as unknown as string));
  });

  test('more than a megabyte is too much', async () => {
    const answer = await post('application/json', JSON.stringify({ data: 'x'.repeat(1_100_000) }));
    expect([answer.status, answer.body]).toEqual([
      413,
      envelope(413, 'PayloadTooLargeError', 'request entity too large'),
    ]);
  });

  test('a body that is not packed as it says is refused', async () => {
    const packed = (encoding: string) =>
      request(app.handler)
        .post('/api/items')
        .set('Content-Type', 'application/json')
        .set('Content-Encoding', encoding)
        .send('{"a":1}');
    expect((await packed('zip')).status).toBe(415);
    expect((await packed('gzip')).body).toEqual(envelope(400, 'BadRequestError', 'The request body is unreadable', {}));
  });

  test('routes that read no body do not care for one', async () => {
    expect(
      (await request(app.handler).put('/api/only-put').set('Content-Type', 'application/json').send('{"data":')).status,
    ).toBe(204);
  });
});

test('a request has an id: its own if it is a sane one', async () => {
  const given = (id: string) => request(app.handler).get('/api/items').set('X-Request-Id', id);
  expect((await given('abc-1.2:3_4')).headers['x-request-id']).toBe('abc-1.2:3_4');
  const [one, two] = [
    (await given('<script>')).headers['x-request-id'],
    (await given('x'.repeat(65))).headers['x-request-id'],
  ];
  expect(one).toMatch(/^[\w-]+$/);
  expect(one).not.toBe(two);
});

test('every request has a line in the log, without its query', async () => {
  await request(app.handler).get('/api/items?secret=1');
  expect(lines).toEqual([
    {
      level: 'debug',
      message: 'request',
      requestId: expect.any(String),
      method: 'GET',
      path: '/api/items',
      status: 200,
      ms: expect.any(Number),
    },
  ]);
});
