import { array, assert, property, record, string } from 'fast-check';
import { behindPlace, nextText } from '../../../dialects/apart';
import { gapAt } from './gaps';
import { filledByPlaces } from './gaps-joined';

/** Texts as a database joins them, each behind the place of the row that it belongs to. */
const joined = (...texts: readonly (readonly [place: number, text: string])[]): string | null =>
  texts.length === 0 ? null : texts.map(([place, text]) => `${place}${behindPlace}${text}`).join(nextText);

const list = { many: true, missing: 'null' };
const one = { many: false, missing: 'null' };

const documentsOf = (...filled: Parameters<typeof filledByPlaces>): unknown[] =>
  filledByPlaces(...filled).map(([text]) => JSON.parse(text as string));

test('a list has what belongs to its row, in order, and is empty where nothing does', () => {
  const rows = [
    [0, joined([1, `{"tags":${gapAt(1)}}`], [2, `{"tags":${gapAt(1)}}`], [3, `{"tags":${gapAt(1)}}`]), null],
    [1, joined([1, '"a"'], [1, '"b"'], [3, '"c"']), null],
  ];
  expect(documentsOf(rows, [list])).toEqual([{ tags: ['a', 'b'] }, { tags: [] }, { tags: ['c'] }]);
});

test('of what only one may be of, the first is shown, or what stands for none', () => {
  const rows = [
    [0, joined([1, gapAt(1)], [2, gapAt(1)], [3, gapAt(1)]), null],
    [1, joined([1, '"a"'], [1, '"b"'], [3, '"c"']), null],
  ];
  expect(documentsOf(rows, [{ many: false, missing: '{}' }])).toEqual(['a', {}, 'c']);
});

test('what belongs to a row that is not shown is shown nowhere', () => {
  const rows = [
    [0, joined([1, gapAt(1)], [2, gapAt(1)]), null],
    [1, joined([1, `["a",${gapAt(2)}]`], [1, `["b",${gapAt(2)}]`], [2, `["c",${gapAt(2)}]`]), null],
    [2, joined([1, '1'], [2, '2'], [2, '3'], [3, '4']), null],
  ];
  expect(documentsOf(rows, [one, list])).toEqual([
    ['a', [1]],
    ['c', [4]],
  ]);
});

test('a tie that leads to nothing that is shown is left out, where one of several may be shown as well', () => {
  const rows = [
    [0, joined([1, `[${gapAt(1)},${gapAt(2)}]`]), null],
    [1, joined([1, ''], [1, '"a"'], [1, '']), null],
    [2, joined([1, '']), null],
  ];
  expect(documentsOf(rows, [list, one])).toEqual([[['a'], null]]);
});

test('rows come in any order, each document with what is told of all of them', () => {
  const rows = [
    [1, joined([2, '1']), null],
    [0, joined([1, gapAt(1)], [2, gapAt(1)]), 'version'],
  ];
  expect(filledByPlaces(rows, [list])).toEqual([
    ['[]', 'version'],
    ['[1]', 'version'],
  ]);
});

test('a page without documents has none', () => {
  expect(
    filledByPlaces(
      [
        [0, null, 'version'],
        [1, null, null],
      ],
      [list],
    ),
  ).toEqual([]);
});

test('whatever is in whatever comes together again', () => {
  const name = string();
  const parts = array(record({ name, tags: array(name) }));
  const documents = array(record({ name, parts, lead: array(name, { maxLength: 2 }) }));
  assert(
    property(documents, (pages) => {
      const text = JSON.stringify;
      const placed = pages.flatMap(({ parts: each }, at) => each.map((part) => ({ place: at + 1, part })));
      const rows = [
        [2, joined(...pages.flatMap(({ lead }, at) => lead.map((each) => [at + 1, text(each)] as const))), null],
        [3, joined(...placed.flatMap(({ part }, at) => part.tags.map((tag) => [at + 1, text(tag)] as const))), null],
        [
          1,
          joined(
            ...placed.map(({ place, part }) => [place, `{"name":${text(part.name)},"tags":${gapAt(3)}}`] as const),
          ),
          null,
        ],
        [
          0,
          joined(
            ...pages.map(
              (page, at) => [at + 1, `{"name":${text(page.name)},"parts":${gapAt(1)},"lead":${gapAt(2)}}`] as const,
            ),
          ),
          null,
        ],
      ];
      expect(documentsOf(rows, [list, one, list])).toEqual(
        pages.map((page) => ({ ...page, lead: page.lead[0] ?? null })),
      );
    }),
  );
});
