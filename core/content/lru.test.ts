import { Lru } from './lru';

test('stays within its bound and forgets what was used longest ago', () => {
  const lru = new Lru<number>(4);
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) lru.set(key, index);
  expect(lru.get('a')).toBe(0);
  expect(lru.oldest).toBe('b');
  expect(lru.set('e', 4)).toEqual(['b']);
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

test('stays within the characters that all keys may have, and keeps what is used', () => {
  const lru = new Lru<number>(100, 20);
  for (const key of ['used', 'a'.repeat(6), 'b'.repeat(6)]) lru.set(key, 1);
  expect(lru.get('used')).toBe(1);
  expect(lru.set('c'.repeat(12), 1)).toEqual(['a'.repeat(6), 'b'.repeat(6)]);
  expect([lru.get('used'), lru.size]).toEqual([1, 2]);
  expect(lru.set('d'.repeat(21), 1)).toEqual(['d'.repeat(21)]);
  expect([lru.get('used'), lru.size]).toEqual([1, 2]);
});

test('characters of values count as those of keys do, as long as they are there', () => {
  const lru = new Lru<number>(100, 20);
  expect(lru.set('a', 1, 9)).toEqual([]);
  expect(lru.set('a', 2, 4)).toEqual([]);
  expect(lru.set('b', 1, 14)).toEqual([]);
  expect(lru.set('c', 1)).toEqual(['a']);
  lru.delete('b');
  expect(lru.set('d', 1, 18)).toEqual([]);
  expect(lru.set('e', 1, 20)).toEqual(['e']);
  expect([lru.get('c'), lru.get('d'), lru.size]).toEqual([1, 1, 2]);
  expect(lru.set('d', 2, 20)).toEqual(['d']);
  expect([lru.get('d'), lru.size]).toEqual([undefined, 1]);
});

test('characters are counted once for each key that is there', () => {
  const lru = new Lru<number>(100, 20);
  for (let round = 0; round < 50; round++) {
    lru.set('again', round);
    lru.set('deleted', round);
    lru.delete('deleted');
    lru.delete('deleted');
  }
  expect(lru.set('x'.repeat(15), 1)).toEqual([]);
  expect([lru.get('again'), lru.size]).toEqual([49, 2]);
});
