import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import supertest from 'supertest';
import { memoryCounters } from './counters';
import { ask, last, limited } from './limited-app.fixture';
import { rateLimitOptions } from './options';

const message = 'Too many requests, please try again later.';

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
  await last.app!.remove();
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
