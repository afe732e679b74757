import type { ContentType } from '../../core';
import { createKnownPairs } from './known-pairs';

const [paper, person] = ['paper', 'person'].map((uid) => ({ uid }) as ContentType) as [ContentType, ContentType];

test('what was published is known, of its type and with its latest version', () => {
  const pairs = createKnownPairs();
  pairs.add(paper, 1, 2);
  expect([pairs.has(paper, 1, 2), pairs.has(person, 1, 2), pairs.has(paper, 2, 1)]).toEqual([true, false, false]);
  pairs.add(paper, 1, 3);
  expect([pairs.has(paper, 1, 2), pairs.has(paper, 1, 3)]).toEqual([false, true]);
});

test('of rows that are new nothing is known', () => {
  const pairs = createKnownPairs();
  for (const type of [paper, person]) for (const draft of [1, 5]) pairs.add(type, draft, draft + 1);
  pairs.forget(paper, [1, 2]);
  expect([pairs.has(paper, 1, 2), pairs.has(paper, 5, 6), pairs.has(person, 1, 2)]).toEqual([false, true, true]);
});

test('what was published longest ago makes room', () => {
  const pairs = createKnownPairs();
  for (let draft = 0; draft <= 5_000; draft++) pairs.add(paper, draft, 0);
  expect([pairs.has(paper, 0, 0), pairs.has(paper, 1, 0)]).toEqual([false, true]);
});
