import { PassThrough } from 'node:stream';
import { createTurns } from '../database/turns';
import { createNotes, type Notes } from './notes';
import { recordingClient } from './recording-knex';
import type { SharedChanges } from './shared-changes';
import type { TransactionState } from './statement-kinds';

/** Behind which statements a server has which state of a transaction. */
const left: readonly (readonly [RegExp, TransactionState])[] = [
  [/^(?:begin|start transaction)/, 'open'],
  [/and chain$/, 'open'],
  [/^(?:commit|rollback(?! to)|create|call|prepare)/, 'none'],
];

interface Asked {
  readonly sql: string;
  response?: unknown;
}

/** A client of knex on which words fail, what is sent over it, and how what it told is said to have ended. */
function clientFailingAt(...words: readonly string[]) {
  const sent: string[] = [];
  const ends: string[] = [];
  let state: TransactionState = 'none';
  const send = async (sql: string): Promise<void> => {
    sent.push(sql);
    if (sql.endsWith('slowly')) await new Promise(setImmediate);
    const word = words.find((each) => sql.startsWith(each));
    state = left.find(([ending]) => ending.test(sql))?.[1] ?? state;
    if (word) throw Object.assign(new Error(`${word} failed`), word.endsWith('gone') && { code: 'ECONNRESET' });
  };
  class Base {
    async _query(_raw: object, asked: Asked): Promise<unknown> {
      await send(asked.sql);
      asked.response = [[{ id: 1 }]];
      return asked;
    }
    async _stream(_raw: object, { sql }: Asked, _to: PassThrough): Promise<unknown> {
      return send(`${sql}, streamed`);
    }
  }
  let entries = 0;
  const entry = () => {
    const told = `tell ${++entries}`;
    return {
      tell: () => send(told),
      committed: () => void ends.push(`${told} committed`),
      undone: () => void ends.push(`${told} undone`),
    };
  };
  const changes = {
    isWanted: true,
    notes: () => createNotes({ dependents: () => [], doesMore: false }),
    entry: ({ tables }: Notes) => (tables.size > 0 ? entry() : undefined),
  } as unknown as SharedChanges;
  const Client = recordingClient(Base, {
    changes: () => changes,
    writingOn: () => ({ run: async () => ({ changes: 1, firstId: 1 }) }),
    plain: (_raw, sql) => send(sql),
    turns: createTurns(),
    elsewhere: async (work) => {
      sent.push('elsewhere');
      await work({});
    },
    words: {
      leaving: /^(?:select|insert|update|delete|savepoint|rollback to|set|declare)\b/,
      untellable: /^lock\b/,
      stateOn: async () => state,
    },
    broke: () => void ends.push('broke'),
  });
  const client = new (Client as unknown as typeof Base)();
  const raw = {};
  return {
    sent,
    ends,
    set state(next: TransactionState) {
      state = next;
    },
    ask: (sql = 'update things set a = 1') => client._query(raw, { sql }),
    stream: (sql: string, to = new PassThrough({ objectMode: true }).resume()) => client._stream(raw, { sql }, to),
  };
}

const update = 'update things set a = 1';
const begin = 'start transaction read write';

test('what is told goes with its statement, and is there once that is committed', async () => {
  const { sent, ends, ask } = clientFailingAt();
  await ask();
  expect([sent, ends]).toEqual([['begin', update, 'tell 1', 'commit'], ['tell 1 committed']]);
});

test.each(['begin', '/* job 7 */ start transaction'])('"%s" begins what is told of by its end', async (begin) => {
  const { sent, ends, ask } = clientFailingAt();
  for (const each of [begin, 'delete from things', 'savepoint a', 'rollback to a', '-- done\ncommit']) await ask(each);
  expect(sent).toEqual([begin, 'delete from things', 'savepoint a', 'rollback to a', 'tell 1', '-- done\ncommit']);
  expect(ends).toEqual(['tell 1 committed']);
});

test('what is rolled back is not told', async () => {
  const { sent, ends, ask } = clientFailingAt();
  for (const each of ['begin', 'delete from things', 'rollback']) await ask(each);
  expect([sent, ends]).toEqual([['begin', 'delete from things', 'rollback'], []]);
});

test('what may end transactions by itself is told of behind it, also where it fails', async () => {
  const { sent, ends, ask } = clientFailingAt('call');
  await expect(ask('call mend()')).rejects.toThrow('call failed');
  expect(sent).toEqual(['call mend()', begin, 'tell 1', 'commit']);
  expect(ends).toEqual(['tell 1 committed']);
});

test('what ends a transaction unseen is told of around it, and the next write is a transaction by itself', async () => {
  const { sent, ends, ask } = clientFailingAt();
  for (const each of ['begin', update, 'create table others (id int)', update]) await ask(each);
  expect(sent).toEqual([
    ...['begin', update, 'tell 1', 'create table others (id int)', begin, 'tell 2', 'commit'],
    ...['begin', update, 'tell 3', 'commit'],
  ]);
  expect(ends).toEqual(['tell 2 committed', 'tell 1 committed', 'tell 3 committed']);
});

