import { createHash, randomBytes } from 'node:crypto';
import supertest from 'supertest';
import { openUploadApp, type UploadApp } from './upload-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: UploadApp;
afterEach(() => app.remove());

describe('serving', () => {
  const bytes = randomBytes(5_000);
  let url: string;

  beforeEach(async () => {
    app = await openUploadApp({ providerOptions: { localServer: { maxage: 60_000 } } });
    url = String((await app.send([{ name: 'x.bin', bytes, type: 'application/octet-stream' }])).body[0]!['url']);
  });

  const ranged = async (range: string, headers = {}) => {
    const answer = await fetch(app.url + url, { headers: { range, ...headers } });
    return {
      status: answer.status,
      range: answer.headers.get('content-range'),
      got: Buffer.from(await answer.arrayBuffer()),
    };
  };

  test('a file is handed out wholly or in part', async () => {
    const whole = await fetch(app.url + url);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-length': '5000',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=60',
      'x-content-type-options': 'nosniff',
    });
    expect(
      createHash('sha1')
        .update(Buffer.from(await whole.arrayBuffer()))
        .digest('hex'),
    ).toBe(createHash('sha1').update(bytes).digest('hex'));
    expect(await ranged('bytes=0-9')).toEqual({ status: 206, range: 'bytes 0-9/5000', got: bytes.subarray(0, 10) });
    expect(await ranged('bytes=4990-')).toEqual({
      status: 206,
      range: 'bytes 4990-4999/5000',
      got: bytes.subarray(4990),
    });
    expect(await ranged('bytes=-10')).toEqual({
      status: 206,
      range: 'bytes 4990-4999/5000',
      got: bytes.subarray(4990),
    });
    expect(await ranged('bytes=10-99999')).toMatchObject({ status: 206, range: 'bytes 10-4999/5000' });
    expect(await ranged('bytes=5000-')).toMatchObject({ status: 416, range: 'bytes */5000' });
    for (const other of ['bytes=9-1', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=-'])
      expect(await ranged(other)).toMatchObject({ status: 200, range: null });
    expect(await ranged('bytes=0-9', { 'if-range': '"another"' })).toMatchObject({ status: 200 });
    const outside = await fetch(app.url + url, { headers: { range: 'bytes=5000-' } });
    const named = ['etag', 'last-modified', 'cache-control'].map((name) => outside.headers.get(name));
    expect(named).toEqual([null, null, null]);
    for (const range of ['bytes=0-9', 'bytes=5000-']) {
      const head = await fetch(app.url + url, { method: 'HEAD', headers: { range } });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '5000']);
    }
  });

  test('a client that has it is told so', async () => {
    const { headers } = await app.request('GET', url);
    const agent = supertest(app.app.handler);
    await agent.get(url).set('If-None-Match', headers.get('etag')!).expect(304);
    await agent.get(url).set('If-Modified-Since', headers.get('last-modified')!).expect(304);
    await agent.get(url).set('If-None-Match', '"another"').expect(200);
  });

  test.each([
    ['page.html', '<html><script>alert(1)</script></html>', true],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', true],
    ['code.js', 'alert(1)', true],
    ['code.mjs', 'alert(1)', true],
    ['page.xhtml', '<html xmlns="http://www.w3.org/1999/xhtml"/>', true],
    ['note.txt', 'note', false],
  ])(
    '%s runs nowhere: it is sandboxed, and a download where a browser might run it',
    async (name, content, isDownload) => {
      const { body } = await app.send([{ name, bytes: content }]);
      const { headers } = await app.request('GET', String(body[0]!['url']));
      expect(headers.get('content-security-policy')).toContain('sandbox');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-disposition')?.startsWith('attachment') === true).toBe(isDownload);
    },
  );

  test.each([
    '/uploads/..%2fdata.db',
    '/uploads/%2e%2e',
    '/uploads/.x',
    '/uploads/..%5cdata.db',
    '/uploads/x%00',
    '/uploads/a%2fb',
    '/uploads/',
  ])('%s leads nowhere', async (path) => {
    expect([400, 404]).toContain((await app.request('GET', path)).status);
  });
});
