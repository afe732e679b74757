import { Redis } from 'ioredis';
import { ask, last, limited } from './limited-app.fixture';
import { isRedisThere, redisBridge, redisUrl, within } from './redis-bridge.fixture';

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

/** An application that reaches Redis over a bridge. */
async function bridged() {
  const bridge = await redisBridge();
  const handler = await limited({ max: 100, redis: `redis://127.0.0.1:${bridge.port}` });
  return { bridge, handler };
}

test('processes count together, and nobody loses a count', async () => {
  if (!isThere) return;
  await forget();
  const first = await limited({ max: 5, redis: redisUrl });
  const other = last.app!;
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
  expect(last.logged.filter((text) => text.startsWith('warn'))).toEqual([
    expect.stringMatching(/Redis does not count.*ECONN/),
  ]);
  expect(last.logged.join()).not.toContain('redis-pass-7');
});

test('a Redis that hangs, goes and comes back fails no request', async () => {
  if (!isThere) return;
  await forget();
  const { bridge, handler } = await bridged();
  expect((await ask(handler)).headers['x-ratelimit-remaining']).toBe('99');
  bridge.hang();
  expect((await ask(handler)).headers['x-ratelimit-remaining']).toBe('99');
  bridge.cut();
  expect((await ask(handler)).headers['x-ratelimit-remaining']).toBe('98');
  expect(last.logged.filter((text) => text.startsWith('warn'))).toHaveLength(1);
  bridge.goOn();
  await within(20_000, () => last.logged.some((text) => text.startsWith('info Redis counts')));
  // What Redis was asked while it hung, it may have counted or not.
  expect(Number((await ask(handler)).headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(97);
  expect(last.logged.filter((text) => text.startsWith('info Redis counts'))).toHaveLength(1);
  await bridge.close();
  await forget();
});

test('what Redis was late with once is told when it is over, and told again the next time', async () => {
  if (!isThere) return;
  await forget();
  const { bridge, handler } = await bridged();
  await ask(handler);
  for (let time = 0; time < 2; time += 1) {
    bridge.hang();
    expect((await ask(handler)).status).toBe(200);
    bridge.goOn();
    expect((await ask(handler)).status).toBe(200);
  }
  const told = last.logged.filter((text) => text.includes('Redis')).map((text) => text.split(' ')[0]);
  expect(told).toEqual(['warn', 'info', 'warn', 'info']);
  await bridge.close();
  await forget();
});

test('a connection over which Redis says nothing any more is given up', async () => {
  if (!isThere) return;
  await forget();
  const { bridge, handler } = await bridged();
  await ask(handler);
  bridge.hang();
  expect((await ask(handler)).status).toBe(200);
  await within(10_000, () => bridge.connections() > 1);
  expect(bridge.connections()).toBeGreaterThan(1);
  await bridge.close();
  await forget();
});
