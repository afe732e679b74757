import request from 'supertest';
import { envelope, itemsApp } from './items-app.fixture';

const app = itemsApp();
const { lines } = app;

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

  test('all actions of a scope are needed', async () => {
    const good = (path: string) => request(app.handler).get(path).set('Authorization', 'Bearer good');
    expect((await good('/api/scoped')).text).toBe('in');
    expect((await good('/api/widely-scoped')).status).toBe(403);
  });

  test('every policy must agree', async () => {
    expect((await request(app.handler).get('/api/policed?pass=yes')).text).toBe('in');
    expect((await request(app.handler).get('/api/policed')).status).toBe(403);
  });

  test('middlewares of a route wrap its handler, in order, with their options', async () => {
    expect((await request(app.handler).get('/api/wrapped')).headers['x-way']).toBe('outer inner {"size":2}');
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
      plugin: 'core',
      requestId: expect.any(String),
      method: 'GET',
      path: '/api/items',
      status: 200,
      ms: expect.any(Number),
    },
  ]);
});
