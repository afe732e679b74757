import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from './queue';

test('lets one at a time through, in the order of asking', async () => {
  const queue = new Queue();
  const seen: string[] = [];
  const pass = async (name: string): Promise<void> => {
    const leave = await queue.enter();
    seen.push(`${name} in`);
    await sleep(1);
    seen.push(`${name} out`);
    leave();
  };
  await Promise.all(['a', 'b', 'c'].map(pass));
  expect(seen).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
});

test('refuses who waits where nothing is done inside, and keeps no place for him', async () => {
  const queue = new Queue(10);
  const leave = await queue.enter();
  const refused = expect(queue.enterUnlessStuck()).rejects.toThrow('Another writer does not come to an end, try again');
  await refused;
  const next = queue.enter();
  leave();
  (await next)();
  expect(queue.isAwaited).toBe(false);
  (await queue.enterUnlessStuck())();
});

test('lets everybody wait as long as something is done inside', async () => {
  const queue = new Queue(20);
  const leave = await queue.enter();
  const waiting = queue.enterUnlessStuck();
  for (let step = 0; step < 20; step += 1) {
    await sleep(5);
    queue.goOn();
  }
  leave();
  (await waiting)();
});
