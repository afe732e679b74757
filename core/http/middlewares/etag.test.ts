import request from 'supertest';
import { pagesApp } from './pages.fixture';

const app = pagesApp();

describe('etag', () => {
  const ask = (tag: string, path = '/long') => request(app.handler).get(path).set('If-None-Match', tag);

  test('the same answer has the same tag, another has another', async () => {
    await app.start();
    const tags = await Promise.all(
      ['/long', '/long', '/bytes', '/short'].map(async (path) => (await request(app.handler).get(path)).headers.etag),
    );
    expect(tags[0]).toMatch(/^W\/"[\w-]+"$/);
    expect(tags[1]).toBe(tags[0]);
    expect(tags[2]).toBe(tags[0]);
    expect(tags[3]).not.toBe(tags[0]);
  });

  test('what the client has is not sent again', async () => {
    await app.start();
    const tag = (await request(app.handler).get('/long')).headers.etag!;
    for (const given of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const answer = await ask(given).set('Accept-Encoding', 'gzip');
      expect([
        answer.status,
        answer.text,
        answer.headers.etag,
        answer.headers.vary,
        answer.headers['content-type'],
      ]).toEqual([304, '', tag, 'Accept-Encoding', undefined]);
    }
    expect((await request(app.handler).head('/long').set('If-None-Match', tag)).status).toBe(304);
    expect((await ask('"other"')).status).toBe(200);
    const since = new Date(0).toUTCString();
    expect((await ask(tag).set('If-Modified-Since', since)).status).toBe(304);
    expect((await ask('"other"').set('If-Modified-Since', new Date(Date.now() + 1e9).toUTCString())).status).toBe(200);
    expect((await ask(tag).set('Cache-Control', 'no-cache')).status).toBe(200);
  });

  test('writes and failures have none', async () => {
    await app.start();
    expect((await request(app.handler).post('/long').set('If-None-Match', '*')).status).toBe(200);
    for (const path of ['/fails', '/nowhere']) {
      const answer = await ask('*', path);
      expect([answer.status >= 400, answer.headers.etag]).toEqual([true, undefined]);
    }
  });

  test('it can be switched off', async () => {
    await app.start([{ name: 'heddle::etag', config: { enabled: false } }]);
    expect((await request(app.handler).get('/long')).headers.etag).toBeUndefined();
  });
});
