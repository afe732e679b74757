import { cascade, idColumn, setNull } from '../layout/columns';
import type { ForeignKey, Table } from '../layout/layout';
import { linksOf } from './links';
import { isUnforeseen } from './unforeseen';

const table = (name: string, ...foreignKeys: ForeignKey[]): Table => ({
  name,
  columns: [idColumn],
  indexes: [],
  foreignKeys,
});

const { dependents } = linksOf({
  tables: [
    table('authors'),
    table('tags', cascade('k', 'parent_id', 'tags')),
    table('articles', setNull('k', 'author_id', 'authors')),
    table('comments', cascade('k', 'article_id', 'articles')),
  ],
});

const key = (table: string, own: string, goes: unknown = 1, changes: unknown = 0): unknown[] => [
  null,
  table,
  own,
  goes,
  changes,
];
const known = [key('authors', 'articles', 0), key('articles', 'comments'), key('tags', 'tags')];

test('keys of the layout are foreseen, and those of tables that no answer is made of', () => {
  expect(isUnforeseen(known, dependents)).toBe(false);
  expect(
    isUnforeseen(
      [
        ...known,
        key('authors', 'visits'),
        key('old', 'old_lnk', 1, 1),
        key('authors', 'shops', 0),
        key('shops', 'tags'),
      ],
      dependents,
    ),
  ).toBe(false);
});

test.each([
  ['another key', [key('tags', 'authors')]],
  ['one spelt otherwise', [key('Tags', 'AUTHORS')]],
  ['one further on', [key('tags', 'visits'), key('visits', 'authors')]],
  ["what goes with a layout's key", [key('authors', 'visits'), key('visits', 'comments')]],
  ['a key that follows changes', [key('authors', 'articles', 0, 1)]],
  ['the same, as PostgreSQL says it', [key('authors', 'visits', true, true)]],
  ['one that takes along what others leave', [key('authors', 'articles')]],
  ['a trigger', [['audit', null, null, 0, 0]]],
])('%s is not', (_, rows) => {
  expect(isUnforeseen([...known, ...rows], dependents)).toBe(true);
});

test('triggers that keep texts of rows are foreseen', () => {
  expect(isUnforeseen([['h_tags_rendered_u', null, null, 0, 0]], dependents)).toBe(false);
});
