import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import supertest from 'supertest';
import { definePlugin, type Logger } from '../../../core';
import { sends, type TestApplication, testApplication } from '../../../core/testing/test-application';
import { memoryCounters } from './counters';
import { rateLimitOptions } from './options';
import { createRateLimit } from './rate-limit';
import { isRedisThere, redisBridge, redisUrl, within } from './redis-bridge.fixture';

const message = 'Too many requests, please try again later.';

let app: TestApplication;
let logged: string[];
const line =
  (level: string) =>
  (fields: object, text: string): void =>
    void logged.push(`${level} ${text} ${JSON.stringify(fields)}`);
const log: Logger = {
  level: 'debug',
  debug: line('debug'),
  info: line('info'),
  warn: line('warn'),
  error: line('error'),
  child: () => log,
};

beforeEach(() => {
  logged = [];
});
afterEach(() => app?.remove());

async function limited(given: object, server: object = {}): Promise<RequestListener> {
  const limit = createRateLimit(rateLimitOptions.parse(given), log);
  const plugin = definePlugin({
    name: 'guard',
    apply({ hooks }) {
      hooks.http.middlewares.tap('guard', (makers) => makers.add('guard::limit', { make: () => limit.middleware }));
      hooks.http.routes.tap('guard', (routes) => {
        for (const path of ['/api/auth/local', '/api/auth/local/register', '/api/connect/:provider'])
          for (const method of ['GET', 'POST'] as const)
            routes.add({
              method,
              path,
              access: 'open',
              middlewares: ['guard::limit'],
              body: 'json',
              handle: sends({}),
            });
      });
      hooks.lifecycle.close.tapPromise('guard', () => limit.close());
    },
  });
  app = await testApplication({ plugins: [plugin], overrides: { server }, log });
  await app.start();
  return app.handler;
}

const ask = (handler: RequestListener, path = '/api/auth/local', headers: object = {}, body: object = {}) =>
  supertest(handler)
    .post(path)
    .set(headers as Record<string, string>)
    .send(body);

