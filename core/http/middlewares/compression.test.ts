import request from 'supertest';
import { encodingFor } from './compression';
import { long, pagesApp } from './pages.fixture';

const app = pagesApp();

describe('compression', () => {
  const raw = (path: string, accepted: string) =>
    request(app.handler)
      .get(path)
      .set('Accept-Encoding', accepted)
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        (response as unknown as NodeJS.ReadableStream)
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('end', () => done(null, Buffer.concat(chunks)));
      });

  test.each(['/long', '/bytes'])('%s is packed as the client likes it', async (path) => {
    await app.start();
    const gzip = await request(app.handler).get(path).set('Accept-Encoding', 'gzip');
    expect([gzip.headers['content-encoding'], gzip.headers.vary, gzip.text]).toEqual(['gzip', 'Accept-Encoding', long]);
    expect(Number(gzip.headers['content-length'])).toBeLessThan(long.length / 10);
    const plain = await raw(path, 'identity');
    expect([plain.headers['content-encoding'], plain.headers.vary, String(plain.body)]).toEqual([
      undefined,
      'Accept-Encoding',
      long,
    ]);
  });

  test('brotli is preferred', async () => {
    await app.start();
    const listener = await app.listen(0);
    const answer = await fetch(`${listener.url}/long`, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(await answer.text()).toBe(long);
  });

  test('short answers and images are left alone', async () => {
    await app.start();
    const short = await raw('/short', 'gzip');
    expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, undefined]);
    expect((await raw('/image', 'gzip')).headers['content-encoding']).toBeUndefined();
  });

  test('HEAD says of an answer what GET does', async () => {
    await app.start();
    for (const encoding of ['gzip', 'br', 'identity']) {
      const ask = (method: 'get' | 'head') => request(app.handler)[method]('/long').set('Accept-Encoding', encoding);
      const { date: _date, 'x-request-id': _id, ...headers } = (await ask('head')).headers;
      expect((await ask('get')).headers).toMatchObject(headers);
      expect(headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    }
  });

  test('it can be configured like in existing projects, or switched off', async () => {
    await app.start([{ name: 'strapi::compression', config: { br: false, threshold: 1 } }]);
    expect((await raw('/short', 'br, gzip')).headers['content-encoding']).toBe('gzip');
    await app.remove();
    await app.start([{ name: 'heddle::compression', config: { enabled: false } }]);
    expect((await raw('/long', 'br, gzip')).headers['content-encoding']).toBeUndefined();
  });

  test.each([
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['', undefined],
    ['GZIP ; q=0.5', 'gzip'],
    ['gzip;q=nonsense, br;q=0', 'gzip'],
  ])('Accept-Encoding: %s → %s', (header, encoding) => {
    expect(encodingFor(header, ['br', 'gzip'])).toBe(encoding);
  });
});
