import type { ContentType } from '../../core';
import { createKnownPairs } from './known-pairs';

const [paper, person] = ['paper', 'person'].map((uid) => ({ uid }) as ContentType) as [ContentType, ContentType];

test('what was published is known, of its type and with its draft', () => {
  const pairs = createKnownPairs();
  pairs.add(paper, 1, 2);
  expect([pairs.has(paper, 1, 2), pairs.has(person, 1, 2), pairs.has(paper, 2, 1)]).toEqual([true, false, false]);
  pairs.add(paper, 1, 3);
  expect(pairs.has(paper, 1, 3)).toBe(true);
});

test('an id that was given to what was undone is known of what is published under it later', () => {
  const pairs = createKnownPairs();
  for (const type of [paper, person]) pairs.add(type, 1, 2);
  pairs.add(paper, 5, 2);
  expect([pairs.has(paper, 1, 2), pairs.has(paper, 5, 2), pairs.has(person, 1, 2)]).toEqual([false, true, true]);
});

test('what was published longest ago makes room', () => {
  const pairs = createKnownPairs();
  for (let published = 0; published <= 5_000; published++) pairs.add(paper, 0, published);
  expect([pairs.has(paper, 0, 0), pairs.has(paper, 0, 1)]).toEqual([false, true]);
});
