import { discard } from './discard';

test('memory is given back at once', () => {
  const size = 64 * 2 ** 20;
  const before = process.memoryUsage.rss();
  const buffers = [Buffer.alloc(size, 1), Buffer.alloc(size, 1)];
  expect(process.memoryUsage.rss() - before).toBeGreaterThan(size);
  for (const each of buffers) discard(each);
  expect(process.memoryUsage.rss() - before).toBeLessThan(size / 2);
  expect(buffers.map(({ length }) => length)).toEqual([0, 0]);
});

test('of what shares its memory with others, nothing is taken', () => {
  const whole = Buffer.from('one and another');
  discard(whole.subarray(0, 3));
  expect(whole.toString()).toBe('one and another');
});