test.each(['commit', 'rollback'])('what chains is told of ahead, and with the %s that comes behind', async (end) => {
  const { sent, ends, ask } = clientFailingAt();
  for (const each of ['begin', update, 'commit and chain', update, end]) await ask(each);
  const ended = end === 'commit' ? ['tell 1', 'commit'] : ['rollback', begin, 'tell 2', 'commit'];
  expect(sent).toEqual(['begin', update, 'tell 1', 'commit and chain', update, ...ended]);
  expect(ends.sort()).toEqual(end === 'commit' ? ['tell 1 committed'] : ['tell 1 committed', 'tell 2 committed']);
});

test('the row that told of what is set aside is not used again, for it may stay locked', async () => {
  const { ends, ask } = clientFailingAt();
  for (const each of ['begin', update, "prepare transaction 'a'"]) await ask(each);
  expect(ends).toEqual(['tell 2 committed']);
});

test('a transaction in which nothing may be written is told of behind its end', async () => {
  const { sent, ask } = clientFailingAt();
  for (const each of ['begin read only', 'do something()', 'commit']) await ask(each);
  expect(sent).toEqual(['begin read only', 'do something()', 'commit', begin, 'tell 1', 'commit']);
});

test('one that has failed tells nothing, for it can not, and its commit undoes it', async () => {
  const { sent, ask, ...server } = clientFailingAt('update');
  await ask('begin');
  await expect(ask()).rejects.toThrow('update failed');
  Object.assign(server, { state: 'failed' });
  await ask('commit');
  expect(sent).toEqual(['begin', update, 'tell 1', 'commit']);
});

test('what a server has undone by itself is over', async () => {
  const { sent, ask } = clientFailingAt('call', 'delete');
  await ask('begin');
  await ask();
  await expect(ask('call mend()')).rejects.toThrow('call failed');
  await ask('insert into things (a) values (1)');
  expect(sent.slice(-4)).toEqual(['begin', 'insert into things (a) values (1)', 'tell 3', 'commit']);
});

test('what can not be told on its connection is told over another, as are failures that end it', async () => {
  const { sent, ends, ask } = clientFailingAt(begin, 'call gone');
  await ask('create table others (id int)');
  await expect(ask('call gone()')).rejects.toThrow('call gone');
  const elsewhere = (told: number) => ['elsewhere', 'begin', `tell ${told}`, 'commit'];
  expect(sent.filter((sql) => sql !== 'rollback')).toEqual([
    ...['create table others (id int)', begin, ...elsewhere(2)],
    ...['call gone()', ...elsewhere(3)],
  ]);
  expect(ends.filter((end) => end !== 'broke')).toEqual(['tell 2 committed', 'tell 3 committed']);
});

test('what is asked for at once on a connection is done one after the other', async () => {
  const { sent, ask } = clientFailingAt('delete');
  await Promise.allSettled([ask(`${update} slowly`), ask('delete from things'), ask(update)]);
  expect(sent).toEqual([
    ...['begin', `${update} slowly`, 'tell 1', 'commit'],
    ...['begin', 'delete from things', 'rollback'],
    ...['begin', update, 'tell 3', 'commit'],
  ]);
});

test('a transaction of whose commit nobody knows the end is told of if something of it may stand', async () => {
  const { sent, ask } = clientFailingAt('commit work');
  for (const each of ['begin', update, 'commit and chain']) await ask(each);
  await expect(ask('commit work')).rejects.toThrow('commit work failed');
  expect(sent.slice(-5)).toEqual(['tell 1', 'commit work', begin, 'tell 2', 'commit']);
});

test('what could not be told of is refused', async () => {
  const { sent, ask } = clientFailingAt();
  await expect(ask('/* all */ lock tables things write')).rejects.toThrow('could not be told');
  expect(sent).toEqual([]);
});

test.each(['update', 'tell'])('where "%s" fails, all of it is undone', async (word) => {
  const { sent, ends, ask } = clientFailingAt(word);
  await expect(ask()).rejects.toThrow(`${word} failed`);
  expect([sent.at(-1), ends]).toEqual(['rollback', ['tell 1 undone']]);
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

describe('a stream', () => {
  test('that reads is left alone, and what one writes is told of before its rows are seen', async () => {
    const { sent, ask, stream } = clientFailingAt();
    const rows: unknown[] = [];
    await stream('with a as (select 1) select * from a');
    await stream(
      'delete from things',
      new PassThrough({ objectMode: true }).on('data', (row) => rows.push(row)),
    );
    await ask('begin');
    await stream('delete from things');
    await ask('commit');
    expect(sent).toEqual([
      'with a as (select 1) select * from a, streamed',
      ...['begin', 'delete from things', 'tell 1', 'commit'],
      ...['begin', 'delete from things', 'tell 2', 'commit'],
    ]);
    expect(rows).toEqual([{ id: 1 }]);
  });

  test('that fails to write says so', async () => {
    const { stream } = clientFailingAt('delete');
    const to = new PassThrough({ objectMode: true });
    const told = new Promise((resolve) => to.once('error', resolve));
    await expect(stream('delete from things', to)).rejects.toThrow('delete failed');
    expect(await told).toMatchObject({ message: 'delete failed' });
  });

  test('that nobody waits for any more leaves a connection that nobody is lent', async () => {
    const { ends, stream } = clientFailingAt();
    const to = new PassThrough({ objectMode: true });
    void stream('delete from things where slowly', to);
    to.destroy();
    await new Promise((resolve) => to.once('close', resolve));
    expect(ends).toEqual(['broke']);
  });
});
