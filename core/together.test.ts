import { setTimeout as sleep } from 'node:timers/promises';
import { together } from './together';

test('answers are in the order of what was asked, whether or not they are waited for', async () => {
  expect(await together([sleep(5, 'late'), 'now', sleep(1, 'soon')])).toEqual(['late', 'now', 'soon']);
  expect(await together([])).toEqual([]);
});

test('what fails is told when all has ended, and of several failures the first in order', async () => {
  let ended = 0;
  const ending = async (milliseconds: number, error?: Error): Promise<void> => {
    await sleep(milliseconds);
    ended += 1;
    if (error) throw error;
  };
  const all = [ending(9), ending(5, new Error('first')), ending(1, new Error('second'))];
  await expect(together(all)).rejects.toThrow('first');
  expect(ended).toBe(3);
});
