import { cascade, idColumn, setNull } from '../layout/columns';
import type { ForeignKey, Table } from '../layout/layout';
import { linksOf } from './links';
import { createNotes } from './notes';

const table = (name: string, ...foreignKeys: ForeignKey[]): Table => ({
  name,
  columns: [idColumn],
  indexes: [],
  foreignKeys,
});

const links = linksOf({
  tables: [
    table('authors'),
    table('articles', setNull('k', 'author_id', 'authors')),
    table('articles_tags_lnk', cascade('k', 'article_id', 'articles'), cascade('k', 'tag_id', 'tags')),
    table('tags', cascade('k', 'parent_id', 'tags'), cascade('k', 'author_id', 'authors')),
    table('comments', setNull('k', 'article_id', 'articles')),
    table('shops'),
    table('staff', setNull('k', 'first_shop_id', 'shops'), cascade('k', 'shop_id', 'shops')),
    table('shifts', cascade('k', 'staff_id', 'staff')),
  ],
});

test('what is deleted changes what points to it, and takes along what goes with it', () => {
  expect(links.dependents('articles')).toEqual(['articles_tags_lnk', 'comments']);
  // The articles stay, so that their comments do not change; the tags go, and with them what links them.
  expect(new Set(links.dependents('authors'))).toEqual(new Set(['articles', 'tags', 'articles_tags_lnk']));
  expect(links.dependents('shops')).toEqual(['staff', 'shifts']);
  expect([links.dependents('comments'), links.dependents('views')]).toEqual([[], undefined]);
  expect([links.isTable('tags'), links.isTable('tag')]).toEqual([true, false]);
});

test('what a statement changes is noted with what goes with it, and anything where there are triggers', () => {
  const noted = (doesMore: boolean, ...statements: string[]): string[] => {
    const notes = createNotes({ dependents: links.dependents, doesMore });
    for (const sql of statements) notes.add(sql);
    return [...notes.tables];
  };
  expect(noted(false, 'select 1', 'update authors set name = ?')).toEqual(['authors']);
  expect(noted(false, 'delete from articles where id = 1')).toEqual(['articles', 'articles_tags_lnk', 'comments']);
  // A view, or a part of a table.
  expect(noted(false, 'insert into "known authors" (name) values (?)')).toEqual(['*']);
  expect(noted(false, 'update heddle_changes set count = 1')).toEqual(['heddle_changes']);
  expect(noted(true, 'select 1')).toEqual([]);
  expect(noted(true, 'update authors set name = ?')).toEqual(['*']);
});
