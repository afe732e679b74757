import { PassThrough } from 'node:stream';
import { createNotes, type Notes } from './notes';
import { first, recordingClient } from './recording-knex';
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
    async _stream(_raw: object, { sql }: { sql: string }, _to: PassThrough): Promise<unknown> {
      return send(`${sql}, streamed`);
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
    stayingOpen: first('(?:select|insert|update|delete|with|savepoint|release|rollback|set)\\b'),
    broke: () => void ends.push('broke'),
  });
  const client = new (Client as unknown as typeof Base)();
  const raw = {};
  return {
    sent,
    ends,
    ask: (sql = 'update things set a = 1') => client._query(raw, { sql }),
    stream: (sql: string) => client._stream(raw, { sql }, new PassThrough({ objectMode: true }).resume()),
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
  'commit; delete from things',
];

test.each(byItself)('"%s" is told of behind it, and begins nothing for what comes next', async (sql) => {
  const { sent, ends, ask } = clientFailingAt();
  await ask(sql);
  await ask();
  expect(sent).toEqual([sql, 'tell', 'begin', 'update things set a = 1', 'tell', 'commit']);
  expect(ends).toEqual(['committed', 'committed']);
});

test('a transaction for reading alone tells nothing, for it could not', async () => {
  const { sent, ask } = clientFailingAt('tell');
  const all = ['start transaction read only', 'declare c cursor for select 1', 'select 1', 'commit'];
  for (const each of all) await ask(each);
  expect(sent).toEqual(all);
});

test('a connection on which it can not be told what failed is broken, and the failure is told', async () => {
  const { ends, ask } = clientFailingAt('call', 'tell');
  await expect(ask('call mend()')).rejects.toThrow('call failed');
  expect(ends).toEqual(['broke']);
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
  await stream('call mend()');
  await ask('rollback');
  expect(sent).toEqual([
    'select 1, streamed',
    ...['begin', 'delete from things', 'tell', 'commit'],
    ...['begin', 'call mend()', 'tell', 'rollback', 'tell'],
  ]);
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
    'commit; delete from others',
    'lock table others write',
  ];

  test.each(endings)('is told of around "%s", and so is each write that follows, whatever it comes to', async (sql) => {
    const { sent, ends, ask } = clientFailingAt();
    for (const each of ['begin', 'delete from things', sql, insert, 'savepoint a', 'select 1', 'rollback'])
      await ask(each);
    // Of another beginning nothing more is to be told.
    const around = /^(begin|start|lock)/.test(sql) ? ['tell', sql] : ['tell', sql, 'tell'];
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
    expect(ends).toEqual(['committed']);
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
    'set local lock_timeout = 100',
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
