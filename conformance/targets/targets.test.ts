import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpTarget } from './http';
import { inProcessTarget } from './in-process';
import type { Target } from './target';

/** Says what arrived, so that a target that rewrites requests is found out. */
const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.statusCode = request.url?.startsWith('/moved') ? 302 : request.method === 'DELETE' ? 204 : 418;
    response.setHeader('X-Echo', String(request.headers['x-echo']));
    response.setHeader('Location', '/elsewhere');
    if (response.statusCode === 418) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const { method, url } = request;
    response.end(
      method === 'DELETE' ? undefined : JSON.stringify({ method, url, body: Buffer.concat(chunks).toString() }),
    );
  });
};

const server = createServer(echo);
let targets: Target[];

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  targets = [httpTarget({ url }), inProcessTarget(echo)];
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const signal = () => AbortSignal.timeout(5000);

test('a request arrives as it was written', async () => {
  const path = '/api/x?filters[a][$eq]=caf%C3%A9+%25&sort=a:desc&q=%27';
  const body = '{"bad';
  for (const target of targets) {
    const headers = { 'x-echo': 'yes', 'content-type': 'application/json' };
    const answer = await target.send({ method: 'POST', path, headers, body }, signal());
    expect(JSON.parse(answer.text)).toEqual({ method: 'POST', url: path, body });
    expect(answer).toMatchObject({ status: 418, headers: { 'x-echo': 'yes' } });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
  }
});

test('empty answers, HEAD and redirects are left as they are', async () => {
  for (const target of targets) {
    const send = (method: string, path: string) => target.send({ method, path, headers: {} }, signal());
    expect(await send('DELETE', '/x')).toMatchObject({ status: 204, text: '' });
    expect(await send('HEAD', '/x')).toMatchObject({ status: 418, text: '' });
    expect(await send('GET', '/moved')).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
  }
});

test('a request that is never answered ends with its signal', async () => {
  const silent = inProcessTarget(() => undefined);
  const request = { method: 'GET', path: '/', headers: {} };
  await expect(silent.send(request, AbortSignal.timeout(30))).rejects.toThrow('Aborted');
});

test('a target in process may write single types, one behind a URL only when told', () => {
  expect(inProcessTarget(echo).exclusive).toBe(true);
  expect(httpTarget({ url: 'http://x' }).exclusive).toBe(false);
  expect(httpTarget({ url: 'http://x/', exclusive: true })).toMatchObject({ name: 'http://x', exclusive: true });
});
