import { setImmediate as turn } from 'node:timers/promises';
import { createAttempts } from './crowd';

test('writers run at once until one loses; then one by one for a while', async () => {
  let time = 0;
  const attempt = createAttempts(() => time);
  let running = 0;
  let most = 0;
  const work = async (isAlone: boolean): Promise<boolean> => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    return isAlone;
  };
  const three = async (): Promise<{ alone: boolean[]; most: number }> => {
    most = 0;
    return { alone: await Promise.all([0, 0, 0].map((before) => attempt(before, work))), most };
  };
  expect(await three()).toEqual({ alone: [false, false, false], most: 3 });
  expect(await attempt(1, work)).toBe(true);
  time = 99;
  expect(await three()).toEqual({ alone: [true, true, true], most: 1 });
  time = 100;
  expect(await three()).toEqual({ alone: [false, false, false], most: 3 });
});

test('an attempt that fails lets the next have its turn', async () => {
  const attempt = createAttempts();
  await expect(attempt(1, async () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(await attempt(2, async (isAlone) => isAlone)).toBe(true);
});

test('who waits inside the turn that waits for it is refused after a while, and harms nobody', async () => {
  const attempt = createAttempts(undefined, 20);
  const nested = attempt(1, () => attempt(1, async () => 'never'));
  await expect(nested).rejects.toMatchObject({ status: 503 });
  expect(await attempt(1, async (isAlone) => isAlone)).toBe(true);
});