test('uses beyond the limit are refused, with what is left and when it begins anew', async () => {
  const handler = await limited({ max: 2 });
  const first = await ask(handler);
  expect(first.status).toBe(200);
  expect(first.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1' });
  const seconds = Number(first.headers['x-ratelimit-reset']) - Date.now() / 1000;
  expect(seconds).toBeGreaterThan(30);
  expect(seconds).toBeLessThanOrEqual(61);
  expect(first.headers['retry-after']).toBeUndefined();
  expect((await ask(handler)).headers['x-ratelimit-remaining']).toBe('0');
  const refused = await ask(handler);
  expect(refused.status).toBe(429);
  expect(refused.body).toEqual({
    data: null,
    error: { status: 429, name: 'RateLimitError', message, details: {} },
  });
  expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

test('neither spelling nor slashes nor bodies make another client of one', async () => {
  const handler = await limited({ max: 1 });
  expect((await ask(handler, '/api/auth/local', {}, { identifier: 'ann@example.com' })).status).toBe(200);
  for (const path of [
    '/api/AUTH/Local',
    '/api/auth/local/',
    '/api//auth/local',
    '//api/auth/local',
    '/api/auth/local//',
    '/api/auth/loc%61l',
    '/%61pi/auth/local',
    '/api/auth/local?x=1',
    '/api/auth/local;x',
    '/api/./auth/local',
  ])
    expect([path, (await ask(handler, path)).status]).not.toEqual([path, 200]);
  for (const identifier of ['bob@example.com', { $ne: 1 }])
    expect((await ask(handler, '/api/auth/local', {}, { identifier, email: identifier })).status).toBe(429);
  expect((await ask(handler, '/api/auth/local/register')).status).toBe(200);
});

test.each(['http://a;1', 'HTTP://b;2', 'http://a%zz', 'http://a@b:c'])(
  'nor does a host in the address: %s',
  async (host) => {
    const server = createServer(await limited({ max: 1 })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const askAt = async (origin: string): Promise<number> => {
      const asked = request({ port, method: 'POST', path: `${origin}/api/auth/local`, agent: false }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode!;
    };
    try {
      expect(await askAt('')).toBe(200);
      expect(await askAt('http://x')).toBe(429);
      expect(await askAt(host)).toBe(429);
    } finally {
      server.close();
    }
  },
);

test("in a cluster of somebody else's, each process counts for itself", async () => {
  const isWorker = jest.replaceProperty(cluster, 'isWorker', true);
  try {
    const counters = memoryCounters(rateLimitOptions.parse({ max: 1 }));
    expect(await counters.use('x')).toMatchObject({ isOver: false });
    expect(await counters.use('x')).toMatchObject({ isOver: true });
  } finally {
    isWorker.restore();
  }
}, 4_000);

test('a parameter is no way around it, and one that can not be decoded is refused', async () => {
  const handler = await limited({ max: 2 });
  const get = async (path: string) => (await supertest(handler).get(path)).status;
  expect(await get('/api/connect/github')).toBe(200);
  expect(await get('/api/connect/google')).toBe(200);
  expect(await get('/api/connect/x')).toBe(429);
  expect(await get('/api/connect/Git%48ub')).toBe(429);
  expect(await get('/api/connect/%ff')).toBe(400);
});

test.each(['a%2Fb', 'a%2fc', '%2F', 'a%252Fb', 'a%25', 'a%3Fb', 'a%23', '%C3%84%2F%C3%A4', 'a;b', '%2E%2E'])(
  'nor is one that holds a character with a meaning: %s',
  async (name) => {
    const handler = await limited({ max: 1 });
    const get = async (path: string) => (await supertest(handler).get(path)).status;
    expect(await get('/api/connect/github')).toBe(200);
    expect(await get(`/api/connect/${name}`)).toBe(429);
  },
);

test.each([
  [false, 429],
  [['10.0.0.0/8'], 429],
  [['127.0.0.0/8', '::1'], 200],
  [true, 200],
])('what is forwarded counts from trusted proxies alone: proxy %j', async (proxy, status) => {
  const handler = await limited({ max: 1 }, { proxy });
  expect((await ask(handler, undefined, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(200);
  expect((await ask(handler, undefined, { 'x-forwarded-for': '203.0.113.2' })).status).toBe(status);
});

test.each([[['127.0.0.0/8', '::1', '10.0.0.0/8']], [true]])(
  'a client can not make itself another one before it reaches the proxy: %j',
  async (proxy) => {
    const handler = await limited({ max: 1 }, { proxy });
    const from = async (text: string) => (await ask(handler, undefined, { 'x-forwarded-for': text })).status;
    expect(await from('1.1.1.1, 203.0.113.1')).toBe(200);
    expect(await from('2.2.2.2, 203.0.113.1')).toBe(429);
    expect(await from('2.2.2.2, 3.3.3.3,203.0.113.1')).toBe(429);
    if (proxy !== true) expect(await from('3.3.3.3, 203.0.113.1, 10.0.0.7')).toBe(429);
    expect(await from('203.0.113.1, 203.0.113.2')).toBe(200);
  },
);

test('counts begin anew, and can be switched off', async () => {
  const short = await limited({ max: 1, interval: { sec: 2 } });
  expect((await ask(short)).status).toBe(200);
  expect((await ask(short)).status).toBe(429);
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  expect((await ask(short)).status).toBe(200);
  await app.remove();
  const off = await limited({ enabled: false, max: 1 });
  for (let i = 0; i < 3; i++) {
    const answer = await ask(off);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-ratelimit-limit']).toBeUndefined();
  }
});

test('memory holds so many counts and no more: the oldest goes first', async () => {
  const counters = memoryCounters(rateLimitOptions.parse({ max: 1, maxKeys: 100 }));
  for (let i = 0; i < 100; i++) await counters.use(`key ${i}`);
  expect((await counters.use('key 0')).isOver).toBe(true);
  await counters.use('key 100');
  expect((await counters.use('key 1')).isOver).toBe(true);
  expect((await counters.use('key 0')).isOver).toBe(false);
});

test.each([
  [{ interval: { min: 5 } }, 300_000],
  [{ interval: 60_000 }, 60_000],
  [{}, 60_000],
])('%j is an interval', (given, interval) => {
  expect(rateLimitOptions.parse(given)).toMatchObject({ interval, max: 10, enabled: true });
});

test.each([{ interval: 5 }, { interval: { day: 2 } }, { interval: { mins: 5 } }, { max: 0 }, { redis: 'http://x' }])(
  '%j is refused',
  (given) => expect(rateLimitOptions.safeParse(given).success).toBe(false),
);

describe('with Redis', () => {
  const client = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  let isThere = false;

  beforeAll(async () => {
    isThere = await isRedisThere();
    if (isThere) await client.connect();
  });
  afterAll(() => client.disconnect());

  const forget = async (): Promise<void> => {
    const keys = await client.keys('heddle:rate-limit:*');
    if (keys.length > 0) await client.del(...keys);
  };

  test('processes count together, and nobody loses a count', async () => {
    if (!isThere) return;
    await forget();
    const first = await limited({ max: 5, redis: redisUrl });
    const other = app;
    const second = await limited({ max: 5, redis: { host: '127.0.0.1', port: Number(new URL(redisUrl).port) } });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => ask(i % 2 ? first : second)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    const [key] = await client.keys('heddle:rate-limit:*');
    expect(await client.pttl(key!)).toBeGreaterThan(0);
    await other.remove();
    await forget();
  });

  test('while Redis is away, the process counts for itself and says so once', async () => {
    const handler = await limited({ max: 1, redis: 'redis://:redis-pass-7@127.0.0.1:1' });
    expect((await ask(handler)).status).toBe(200);
    expect((await ask(handler)).status).toBe(429);
    expect(logged.filter((text) => text.startsWith('warn'))).toEqual([
      expect.stringMatching(/Redis does not count.*ECONN/),
    ]);
    expect(logged.join()).not.toContain('redis-pass-7');
  });

  test('a Redis that hangs, goes and comes back fails no request', async () => {
    if (!isThere) return;
    await forget();
    const bridge = await redisBridge();
    const handler = await limited({ max: 100, redis: `redis://127.0.0.1:${bridge.port}` });
    expect((await ask(handler)).headers['x-ratelimit-remaining']).toBe('99');
    bridge.hang();
    expect((await ask(handler)).headers['x-ratelimit-remaining']).toBe('99');
    bridge.cut();
    expect((await ask(handler)).headers['x-ratelimit-remaining']).toBe('98');
    expect(logged.filter((text) => text.startsWith('warn'))).toHaveLength(1);
    bridge.goOn();
    await within(20_000, () => logged.some((text) => text.startsWith('info Redis counts')));
    // What Redis was asked while it hung, it may have counted or not.
    expect(Number((await ask(handler)).headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(97);
    expect(logged.filter((text) => text.startsWith('info Redis counts'))).toHaveLength(1);
    await bridge.close();
    await forget();
  });

  test('what Redis was late with once is told when it is over, and told again the next time', async () => {
    if (!isThere) return;
    await forget();
    const bridge = await redisBridge();
    const handler = await limited({ max: 100, redis: `redis://127.0.0.1:${bridge.port}` });
    await ask(handler);
    for (let time = 0; time < 2; time += 1) {
      bridge.hang();
      expect((await ask(handler)).status).toBe(200);
      bridge.goOn();
      expect((await ask(handler)).status).toBe(200);
    }
    const told = logged.filter((text) => text.includes('Redis')).map((text) => text.split(' ')[0]);
    expect(told).toEqual(['warn', 'info', 'warn', 'info']);
    await bridge.close();
    await forget();
  });

  test('a connection over which Redis says nothing any more is given up', async () => {
    if (!isThere) return;
    await forget();
    const bridge = await redisBridge();
    const handler = await limited({ max: 100, redis: `redis://127.0.0.1:${bridge.port}` });
    await ask(handler);
    bridge.hang();
    expect((await ask(handler)).status).toBe(200);
    await within(10_000, () => bridge.connections() > 1);
    expect(bridge.connections()).toBeGreaterThan(1);
    await bridge.close();
    await forget();
  });
});
