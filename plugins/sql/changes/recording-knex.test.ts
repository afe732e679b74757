import { createNotes, type Notes } from './notes';
import { recordingClient } from './recording-knex';
import type { SharedChanges } from './shared-changes';

/** A client of knex on which words fail, what is sent over it, and how what it told is said to have ended. */
function clientFailingAt(...words: readonly string[]) {
  const sent: string[] = [];
  const ends: string[] = [];
  const send = async (sql: string): Promise<void> => {
    sent.push(sql);
    const word = words.find((each) => sql.startsWith(each));
    if (word) throw new Error(`${word} failed`);
  };
  class Base {
    async _query(_raw: object, { sql }: { sql: string }): Promise<unknown> {
      return send(sql);
    }
    async _stream(_raw: object, { sql }: { sql: string }): Promise<unknown> {
      return send(sql);
    }
  }
  const entry = {
    tell: () => send('tell'),
    committed: () => void ends.push('committed'),
    undone: () => void ends.push('undone'),
  };
  const changes = {
    isWanted: true,
    notes: () => createNotes({ dependents: () => [], doesMore: false }),
    entry: ({ tables }: Notes) => (tables.size > 0 ? entry : undefined),
  } as unknown as SharedChanges;
  const Client = recordingClient(Base, {
    changes: () => changes,
    writingOn: () => ({ run: async () => ({ changes: 1, firstId: 1 }) }),
    plain: (_raw, sql) => send(sql),
    broke: () => void ends.push('broke'),
  });
  const client = new (Client as unknown as typeof Base)();
  const raw = {};
  return {
    sent,
    ends,
    ask: (sql = 'update things set a = 1') => client._query(raw, { sql }),
    stream: (sql: string) => client._stream(raw, { sql }),
  };
}

test('what is told goes with its statement, and is there once that is committed', async () => {
  const { sent, ends, ask } = clientFailingAt();
  await ask();
  expect([sent, ends]).toEqual([['begin', 'update things set a = 1', 'tell', 'commit'], ['committed']]);
});

test.each(['begin', 'BEGIN;', 'start transaction', 'begin isolation level serializable'])(
  '%s begins a transaction',
  async (sql) => {
    const { sent, ask } = clientFailingAt();
    for (const each of [sql, 'delete from things', 'commit']) await ask(each);
    expect(sent).toEqual([sql, 'delete from things', 'tell', 'commit']);
  },
);

test('comments before a word change nothing of it', async () => {
  const { sent, ends, ask } = clientFailingAt();
  const commit = '-- done *\n /* by * job 7 */commit';
  for (const each of ['/* job 7 */ begin', 'delete from things', commit]) await ask(each);
  expect([sent, ends]).toEqual([['/* job 7 */ begin', 'delete from things', 'tell', commit], ['committed']]);
});

const byItself = [
  'begin not atomic delete from things; end',
  'begin; delete from things; commit',
  'call mend()',
  'do $$ begin delete from things; commit; end $$',
  "execute immediate 'delete from things'",
  'set statement max_statement_time=1 for delete from things',
];

test.each(byItself)('"%s" is told of behind it, and begins nothing for what comes next', async (sql) => {
  const { sent, ends, ask } = clientFailingAt();
  await ask(sql);
  await ask();
  expect(sent).toEqual([sql, 'tell', 'begin', 'update things set a = 1', 'tell', 'commit']);
  expect(ends).toEqual(['committed', 'committed']);
});

test('what fails by itself may have changed something, and is told of', async () => {
  const { sent, ask } = clientFailingAt('call');
  await expect(ask('call mend()')).rejects.toThrow('call failed');
  expect(sent).toEqual(['call mend()', 'tell']);
});

test('what a stream writes is told of, in its transaction or by itself', async () => {
  const { sent, ask, stream } = clientFailingAt();
  await stream('select 1');
  await stream('delete from things');
  await ask('begin');
  await stream('delete from things');
  await ask('commit');
  const alone = ['select 1', 'delete from things', 'tell'];
  expect(sent).toEqual([...alone, 'begin', 'delete from things', 'tell', 'commit']);
});

