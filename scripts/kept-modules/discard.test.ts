import { discard } from './discard';

test('memory is given back at once', () => {
  const size = 64 * 2 ** 20;
  const buffers = [Buffer.alloc(size, 1), Buffer.alloc(size, 1)];
  // Taken here, not before: meanwhile V8 may have given back what other tests had left.
  const filled = process.memoryUsage.rss();
  for (const each of buffers) discard(each);
  expect(filled - process.memoryUsage.rss()).toBeGreaterThan(1.5 * size);
  expect(buffers.map(({ length }) => length)).toEqual([0, 0]);
});

test('of what shares its memory with others, nothing is taken', () => {
  const whole = Buffer.from('one and another');
  discard(whole.subarray(0, 3));
  expect(whole.toString()).toBe('one and another');
});
