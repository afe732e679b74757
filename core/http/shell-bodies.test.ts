import request from 'supertest';
import { envelope, itemsApp } from './items-app.fixture';

const app = itemsApp();

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

  test('more than 500 levels are too many', async () => {
    const nested = (levels: number, open: string, close: string): string =>
      `{"data":${open.repeat(levels - 1)}${close.repeat(levels - 1)}}`;
    expect((await post('application/json', nested(500, '[', ']'))).status).toBe(200);
    for (const body of [
      nested(501, '[', ']'),
      nested(200_000, '[', ']'),
      `[${'{"a":['.repeat(50_000)}${']}'.repeat(50_000)}]`,
    ])
      expect((await post('application/json', body)).body).toEqual(
        envelope(400, 'ValidationError', 'The request body has too many levels. The maximum is 500.', {}),
      );
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
