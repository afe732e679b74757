import type { ContentType, Nested, Tie } from '../../core';
import type { Inbound } from './inbound';
import { areShown, type LinkingPairs } from './shown-links';

const about: Inbound = { source: { uid: 'part.card' } as ContentType, nested: { name: 'about' } as Nested };

const [draft, published] = [1, 2];
const tie = (owner: number, target: number): Tie => ({ owner, target, uid: 'api::paper.paper' });

interface Found {
  /** Cards that were found to link the draft, with their counterparts. */
  readonly pairs: readonly (readonly [owner: number, pair: number])[];
  /** Cards that link it now; those, unless given. */
  readonly linking?: readonly number[];
  /** Cards that link the published version now. */
  readonly showing?: readonly number[];
}

function shown({ pairs, linking = pairs.map(([owner]) => owner), showing = [] }: Found): boolean {
  const known: LinkingPairs = new Map([[about, new Map(pairs)]]);
  const ties = [...linking.map((owner) => tie(owner, draft)), ...showing.map((owner) => tie(owner, published))];
  return areShown(new Map([[about, ties]]), known, { draft, published });
}

test('a link is shown where the counterpart of what has it links the published version', () => {
  expect(shown({ pairs: [[10, 20]], showing: [20] })).toBe(true);
  expect(shown({ pairs: [[10, 20]], showing: [21] })).toBe(false);
  expect(shown({ pairs: [[10, 20]] })).toBe(false);
});

test('all links have to be', () => {
  const pairs = [
    [10, 20],
    [11, 21],
  ] as const;
  expect(shown({ pairs, showing: [20, 21] })).toBe(true);
  expect(shown({ pairs, showing: [20] })).toBe(false);
});

test('what has one version only has to link both', () => {
  expect(shown({ pairs: [[10, 10]], showing: [10] })).toBe(true);
  expect(shown({ pairs: [[10, 10]] })).toBe(false);
});

test('what had no counterpart may have one by now, and so may what came later', () => {
  expect(shown({ pairs: [], linking: [10] })).toBe(false);
  expect(shown({ pairs: [[10, 20]], linking: [10, 11], showing: [20] })).toBe(false);
});

test('what is linked no longer counts no more', () => {
  expect(shown({ pairs: [[10, 20]], linking: [] })).toBe(true);
});
