import { kindOf, mayForbidTelling } from './statement-kinds';

const leaving = /^(?:select|rollback to)\b/;

test.each([
  ['begin', 'begins'],
  ['BEGIN;', 'begins'],
  ['start transaction read only', 'begins'],
  ['/* job 7 */ begin isolation level serializable', 'begins'],
  ['begin not atomic delete from things', 'unsure'],
  ['commit', 'keeps'],
  ['-- done *\n /* by * job 7 */ COMMIT WORK ;', 'keeps'],
  ['# done\nend transaction', 'keeps'],
  ['commit and chain', 'unsure'],
  ["commit prepared 'a'", 'unsure'],
  ['commit; -- done', 'unsure'],
  ['rollback', 'undoes'],
  ['abort', 'undoes'],
  ['rollback to one', 'leaves'],
  ['rollback and chain', 'unsure'],
  ['select 1', 'leaves'],
  ['select 1; commit', 'unsure'],
  ['/*!50000 commit */', 'unsure'],
  ['/*M! commit */', 'unsure'],
  ['/* a /* b */ select */ commit', 'unsure'],
  ['call mend()', 'unsure'],
])('"%s" %s', (sql, kind) => {
  expect(kindOf(sql, leaving)).toBe(kind);
});

test.each([
  ['begin read only', true],
  ['/* job 7 */ start transaction READ  ONLY', true],
  ['set transaction_read_only = on', true],
  ['select 1; set transaction read only', true],
  ['set session characteristics as transaction read only', true],
  ['set local role limited', true],
  ['set local search_path to other', true],
  ["select set_config('transaction_read_only', 'on', true)", true],
  ["set local lock_timeout = '1s'", false],
  ['begin', false],
  ["select 'begin read only'", false],
])('whether "%s" may forbid telling: %s', (sql, may) => {
  expect(mayForbidTelling(sql)).toBe(may);
});
