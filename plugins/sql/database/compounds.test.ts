import type { Asked } from './batched-line';
import { createCompounds } from './compounds';

const asked = (kind: Asked['kind'], sql: string): Asked => ({ kind, sql, values: [] });

/** What becomes of a batch that comes for the last of so many times. */
function after(times: number, all: readonly Asked[], compounds = createCompounds()) {
  let found = compounds.of(all);
  for (let time = 1; time < times; time++) found = compounds.of(all);
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
      'update e; set @heddle_changes5=row_count(); ' +
      'select @heddle_changes1,@heddle_id1,@heddle_changes5,0; end',
  );
  expect(compound.answersIn([[['b']], [], [['2', '10', '1', 0]], {}])).toEqual([
    undefined,
    { changes: 2, firstId: 10 },
    [['b']],
    undefined,
    [],
    { changes: 1, firstId: 0 },
  ]);
});

test('those of which nobody needs an answer ask for none', () => {
  const compound = after(4, [asked('post', 'delete from a'), asked('plain', 'commit')])!;
  expect(compound.sql).toBe('begin not atomic delete from a; commit; end');
  expect(compound.answersIn({ affectedRows: 1 })).toEqual([undefined, undefined]);
});

test('one alone stays as it is, and the same texts asked for otherwise are others', () => {
  expect(after(9, [asked('rows', 'select a')])).toBeUndefined();
  const compounds = createCompounds();
  after(3, [asked('run', 'insert'), asked('rows', 'select')], compounds);
  expect(compounds.of([asked('post', 'insert'), asked('rows', 'select')])).toBeUndefined();
  expect(compounds.of([asked('run', 'insert'), asked('rows', 'select')])).toBeDefined();
});

test('an answer that is not what was asked for is given to nobody', () => {
  const compound = after(4, all)!;
  for (const other of [[[['b']], [['2', '10', '1', 0]], {}], [[], [], [], [], {}], { affectedRows: 1 }])
    expect(() => compound.answersIn(other)).toThrow('otherwise than was asked');
});

test.each([
  ['changes asked for as rows', asked('rows', 'insert into a')],
  ['rows asked for as changes', asked('run', 'select a')],
  ['rows that nobody wants', asked('post', 'select a for update')],
  ['a change that answers rows', asked('post', 'delete from a returning id')],
  ['an end of its own', asked('post', 'delete from a;')],
  ['a comment', asked('rows', 'select a -- of b')],
  ['another comment', asked('rows', 'select a # of b')],
  ['very much text', asked('rows', `select ${'a,'.repeat(8_000)}b`)],
])('a batch with %s stays as it is', (_, one) => {
  expect(after(9, [one, asked('rows', 'select b')])).toBeUndefined();
});

test('nor does one of very much text in all become one', () => {
  const texts = Array.from({ length: 4 }, (_, at) => asked('rows', `select ${at}${',a'.repeat(7_000)}`));
  expect(after(4, texts.slice(0, 3))).toBeDefined();
  expect(after(9, texts)).toBeUndefined();
});

test('one that is refused is not made again', () => {
  const compounds = createCompounds();
  expect(after(4, all, compounds)).toBeDefined();
  compounds.refuse(all);
  expect(after(9, all, compounds)).toBeUndefined();
});
