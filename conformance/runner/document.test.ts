import { statements, uncovered } from './document';

const text = `# Title

## One

A paragraph. Two sentences.

| Head | Meaning |
|---|---|
| a | first |

Rules:

1. Number one; and two.
- A bullet.
`;

test('every table row, item and paragraph is a statement of its section', () => {
  expect(statements(text).map(({ section, line, kind, text }) => [section, line, kind, text])).toEqual([
    ['One', 5, 'paragraph', 'A paragraph. Two sentences.'],
    ['One', 9, 'table row', '| a | first |'],
    ['One', 13, 'item', 'Number one; and two.'],
    ['One', 14, 'item', 'A bullet.'],
  ]);
});

test('what no quote covers is named', () => {
  const [paragraph, , item] = statements(text);
  expect(uncovered(paragraph!, ['A paragraph.'])).toBe('Two sentences');
  expect(uncovered(paragraph!, ['A paragraph.', 'Two sentences.'])).toBe('');
  expect(uncovered(item!, ['Number one', 'two'])).toBe('');
});
