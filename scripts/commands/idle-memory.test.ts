import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { collectWhenIdle, isWorthCollecting } from './idle-memory';

const megabyte = 2 ** 20;

test.each([
  ['nobody has asked anything since the start', { utilization: 0.001, size: 40, kept: 0 }, true],
  ['only timers ran, slowly', { utilization: 0.004, size: 40, kept: 0 }, true],
  ['much has come together since the last time', { utilization: 0, size: 40, kept: 30 }, true],
  ['little has come together', { utilization: 0, size: 34, kept: 30 }, false],
  ['somebody asks now and then', { utilization: 0.006, size: 80, kept: 20 }, false],
  ['the heap is so large that a request would wait', { utilization: 0, size: 900, kept: 20 }, false],
])('where %s: %j', (_, { utilization, size, kept }, expected) => {
  expect(isWorthCollecting({ utilization, size: size * megabyte, kept: kept * megabyte })).toBe(expected);
});

/** Other tests may have left more than a service has, and a machine that is busy with others takes its time for nothing. */
const lenient = { most: Number.POSITIVE_INFINITY, busy: 0.5 };

test('memory is given back when nothing is done', async () => {
  const sizeOfHeap = (): number => getHeapStatistics().total_heap_size;
  const makeGarbage = (): number[][] => Array.from({ length: 40 }, () => Array.from({ length: 100_000 }, Math.random));
  expect(makeGarbage()).toHaveLength(40);
  const full = sizeOfHeap();
  const failed = jest.fn();
  const stop = collectWhenIdle(failed, { ...lenient, every: 2_000 });
  await sleep(7_000);
  stop();
  expect(sizeOfHeap()).toBeLessThan(full - 16 * megabyte);
  expect(failed).not.toHaveBeenCalled();
}, 15_000);

test('where nothing can be collected, that is told once and not tried again', async () => {
  const failed = jest.fn();
  const refused = new Error('refused');
  const collect = jest.fn(() => Promise.reject(refused));
  const stop = collectWhenIdle(failed, { ...lenient, every: 1_000, collect });
  await sleep(4_500);
  stop();
  expect(failed.mock.calls).toEqual([[refused]]);
  expect(collect).toHaveBeenCalledTimes(1);
}, 10_000);