test.each(['commit and chain', 'rollback work and chain'])('"%s" begins another transaction', async (sql) => {
  const { sent, ask } = clientFailingAt();
  for (const each of ['begin', sql, 'delete from things', 'rollback', 'delete from things']) await ask(each);
  expect(sent.slice(-6)).toEqual(['delete from things', 'rollback', 'begin', 'delete from things', 'tell', 'commit']);
});

test.each(['update', 'tell'])('where "%s" fails, all of it is undone', async (word) => {
  const { sent, ends, ask } = clientFailingAt(word);
  await expect(ask()).rejects.toThrow(`${word} failed`);
  expect([sent.at(-1), ends]).toEqual(['rollback', ['undone']]);
});

test('where a commit fails, nobody knows: what was told counts neither as there nor as undone', async () => {
  const { sent, ends, ask } = clientFailingAt('commit');
  await expect(ask()).rejects.toThrow('commit failed');
  expect([sent.at(-1), ends]).toEqual(['rollback', []]);
});

test('a connection that can not be rolled back is broken', async () => {
  const { ends, ask } = clientFailingAt('update', 'rollback');
  await expect(ask()).rejects.toThrow('update failed');
  expect(ends).toEqual(['broke']);
});

describe('a transaction that the server may end before its end', () => {
  const insert = 'insert into others (id) values (1)';
  const endings = [
    'create table others (id int)',
    'create index a on things (a)',
    '/* by job 7 */ drop table others',
    '# by job 7\ncommit',
    '/*!50000 commit */',
    '/* a /* b */ */ commit',
    'begin',
    'start transaction read only',
    "execute immediate 'commit'",
    'call mend()',
    'select 1; commit',
  ];

  test.each(endings)('is told of around "%s", and so is each write that follows, whatever it comes to', async (sql) => {
    const { sent, ends, ask } = clientFailingAt();
    for (const each of ['begin', 'delete from things', sql, insert, 'savepoint a', 'select 1', 'rollback'])
      await ask(each);
    // Of another beginning nothing more is to be told.
    const around = /^(begin|start)/.test(sql) ? ['tell', sql] : ['tell', sql, 'tell'];
    expect(sent).toEqual([
      ...['begin', 'delete from things', ...around, insert, 'tell', 'savepoint a', 'select 1'],
      ...['rollback', 'tell'],
    ]);
    // Of what was told before the end, nobody knows whether it stays.
    expect(ends).toEqual(['committed']);
  });

  test('gives back what it told with as soon as it is known that all of it stays', async () => {
    const { ends, ask } = clientFailingAt();
    for (const each of ['begin', 'delete from things', 'create table others (id int)', insert]) await ask(each);
    expect(ends).toEqual([]);
    await ask('commit');
    expect(ends).toEqual(Array.from({ length: 4 }, () => 'committed'));
  });

  test('is told of behind its end where that fails', async () => {
    const { sent, ask } = clientFailingAt('create');
    for (const each of ['begin', 'delete from things']) await ask(each);
    await expect(ask(endings[0])).rejects.toThrow('create failed');
    await ask('rollback');
    expect(sent).toEqual(['begin', 'delete from things', 'tell', endings[0], 'rollback', 'tell']);
  });

  test.each([
    'select 1',
    insert,
    'savepoint a',
    'rollback to savepoint a',
    'release savepoint a',
    'lock table things in exclusive mode',
    'set local lock_timeout = 100',
    'create temporary table some (id int)',
    'with a as (select 1) delete from things',
  ])('is not at "%s"', async (sql) => {
    const { sent, ask } = clientFailingAt();
    for (const each of ['begin', 'delete from things', sql, 'rollback']) await ask(each);
    expect(sent).toEqual(['begin', 'delete from things', sql, 'rollback']);
  });
});

test('what is rolled back elsewhere is not told', async () => {
  const { sent, ends, ask } = clientFailingAt();
  for (const each of ['begin', 'delete from things', 'rollback']) await ask(each);
  expect([sent, ends]).toEqual([['begin', 'delete from things', 'rollback'], []]);
});
