import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';

export const redisUrl = process.env['REDIS_URL'] ?? 'redis://127.0.0.1:6379';

/** Whether a Redis answers; a test that needs one says that it did not run otherwise. */
export async function isRedisThere(): Promise<boolean> {
  const probe = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  probe.on('error', () => undefined);
  const isThere = await probe.connect().then(
    () => true,
    () => false,
  );
  probe.disconnect();
  if (!isThere) console.warn(`no Redis answers at ${redisUrl}: a test did not run`);
  return isThere;
}

export async function within(milliseconds: number, holds: () => boolean): Promise<void> {
  for (const start = performance.now(); !holds() && performance.now() - start < milliseconds; )
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A way to Redis on which nothing arrives while it hangs, and that can be broken. */
export async function redisBridge(port = 0) {
  const to = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let hangs = false;
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const upstream = connect(Number(to.port || 6379), to.hostname);
    const ends = [socket, upstream] as const;
    for (const [one, other] of [ends, [upstream, socket] as const]) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('data', (data) => other.write(data));
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (hangs) one.pause();
    }
  });
  function cut(): void {
    for (const one of sockets) one.destroy();
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    hang(): void {
      hangs = true;
      for (const one of sockets) one.pause();
    },
    goOn(): void {
      hangs = false;
      for (const one of sockets) one.resume();
    },
    cut,
    /** How many there have been. */
    connections: () => connections,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
