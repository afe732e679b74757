import { Redis } from 'ioredis';
import type { RawConfig } from '../../../core';
import { fullKey, usersApp } from '../../users-permissions/app.fixture';
import { begun, served } from './subscribed-app.fixture';

test('over Redis, what happens in one process is told in another', async () => {
  const redis = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';
  const probe = new Redis(redis, { lazyConnect: true, retryStrategy: () => null });
  probe.on('error', () => undefined);
  const isThere = await probe.connect().then(
    () => true,
    () => false,
  );
  probe.disconnect();
  if (!isThere) return console.warn(`no Redis answers at ${redis}: this test did not run`);
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
