import type { ContentType, Nested, RowTree, Tie } from '../../core';
import type { Inbound } from './inbound';
import { areShown, type LinkingPairs } from './shown-links';

const typeOf = (uid: string): ContentType => ({ uid }) as ContentType;
const [paper, card] = [typeOf('api::paper.paper'), typeOf('part.card')];
const about: Inbound = { source: card, nested: { name: 'about' } as Nested };

const [draft, published] = [1, 2];
const tie = (owner: number, target: number): Tie => ({ owner, target, uid: paper.uid });
const treeOf = (cards: readonly number[]): RowTree =>
  [new Map([[card, { rows: new Map(cards.map((id) => [id, { id }])), ties: new Map() }]])] as unknown as RowTree;

interface Found {
  /** Cards that were found to link the draft, with their counterparts. */
  readonly pairs: readonly (readonly [owner: number, pair: number | undefined])[];
  /** Cards that link it now; those, unless given. */
  readonly linking?: readonly number[];
  /** Cards that link the published version now. */
  readonly showing?: readonly number[];
  /** Cards of the draft itself. */
  readonly own?: readonly number[];
}

function shown({ pairs, linking = pairs.map(([owner]) => owner), showing = [], own = [] }: Found): boolean {
  const known: LinkingPairs = new Map([[about, new Map(pairs)]]);
  const ties = [...linking.map((owner) => tie(owner, draft)), ...showing.map((owner) => tie(owner, published))];
  return areShown(new Map([[about, ties]]), known, { draft, published, tree: treeOf(own) });
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

test('where no version is published that has it, nothing is to be shown', () => {
  expect(shown({ pairs: [[10, undefined]] })).toBe(true);
});

test('what came after the pairs were looked up is not known', () => {
  expect(shown({ pairs: [[10, undefined]], linking: [10, 11] })).toBe(false);
});

test('what is linked no longer counts no more', () => {
  expect(shown({ pairs: [[10, 20]], linking: [] })).toBe(true);
});

test('what the document itself holds gets another counterpart', () => {
  expect(shown({ pairs: [[10, undefined]], own: [10] })).toBe(false);
  expect(shown({ pairs: [[10, 20]], showing: [20], own: [10] })).toBe(false);
});
