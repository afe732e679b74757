import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { Redis } from 'ioredis';
import type { Logger, RawConfig } from '../../../core';
import { fullKey, usersApp } from '../../users-permissions/app.fixture';
import { type DocumentEvent, redisChannel } from './channel';
import { begun, served } from './subscribed-app.fixture';

const redis = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

async function isThere(): Promise<boolean> {
  const probe = new Redis(redis, { lazyConnect: true, retryStrategy: () => null });
  probe.on('error', () => undefined);
  const answers = await probe.connect().then(
    () => true,
    () => false,
  );
  probe.disconnect();
  return answers;
}

async function within(holds: () => boolean): Promise<void> {
  for (const start = performance.now(); !holds() && performance.now() - start < 10_000; )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Listens where Redis was not, and leads to where it is. */
function bridge(port: number, redis: URL): Promise<Server> {
  const server = createServer((socket) => {
    const upstream = connect(Number(redis.port || 6379), redis.hostname);
    for (const one of [socket, upstream]) one.on('error', () => undefined);
    socket.pipe(upstream).pipe(socket);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

test('a Redis that comes after the start is heard, and what is no event is told to the log', async () => {
  if (!(await isThere())) return console.warn(`no Redis answers at ${redis}: this test did not run`);
  const told: string[] = [];
  const tell = (_fields: object, message: string): void => void told.push(message);
  const log: Logger = { debug: tell, info: tell, warn: tell, error: tell, child: () => log };
  const place = await bridge(0, new URL(redis));
  const { port } = place.address() as AddressInfo;
  await new Promise((resolve) => place.close(resolve));
  const [early, other] = [redisChannel(`redis://127.0.0.1:${port}`, log), redisChannel(redis, log)];
  const heard: DocumentEvent[] = [];
  early.listen('api::late.late', 'created', (event) => heard.push(event));
  await Promise.all([early.open(), other.open()]);
  expect(told).toEqual([expect.stringContaining('Redis is away')]);
  const late = await bridge(port, new URL(redis));
  const publisher = new Redis(redis);
  try {
    await within(() => told.some((message) => message.startsWith('Redis is back')));
    await publisher.publish('heddle:graphql:events', 'hello');
    await within(() => told.some((message) => message.includes('no event')));
    const event = { uid: 'api::late.late', kind: 'created', documentId: 'x' };
    other.tell(event);
    await within(() => heard.length > 0);
    expect(heard).toEqual([event]);
  } finally {
    publisher.disconnect();
    await Promise.all([early.close(), other.close()]);
    late.close();
  }
});

test('over Redis, what happens in one process is told in another', async () => {
  if (!(await isThere())) return console.warn(`no Redis answers at ${redis}: this test did not run`);
  const plugins = { graphql: { config: { subscriptions: { redis } } } } as RawConfig;
  const one = await served({ redis });
  const other = await usersApp({ plugins });
  try {
    const subscription = await begun(one.client(fullKey), 'subscription { noteDeleted { documentId } }');
    const { body } = await other.post('/api/notes', { data: { text: 'far' } }, fullKey);
    await other.agent
      .delete(`/api/notes/${body.data.documentId}`)
      .set('Authorization', `Bearer ${fullKey}`)
      .expect(204);
    expect(await subscription.next()).toEqual({ data: { noteDeleted: { documentId: body.data.documentId } } });
  } finally {
    await other.remove();
    await one.remove();
  }
});
