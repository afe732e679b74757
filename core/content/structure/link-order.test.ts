import fc from 'fast-check';
import { changedOne, changedOrder, type OrderChange, type PlacedRows } from './link-order';

const row = fc.integer({ min: 1, max: 12 });
const rows = fc.uniqueArray(row, { maxLength: 8 });

const position = fc.oneof(
  fc.constant({ at: 'end' as const }),
  fc.constant({ at: 'start' as const }),
  fc.record({ at: fc.constantFrom('before' as const, 'after' as const), anchor: row.map((anchor) => [anchor]) }),
);
const connect = fc
  .uniqueArray(fc.record({ row, position }), { selector: (placed) => placed.row, maxLength: 6 })
  .map((placed) => placed.map((each): PlacedRows => ({ rows: [each.row], position: each.position })));
const change = fc.record({ connect, disconnect: rows.map((list) => list.map((each) => [each])) });

const end = { at: 'end' } as const;
const links = (...ids: number[]) => ids.map((id) => [id]);

function attempt(current: readonly number[], wanted: OrderChange): number[] | undefined {
  try {
    return changedOrder(current, wanted);
  } catch {
    return undefined;
  }
}

test('the list holds what was there less what was disconnected, and all that was connected, once each', () => {
  fc.assert(
    fc.property(rows, change, (current, wanted) => {
      const list = attempt(current, wanted);
      if (!list) return;
      const connected = wanted.connect.flatMap((each) => each.rows);
      const gone = new Set(wanted.disconnect.flat());
      const expected = new Set([...current.filter((id) => !gone.has(id)), ...connected]);
      expect([...list].sort()).toEqual([...expected].sort());
      expect(new Set(list).size).toBe(list.length);
    }),
  );
});

test('what is not connected keeps its order', () => {
  fc.assert(
    fc.property(rows, change, (current, wanted) => {
      const list = attempt(current, wanted);
      const moved = new Set(wanted.connect.flatMap((each) => each.rows));
      const staying = current.filter((id) => !moved.has(id) && list?.includes(id));
      if (list) expect(list.filter((id) => !moved.has(id))).toEqual(staying);
    }),
  );
});

test('the one that comes last stands beside its anchor', () => {
  fc.assert(
    fc.property(rows, row, row, fc.constantFrom('before' as const, 'after' as const), (current, id, anchor, at) => {
      const list = attempt(current, { connect: [{ rows: [id], position: { at, anchor: [anchor] } }], disconnect: [] });
      expect(list === undefined).toBe(id === anchor || !current.includes(anchor));
      if (list) expect(list.indexOf(id) - list.indexOf(anchor)).toBe(at === 'before' ? -1 : 1);
    }),
  );
});

test('an anchor may be connected further on in the list', () => {
  const connectAll = (...placed: PlacedRows[]) => changedOrder([1, 2], { connect: placed, disconnect: [] });
  expect(connectAll({ rows: [3], position: { at: 'before', anchor: [4] } }, { rows: [4], position: end })).toEqual([
    1, 2, 3, 4,
  ]);
  expect(
    connectAll(
      { rows: [5], position: { at: 'after', anchor: [4] } },
      { rows: [4], position: { at: 'after', anchor: [3] } },
      { rows: [3], position: { at: 'start' } },
    ),
  ).toEqual([3, 4, 5, 1, 2]);
});

test('an anchor that is linked already counts where it stands, though it is connected elsewhere further on', () => {
  const placed = (row: number, position: PlacedRows['position']): PlacedRows => ({ rows: [row], position });
  const order = (current: number[], ...connect: PlacedRows[]) => changedOrder(current, { connect, disconnect: [] });
  const anchored = (at: 'before' | 'after', row: number) => ({ at, anchor: [row] });
  expect(order([1, 2, 3], placed(4, anchored('before', 2)), placed(2, { at: 'start' }))).toEqual([2, 1, 4, 3]);
  expect(order([1, 2, 0], placed(0, anchored('before', 1)), placed(1, { at: 'end' }))).toEqual([0, 2, 1]);
  expect(order([1, 2], placed(1, anchored('before', 2)), placed(2, anchored('before', 1)))).toEqual([2, 1]);
});

test('a thousand anchors in a chain', () => {
  const placed = Array.from(
    { length: 1000 },
    (_, index): PlacedRows => ({
      rows: [index],
      position: index === 999 ? end : { at: 'before', anchor: [index + 1] },
    }),
  );
  expect(changedOrder([], { connect: placed, disconnect: [] })).toEqual(
    Array.from({ length: 1000 }, (_, index) => index),
  );
});

test('anchors in a circle, anchors that are not connected and repetitions are refused', () => {
  const before = (id: number, anchor: number): PlacedRows => ({
    rows: [id],
    position: { at: 'before', anchor: [anchor] },
  });
  expect(() => changedOrder([1], { connect: [before(2, 3), before(3, 2)], disconnect: [] })).toThrow(/circular/);
  expect(() => changedOrder([1], { connect: [before(1, 1)], disconnect: [] })).toThrow(/circular/);
  expect(() => changedOrder([1], { connect: [before(2, 3)], disconnect: [] })).toThrow(
    /id 3 needs to be connected first/,
  );
  expect(changedOrder([1, 3], { connect: [before(2, 3)], disconnect: [[3]] })).toEqual([1, 2]);
  expect(() =>
    changedOrder([], {
      connect: [
        { rows: [1], position: end },
        { rows: [1], position: end },
      ],
      disconnect: [],
    }),
  ).toThrow(/twice/);
});

test('the rows of one document stay together', () => {
  expect(
    changedOrder([1, 2, 3], { connect: [{ rows: [7, 8], position: { at: 'after', anchor: [1, 2] } }], disconnect: [] }),
  ).toEqual([1, 2, 7, 8, 3]);
  expect(changedOrder([1, 2, 3], { set: [[3, 2], [1]] })).toEqual([3, 2, 1]);
});

test('a to-one link keeps the last that is connected', () => {
  expect(
    changedOne([1], {
      connect: [
        { rows: [2], position: end },
        { rows: [3], position: end },
      ],
      disconnect: links(1),
    }),
  ).toEqual([3]);
  expect(changedOne([1], { connect: [], disconnect: links(2) })).toEqual([1]);
  expect(changedOne([1], { connect: [], disconnect: links(1) })).toEqual([]);
  expect(changedOne([1], { set: links(2, 3) })).toEqual([3]);
});
