import { createNotes } from './notes';
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
  }
  const entry = {
    tell: () => send('tell'),
    committed: () => void ends.push('committed'),
    undone: () => void ends.push('undone'),
  };
  const changes = {
    isWanted: true,
    notes: () => createNotes({ dependents: () => [], hasTriggers: false }),
    entry: () => entry,
  } as unknown as SharedChanges;
  const Client = recordingClient(Base, {
    changes: () => changes,
    writingOn: () => ({ run: async () => ({ changes: 1, firstId: 1 }) }),
    plain: (_raw, sql) => send(sql),
    endsAt: /^create/,
    broke: () => void ends.push('broke'),
  });
  const client = new (Client as unknown as typeof Base)();
  const raw = {};
  return { sent, ends, ask: (sql = 'update things set a = 1') => client._query(raw, { sql }) };
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

test.each(['begin not atomic delete from things; end', 'begin; delete from things; commit'])(
  '"%s" is told of, and begins nothing for what comes next',
  async (sql) => {
    const { sent, ends, ask } = clientFailingAt();
    await ask(sql);
    await ask();
    expect(sent).toEqual([sql, 'update things set a = 1'].flatMap((each) => ['begin', each, 'tell', 'commit']));
    expect(ends).toEqual(['committed', 'committed']);
  },
);

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

describe('a transaction that the server ends at a definition', () => {
  const definition = 'create table others (id int)';
  const insert = 'insert into others (id) values (1)';

  test('is told of at once, and so is each that follows, whatever it comes to', async () => {
    const { sent, ends, ask } = clientFailingAt();
    for (const each of ['begin', 'delete from things', definition, insert, 'savepoint a', 'rollback']) await ask(each);
    expect(sent).toEqual([
      ...['begin', 'delete from things', definition, 'tell', insert, 'tell', 'savepoint a'],
      ...['rollback', 'tell'],
    ]);
    expect(new Set(ends)).toEqual(new Set(['committed']));
  });

  test('is told of at once, too, where the definition changes nothing that is read', async () => {
    const { sent, ask } = clientFailingAt();
    for (const each of ['begin', 'delete from things', 'create index a on things (a)']) await ask(each);
    expect(sent.at(-1)).toBe('tell');
  });

  test('is told of behind its end where the definition fails', async () => {
    const { sent, ask } = clientFailingAt('create');
    for (const each of ['begin', 'delete from things']) await ask(each);
    await expect(ask(definition)).rejects.toThrow('create failed');
    // Whether the transaction is still open, nobody knows.
    for (const each of [insert, 'rollback']) await ask(each);
    expect(sent).toEqual(['begin', 'delete from things', definition, insert, 'rollback', 'tell']);
  });
});

test('what is rolled back elsewhere is not told', async () => {
  const { sent, ends, ask } = clientFailingAt();
  for (const each of ['begin', 'delete from things', 'rollback']) await ask(each);
  expect([sent, ends]).toEqual([['begin', 'delete from things', 'rollback'], []]);
});
