import { type AddressInfo, createServer, type Socket } from 'node:net';
import { DATABASE } from '../sql';
import { fullKey, usersApp } from './app.fixture';

test('a last write that fails is told, and leaves no connection to Redis open', async () => {
  const open = new Set<Socket>();
  const redis = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    // What it says of the counts does not matter: that it answers each command keeps the connection.
    socket.on('data', (asked) => socket.write('+OK\r\n'.repeat(String(asked).match(/^\*/gm)?.length ?? 0)));
  });
  await new Promise<void>((resolve) => redis.listen(0, '127.0.0.1', resolve));
  const { port } = redis.address() as AddressInfo;
  const config = { ratelimit: { redis: `redis://127.0.0.1:${port}` } };
  const app = await usersApp({ plugins: { 'users-permissions': { enabled: true, config } } });
  try {
    await app.post('/api/auth/local', { identifier: 'ann', password: 'secret-1' });
    expect(open.size).toBe(1);
    await app.get('/api/notes', fullKey).expect(200);
    jest.spyOn(app.service(DATABASE), 'transaction').mockRejectedValue(new Error('the database is gone'));
    await expect(app.app.close()).rejects.toThrow('the database is gone');
    for (let tries = 0; tries < 40 && open.size > 0; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(open.size).toBe(0);
  } finally {
    for (const socket of open) socket.destroy();
    redis.close();
    await app.remove().catch(() => undefined);
  }
});
