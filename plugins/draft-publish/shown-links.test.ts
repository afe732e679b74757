import type { ContentType, Nested, RowTree, Tie } from '../../core';
import type { Inbound } from './inbound';
import { areShown, type LinkingPairs } from './shown-links';

const typeOf = (uid: string): ContentType => ({ uid }) as ContentType;
const [paper, card] = [typeOf('api::paper.paper'), typeOf('part.card')];
const about: Inbound = { source: card, nested: { name: 'about' } as Nested };

const [draft, former, published] = [1, 2, 3];
const tie = (owner: number, target: number): Tie => ({ owner, target, uid: paper.uid });
const treeOf = (...cards: number[]): RowTree =>
  [new Map([[card, { rows: new Map(cards.map((id) => [id, { id }])), ties: new Map() }]])] as unknown as RowTree;

/** Cards that link the draft, with their counterparts, and cards that link the version which is published or gives way. */
const shown = (
  pairs: readonly (readonly [owner: number, pair: number | undefined])[],
  showing: readonly Tie[],
  { linking = pairs.map(([owner]) => owner), own = [], leaving = [] }: Partial<Record<string, number[]>> = {},
): boolean => {
  const known: LinkingPairs = new Map([[about, new Map(pairs)]]);
  const links = new Map([[about, [...linking.map((owner) => tie(owner, draft)), ...showing]]]);
  const removal = { levels: [new Map([[card, leaving]])], loose: [] };
  return areShown(links, known, { draft, tree: treeOf(...own), replaced: [published, former], leaving: removal });
};

test('a link is shown where the counterpart of what has it links the version that gives way, or the new one', () => {
  expect(shown([[10, 20]], [tie(20, former)])).toBe(true);
  expect(shown([[10, 20]], [tie(20, published)])).toBe(true);
  expect(shown([[10, 20]], [tie(21, former)])).toBe(false);
  expect(shown([[10, 20]], [])).toBe(false);
});

test('all links have to be', () => {
  const pairs = [
    [10, 20],
    [11, 21],
  ] as const;
  expect(shown(pairs, [tie(20, former), tie(21, former)])).toBe(true);
  expect(shown(pairs, [tie(20, former)])).toBe(false);
});

test('where no version is published that has it, nothing is to be shown', () => {
  expect(shown([[10, undefined]], [])).toBe(true);
});

test('what came after the pairs were looked up is not known', () => {
  expect(shown([[10, undefined]], [], { linking: [10, 11] })).toBe(false);
});

test('what the document itself holds gets another counterpart', () => {
  expect(shown([[10, undefined]], [], { own: [10] })).toBe(false);
  expect(shown([[10, 20]], [tie(20, former)], { own: [10] })).toBe(false);
});

test('what goes with the version that gives way shows nothing', () => {
  expect(shown([[10, 20]], [tie(20, former)], { leaving: [20] })).toBe(false);
});
