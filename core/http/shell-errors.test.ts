import request from 'supertest';
import { envelope, itemsApp } from './items-app.fixture';

const app = itemsApp();
const { lines, twice } = app;

describe('errors', () => {
  afterEach(() => expect(twice).toEqual([]));

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
      .get('/api/crash?token=a-token-in-the-address')
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
    expect(JSON.stringify(lines)).not.toMatch(/c2VjcmV0|a-token-in/);
  });

  test("a connection of its own that a plugin loses is not taken for the client's", async () => {
    await request(app.handler).get('/api/cut-off').expect(500);
    expect(lines.find(({ level }) => level === 'error')).toMatchObject({ plugin: 'items', path: '/api/cut-off' });
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
