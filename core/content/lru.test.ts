import { Lru } from './lru';

test('stays within its bound and forgets what was used longest ago', () => {
  const lru = new Lru<number>(4);
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) lru.set(key, index);
  expect(lru.get('a')).toBe(0);
  expect(lru.oldest).toBe('b');
  expect(lru.set('e', 4)).toBe('b');
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => lru.get(key))).toEqual([0, undefined, 2, 3, 4]);
});

test('never grows beyond its bound', () => {
  const lru = new Lru<number>(10);
  for (let index = 0; index < 1000; index++) {
    lru.set(`k${index}`, index);
    lru.get(`k${index % 7}`);
    expect(lru.size).toBeLessThanOrEqual(10);
  }
});

test('setting a key again replaces its value', () => {
  const lru = new Lru<number>(2);
  lru.set('a', 1);
  lru.set('a', 2);
  expect([lru.get('a'), lru.size]).toEqual([2, 1]);
});
