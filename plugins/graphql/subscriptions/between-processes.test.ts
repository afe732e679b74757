import { Redis } from 'ioredis';
import type { Logger, RawConfig } from '../../../core';
import { fullKey, usersApp } from '../../users-permissions/app.fixture';
import { isRedisThere, redisBridge, redisUrl, within } from '../../users-permissions/rate-limit/redis-bridge.fixture';
import { type DocumentEvent, redisChannel } from './channel';
import { begun, served } from './subscribed-app.fixture';

/** A log that keeps what it is told. */
function listening() {
  const told: string[] = [];
  const tell = (_fields: object, message: string): void => void told.push(message);
  const log: Logger = { debug: tell, info: tell, warn: tell, error: tell, child: () => log };
  return { told, log };
}

const event = { uid: 'api::late.late', kind: 'created', documentId: 'x' };

test('a Redis that comes after the start is heard, and what is no event is told to the log', async () => {
  if (!(await isRedisThere())) return;
  const { told, log } = listening();
  const place = await redisBridge();
  const { port } = place;
  await place.close();
  const [early, other] = [redisChannel(`redis://127.0.0.1:${port}`, log), redisChannel(redisUrl, log)];
  const heard: DocumentEvent[] = [];
  early.listen('api::late.late', 'created', (event) => heard.push(event));
  await Promise.all([early.open(), other.open()]);
  expect(told.sort()).toEqual([expect.stringContaining('Redis is away'), expect.stringContaining('takes no events')]);
  const late = await redisBridge(port);
  const publisher = new Redis(redisUrl);
  try {
    await within(10_000, () => told.some((message) => message.startsWith('Redis is back')));
    await publisher.publish('heddle:graphql:events', 'hello');
    await within(10_000, () => told.some((message) => message.includes('no event')));
    other.tell(event);
    await within(10_000, () => heard.length > 0);
    expect(heard).toEqual([event]);
  } finally {
    publisher.disconnect();
    await Promise.all([early.close(), other.close()]);
    await late.close();
  }
});

test('a Redis that falls silent is told once, holds nothing up, and is found again', async () => {
  if (!(await isRedisThere())) return;
  const { told, log } = listening();
  const bridge = await redisBridge();
  const [early, other] = [
    redisChannel(`redis://127.0.0.1:${bridge.port}`, log),
    redisChannel(redisUrl, listening().log),
  ];
  const heard: DocumentEvent[] = [];
  other.listen('api::late.late', 'created', (one) => heard.push(one));
  await Promise.all([early.open(), other.open()]);
  try {
    early.tell(event);
    await within(10_000, () => heard.length > 0);
    expect([heard, told]).toEqual([[event], []]);
    bridge.hang();
    for (let index = 0; index < 20_000; index += 1) early.tell(event);
    expect(told).toEqual([expect.stringContaining('takes no events')]);
    await within(10_000, () => bridge.connections() > 2);
    bridge.goOn();
    await within(10_000, () => told.some((message) => message.startsWith('Redis takes events again')));
    const before = heard.length;
    early.tell(event);
    await within(10_000, () => heard.length > before);
    expect(heard.length).toBeGreaterThan(before);
    expect(told.filter((message) => message.includes('takes no events'))).toHaveLength(1);
  } finally {
    await Promise.all([early.close(), other.close()]);
    await bridge.close();
  }
});

test('over Redis, what happens in one process is told in another', async () => {
  if (!(await isRedisThere())) return;
  const plugins = { graphql: { config: { subscriptions: { redis: redisUrl } } } } as RawConfig;
  const one = await served({ redis: redisUrl });
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
