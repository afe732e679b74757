import type { AddedTie } from './tie-changes';
import { type AddedTies, createNoteNames, givePlaces, listsOf, placesBehind } from './tie-lists';
import type { TieTable } from './tie-table';

// Where ties come to stand in lists of what they lead to, without a database.

const side = (own: string, target: string): TieTable =>
  ({ table: 'links', own, target, order: `${target}_ord`, back: `${own}_ord` }) as TieTable;
const [left, right] = [side('a', 'b'), side('b', 'a')];

const tie = (owner: number, target: number, back?: number): AddedTie => ({
  owner,
  target,
  uid: 'type',
  order: 7,
  back,
  ahead: undefined,
  shownBy: undefined,
});
const adding = (kept: TieTable, ...added: AddedTie[]): AddedTies => ({ kept, added });

const namesOf = createNoteNames();
const openIn = (all: readonly AddedTies[]) => [...listsOf(all)].filter(([, { isOpen }]) => isOpen);

/** The notes of the ends, and how far behind them each tie comes to stand. */
function noted(...all: AddedTies[]): (string | undefined)[] | undefined {
  const places = placesBehind(all, namesOf(openIn(all)));
  return (
    places &&
    all.flatMap(({ added }) => added.map((each) => places.get(each))).map((at) => at && `${at.end} ${at.behind}`)
  );
}

test('ties are counted list by list, whatever else is added', () => {
  const one = () => adding(left, tie(1, 10), tie(1, 11), tie(2, 10));
  expect(noted(one())).toEqual(['end0_0 1', 'end0_1 1', 'end0_0 2']);
  const other = { ...left, table: 'others' };
  expect(noted(adding(other, tie(1, 10)), one())).toEqual(['end1_0 1', 'end0_0 1', 'end0_1 1', 'end0_0 2']);
  expect(noted(one(), adding(left, tie(3, 10)))).toEqual(['end0_0 1', 'end0_1 1', 'end0_0 2', 'end0_0 3']);
});

test('what is given a place in a list may lie behind its end', () => {
  expect(noted(adding(left, tie(1, 10), tie(2, 10, 5)))).toBeUndefined();
  expect(noted(adding(left, tie(2, 10, 5), tie(1, 10)))).toBeUndefined();
  expect(noted(adding(left, tie(1, 10), tie(2, 11, 5)))).toEqual(['end0_0 1', undefined]);
});

test('the other side of a table gives places, too', () => {
  expect(noted(adding(left, tie(1, 10)), adding(right, tie(10, 2)))).toBeUndefined();
  expect(noted(adding(left, tie(1, 10)), adding(right, tie(11, 2)))).toEqual(['end0_0 1', 'end2_0 1']);
});

test('very many are found first', () => {
  const many = (count: number) => noted(adding(left, ...Array.from({ length: count }, (_, at) => tie(at, 10))));
  expect(many(100)!.at(-1)).toBe('end0_0 100');
  expect(many(101)).toBeUndefined();
});

test('places are told as they are counted from a note, with what stands ahead', () => {
  const from = 0.7743507208262296;
  const all = [adding(left, tie(1, 10), tie(2, 10), tie(3, 10), tie(4, 10))];
  givePlaces(all, new Map([['links a_ord 10', { from, behind: 0, last: 9 }]]));
  expect(all[0]!.added.map(({ back }) => back)).toEqual([1, 2, 3, 4].map((behind) => from + behind));
  expect(all[0]!.added.map(({ ahead }) => ahead)).toEqual([9, 1, 2, 3]);
});
