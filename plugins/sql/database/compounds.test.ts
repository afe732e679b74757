import type { Asked } from './batched-line';
import { createCompounds } from './compounds';

const asked = (kind: Asked['kind'], sql: string): Asked => ({ kind, sql, values: [] });

/** What becomes of a batch that comes for the last of so many times. */
function after(times: number, all: readonly Asked[], compoundOf = createCompounds()) {
  let found = compoundOf(all);
  for (let time = 1; time < times; time++) found = compoundOf(all);
  return found;
}

const all = [
  asked('plain', 'start transaction'),
  asked('run', 'insert into a'),
  asked('rows', 'select b'),
  asked('post', 'delete from c'),
  asked('rows', 'select d'),
  asked('run', 'update e'),
];

test('statements that come together again and again become one', () => {
  expect(after(3, all)).toBeUndefined();
  const compound = after(4, all)!;
  expect(compound.sql).toBe(
    'begin not atomic start transaction; ' +
      'insert into a; set @heddle_changes1=row_count(),@heddle_id1=last_insert_id(); ' +
      'select b; delete from c; select d; ' +
      'update e; set @heddle_changes5=row_count(),@heddle_id5=last_insert_id(); ' +
      'select @heddle_changes1,@heddle_id1,@heddle_changes5,@heddle_id5; end',
  );
  expect(compound.answersIn([[['b']], [], [['2', '10', '1', '10']], {}])).toEqual([
    undefined,
    { changes: 2, firstId: 10 },
    [['b']],
    undefined,
    [],
    { changes: 1, firstId: 10 },
  ]);
});

test('those of which nobody needs an answer ask for none', () => {
  const compound = after(4, [asked('post', 'delete from a'), asked('plain', 'commit')])!;
  expect(compound.sql).toBe('begin not atomic delete from a; commit; end');
  expect(compound.answersIn({ affectedRows: 1 })).toEqual([undefined, undefined]);
});

test('one alone stays as it is, and the same texts asked for otherwise are others', () => {
  expect(after(9, [asked('rows', 'select a')])).toBeUndefined();
  const compoundOf = createCompounds();
  after(3, [asked('run', 'insert'), asked('rows', 'select')], compoundOf);
  expect(compoundOf([asked('post', 'insert'), asked('rows', 'select')])).toBeUndefined();
  expect(compoundOf([asked('run', 'insert'), asked('rows', 'select')])).toBeDefined();
});
