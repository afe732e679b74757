import { array, assert, nat, option, property, record, string, uniqueArray } from 'fast-check';
import { type Gap, gapAt } from './gaps';
import { filledByIds } from './gaps-in-rows';

const list: Gap = { many: true, missing: 'null' };
const one: Gap = { many: false, missing: 'null' };

/** A row of a statement: the gap, the id of what it belongs to and its own, the text, and what it is ordered by. */
const row = (
  gap: number,
  owner: number | null,
  id: number | null,
  text: string,
  first: number | null = 1,
  second = 1,
): unknown[] => [gap, owner, id, Buffer.from(text), first, second];

const note = [null, null, null, Buffer.from(''), null, null];

const plenty = 1_000_000;

const documentsOf = (rows: unknown[][], gaps: readonly Gap[], most = plenty): unknown[] =>
  filledByIds(rows, gaps, most).map(([bytes]) => JSON.parse(String(bytes)));

test('a list has what belongs to its row, in order, and is empty where nothing does', () => {
  const rows = [
    note,
    ...[7, 5, 6].map((id, place) => row(0, null, id, `{"tags":${gapAt(1)}}`, place + 1, 0)),
    row(1, 6, null, '"c"'),
    row(1, 7, null, '"b"', 2, 1),
    row(1, 7, null, '"a"', 1, 3),
    row(1, 7, null, '"ä"', 1, 4),
  ];
  expect(documentsOf(rows, [list])).toEqual([{ tags: ['a', 'ä', 'b'] }, { tags: [] }, { tags: ['c'] }]);
});

test('what has no place comes before what has one', () => {
  const texts = [row(1, 1, null, '2', 0.5, 1), row(1, 1, null, '1', null, 9), row(1, 1, null, '0', null, 8)];
  expect(documentsOf([row(0, null, 1, gapAt(1)), ...texts], [list])).toEqual([[0, 1, 2]]);
});

test('of what only one may be of, the first that is shown is, or what stands for none', () => {
  const rows = [
    ...[1, 2, 3].map((id) => row(0, null, id, gapAt(1), id)),
    [1, 1, null, null, 1, 1],
    row(1, 1, null, '"b"', 2),
    row(1, 1, null, '"c"', 3),
    [1, 2, null, null, 1, 1],
  ];
  expect(documentsOf(rows, [{ many: false, missing: '{}' }])).toEqual(['b', {}, {}]);
});

test('what belongs to a row is shown wherever that row is, and nowhere where it is not', () => {
  const rows = [
    row(0, null, 1, gapAt(1), 1),
    row(0, null, 2, gapAt(1), 2),
    row(1, 1, 8, `["a",${gapAt(2)}]`),
    row(1, 2, 8, `["a",${gapAt(2)}]`),
    row(2, 8, null, '1', 1),
    row(2, 8, null, '2', 2),
    row(2, 9, null, '3'),
  ];
  expect(documentsOf(rows, [one, list])).toEqual([
    ['a', [1, 2]],
    ['a', [1, 2]],
  ]);
});

test('an answer that gets longer than it may be ends', () => {
  const long = `"${'x'.repeat(100)}"`;
  const rows = [
    ...[1, 2, 3].map((id) => row(0, null, id, gapAt(1), id)),
    ...[1, 2, 3].map((owner) => row(1, owner, 8, `[${gapAt(2)}]`)),
    row(2, 8, null, long),
  ];
  const length = JSON.stringify(documentsOf(rows, [one, one])).length;
  expect(length).toBeGreaterThan(300);
  expect(documentsOf(rows, [one, one], length)).toHaveLength(3);
  expect(() => documentsOf(rows, [one, one], 300)).toThrow(
    expect.objectContaining({ name: 'PayloadTooLargeError', message: expect.stringContaining('300') }),
  );
});

test('a page without documents has none', () => {
  expect(filledByIds([], [list], plenty)).toEqual([]);
  expect(filledByIds([note], [list], plenty)).toEqual([]);
});

test('a note that has no text says that there were too many ids', () => {
  const tooLarge = expect.objectContaining({ name: 'PayloadTooLargeError' });
  expect(() => filledByIds([note, [null, null, null, null, null, null]], [list], plenty)).toThrow(tooLarge);
});

test('whatever is in whatever comes together again, in whatever order rows come', () => {
  const part = record({ name: string(), tags: array(string()) });
  const document = record({ name: string(), parts: array(part), lead: option(string()) });
  const pages = uniqueArray(record({ id: nat(), document }), { selector: ({ id }) => id });
  assert(
    property(pages, array(nat()), (page, shuffle) => {
      let ids = 0;
      const text = JSON.stringify;
      const rows = page.flatMap(({ id, document: { name, parts, lead } }, at) => [
        row(0, null, id, `{"name":${text(name)},"parts":${gapAt(1)},"lead":${gapAt(2)}}`, at),
        ...(lead === null ? [] : [row(2, id, null, text(lead))]),
        ...parts.flatMap((each, place) => {
          ids += 1;
          return [
            row(1, id, ids, `{"name":${text(each.name)},"tags":${gapAt(3)}}`, place),
            ...each.tags.map((tag, order) => row(3, ids, null, text(tag), order)),
          ];
        }),
      ]);
      for (const [from, to] of shuffle.entries()) {
        if (rows.length === 0) break;
        rows.splice(to % rows.length, 0, ...rows.splice(from % rows.length, 1));
      }
      expect(documentsOf(rows, [list, one, list])).toEqual(page.map((each) => each.document));
    }),
  );
});
