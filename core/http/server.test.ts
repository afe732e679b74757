import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from '../kernel/logger';
import {
  pluginOf,
  type TestApplication,
  type TestApplicationOptions,
  testApplication,
} from '../testing/test-application';

const errors: unknown[] = [];
const nothing = (): void => undefined;
const log: Logger = {
  debug: nothing,
  info: nothing,
  warn: (...line) => void errors.push(line),
  error: (...line) => void errors.push(line),
  child: () => log,
};

let release: () => void;
let arrived: Promise<void>;
let reason: string | undefined;

const slow = pluginOf('slow', ({ hooks }) => {
  hooks.http.readiness.tap('slow', () => reason);
  hooks.http.routes.tap('slow', (routes) => {
    routes.add({
      method: 'GET',
      path: '/quick',
      access: 'open',
      handle(context) {
        context.body = {};
      },
    });
    routes.add({
      method: 'POST',
      path: '/echo',
      access: 'open',
      body: 'json',
      handle(context) {
        context.body = context.request.body;
      },
    });
    let arrive: () => void;
    arrived = new Promise((resolve) => {
      arrive = resolve;
    });
    routes.add({
      method: 'GET',
      path: '/slow',
      access: 'open',
      async handle(context) {
        arrive();
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        context.body = { done: true };
      },
    });
  });
});

let app: TestApplication;
const start = async (server: object = {}, rest: TestApplicationOptions = {}) => {
  app = await testApplication({ plugins: [slow], log, overrides: { server }, ...rest });
  return app.listen(0);
};

/** What a raw connection answers until it is closed, or until enough is there. */
function talk(port: number, text: string, enough?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk;
      if (enough?.test(heard)) socket.destroy();
    });
    socket.on('close', () => resolve(heard)).on('error', reject);
  });
}

beforeEach(() => {
  reason = undefined;
  errors.splice(0);
});
afterEach(() => app.remove());

test('it listens on a free port and says where', async () => {
  const address = await start();
  expect(address).toEqual({ host: '127.0.0.1', port: expect.any(Number), url: `http://127.0.0.1:${address.port}` });
  expect((await fetch(`${address.url}/quick`)).status).toBe(200);
});

test('a port in use is told with what to do', async () => {
  const { port } = await start();
  const other = await testApplication({ plugins: [slow] });
  await expect(other.listen(port)).rejects.toThrow(
    `server: can't listen on 127.0.0.1:${port} (EADDRINUSE). Stop what listens there, or choose another port.`,
  );
  await other.remove();
});

test('a connection that may not change its protocol is closed, also where the client never does so', async () => {
  let asked: Duplex | undefined;
  const watching = pluginOf('watching', ({ hooks }) =>
    hooks.http.upgrade.tap('watching', (_request, socket) => {
      asked = socket;
      return undefined;
    }),
  );
  const { port } = await start({}, { plugins: [watching] });
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
  const [answer] = await once(client, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 404 Not Found/);
  await once(client, 'end');
  if (!asked!.destroyed) await once(asked!, 'close');
  client.destroy();
});

describe('closing', () => {
  test('requests in flight finish, new connections are refused, the last answer closes its connection', async () => {
    const { port, url } = await start();
    const pending = talk(port, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived;
    const closed = app.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(fetch(`${url}/quick`)).rejects.toThrow();
    release();
    const answer = await pending;
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(answer).toMatch(/Connection: close/);
    expect(answer).toMatch(/\{"done":true\}$/);
    await closed;
  });

  test('who has connected before is answered, taken in or not', async () => {
    const { port } = await start();
    const ask = 'GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answers = Array.from({ length: 50 }, () => talk(port, ask));
    await new Promise((resolve) => process.nextTick(resolve));
    const closed = app.close();
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 200 OK/);
    await closed;
  });

  test('a request that was on its way over a kept connection is answered, too', async () => {
    const { port } = await start();
    const ask = 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n';
    let heard = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(ask));
    const ended = new Promise((resolve) => socket.on('close', resolve));
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    const closed = app.close();
    socket.write(ask);
    await Promise.all([closed, ended]);
    expect(heard).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close/);
  });

  test('idle connections do not hold it up', async () => {
    const { port } = await start();
    const idle = talk(port, 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const begin = performance.now();
    await app.close();
    expect(performance.now() - begin).toBeLessThan(1000);
    expect(await idle).toMatch(/Connection: keep-alive/);
  });

  test('what does not finish in time is cut, and plugins are closed all the same', async () => {
    const closed = jest.fn();
    const watcher = pluginOf('watcher', ({ hooks }) => hooks.lifecycle.close.tap('watcher', closed));
    const { port } = await start({ http: { drainTimeout: 100 } }, { plugins: [slow, watcher] });
    const pending = talk(port, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    await arrived;
    await app.close();
    expect(await pending).toBe('');
    expect(closed).toHaveBeenCalledTimes(1);
    release();
  });
});

test('an idle connection is closed in time', async () => {
  const { port } = await start({ http: { keepAliveTimeout: 100, answerTimeout: 60_000 } });
  expect(await talk(port, 'GET /quick HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/Connection: keep-alive/);
});

describe('probes', () => {
  const status = async (url: string, path: string, method = 'GET') => (await fetch(url + path, { method })).status;

  test('health is always there, readiness depends on plugins', async () => {
    const { url } = await start();
    expect([
      await status(url, '/_health'),
      await status(url, '/_health/', 'POST'),
      await status(url, '/_ready'),
      await status(url, '/_ready', 'HEAD'),
    ]).toEqual([204, 204, 204, 204]);
    reason = 'the database is gone';
    expect([await status(url, '/_health'), await status(url, '/_ready')]).toEqual([204, 503]);
    expect(await (await fetch(`${url}/_ready`)).text()).not.toContain('database');
    expect(await status(url, '/_other')).toBe(404);
  });
});

describe('difficult clients', () => {
  test('headers above the limit: 431', async () => {
    const { port } = await start({ http: { maxHeaderSize: 2048 } });
    expect(await talk(port, `GET /quick HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(5000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  test('headers that do not come: 408', async () => {
    const { port } = await start({ http: { headersTimeout: 100, requestTimeout: 200 } });
    expect(await talk(port, 'GET /quick HTTP/1.1\r\nHost:')).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('a body that does not come: 408', async () => {
    const { port } = await start({ http: { headersTimeout: 100, requestTimeout: 200 } });
    expect(
      await talk(
        port,
        'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":',
      ),
    ).toMatch(/^HTTP\/1\.1 408 /);
    expect(errors).toEqual([]);
  });

  test('a client that goes away is no error of ours', async () => {
    const { port } = await start();
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    const gone = connect(port, '127.0.0.1', () => gone.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'));
    await arrived;
    gone.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(errors).toEqual([]);
  });

  test('what is no HTTP is refused', async () => {
    const { port } = await start();
    expect(await talk(port, 'HELLO\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await talk(port, 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 40[04] /,
    );
    expect(await talk(port, 'GET /quick HTTP/1.1\r\nHost: a@b\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 /,
    );
  });
});
