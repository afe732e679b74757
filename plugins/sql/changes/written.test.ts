import { writtenBy } from './written';

const changes = (table: string) => ({ table, deletes: false });
const deletes = (table: string) => ({ table, deletes: true });

test.each([
  ['insert into "articles" ("title") values (?)', changes('articles')],
  ['insert into articles default values', changes('articles')],
  ['insert into `articles` () values ()', changes('articles')],
  ['INSERT OR IGNORE INTO "Articles"("a") SELECT 1 FROM "tags"', changes('articles')],
  ['insert ignore into tags (a) values (1)', changes('tags')],
  ['replace into tags (a) values (1)', deletes('tags')],
  ['insert or replace into "tags" (a) values (1)', deletes('tags')],
  ['update or replace tags set a = 1', deletes('tags')],
  ['insert into "public"."tags" ("a") values ($1)', changes('tags')],
  ['update "articles" set "title"=? where "id" in (select "id" from "tags")', changes('articles')],
  ['update articles set title = ?', changes('articles')],
  ['delete from "articles" where "id"=?', deletes('articles')],
  ['delete from articles', deletes('articles')],
  ['delete from `articles` ;', deletes('articles')],
  ['insert into "my tags" ("a") values (?)', changes('my tags')],
  ['insert into "public"."my.tags" ("a") values (?)', changes('my.tags')],
  ['update `my-tags` set a = 1', changes('my-tags')],
  ['update "a (b" set "set" = 1', changes('a (b')],
  ['update "5"" disks" set a = 1', changes('5" disks')],
  ['delete from `author``s` where id = 1', deletes('author`s')],
  [`delete from "author's"`, deletes("author's")],
])('%s changes one table', (sql, written) => {
  expect(writtenBy(sql)).toEqual(written);
});

test.each([
  'select * from "articles" for update',
  'begin immediate',
  'BEGIN;',
  'commit',
  'end',
  'abort',
  'rollback to one',
  'savepoint one',
  'release one',
  "set time zone 'UTC'",
  'pragma data_version',
  'explain delete from articles',
  'vacuum (analyze) articles',
  'create unique index concurrently one on articles (title)',
  'DROP INDEX CONCURRENTLY one',
  'reindex table concurrently articles',
  'create database other',
  'drop database other',
  'drop tablespace other',
  'analyze table articles',
  "alter system set work_mem = '8MB'",
])('%s changes nothing', (sql) => {
  expect(writtenBy(sql)).toBeUndefined();
});

test.each([
  'with x as (delete from "articles" returning *) insert into "tags" select * from x',
  'update a join b on a.id = b.id set b.x = 1',
  'update a, b set a.x = 1, b.x = 1',
  'delete a from a join b on a.id = b.id',
  'delete from a using b where a.id = b.id',
  'truncate articles',
  'alter table articles add x int',
  'create table indexes as select 1',
  'call something()',
  'explain analyze delete from articles',
  'analyze update articles set a = 5',
  'set statement max_statement_time = 1 for update articles set a = 5',
  'ANALYZE FORMAT=JSON delete from articles',
  'explain (analyze, buffers) delete from articles',
  'select 1; delete from articles',
  'insert into public . tags (a) values (1)',
  'insert into "public" ."tags" (a) values (1)',
  'insert into public /**/ . tags (a) values (1)',
  'replace into db\n.tags values (1)',
  'insert into "a"."b"."tags" (a) values (1)',
  'insert into my tags (a) values (1)',
])('%s may change anything', (sql) => {
  expect(writtenBy(sql)).toBe('anything');
});

test('a long text is looked at quickly', () => {
  const begun = performance.now();
  for (const blank of [' ', '\n', '"', '`', '.', 'a'])
    for (const words of ['delete from t', 'insert into t', 'update t']) writtenBy(`${words}${blank.repeat(100_000)}x`);
  expect(performance.now() - begun).toBeLessThan(2_000);
});
