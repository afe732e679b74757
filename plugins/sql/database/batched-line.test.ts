import { setTimeout as sleep } from 'node:timers/promises';
import { type Answered, type Asked, createBatchedLine } from './batched-line';
import type { Changed } from './database';

const done: Changed = { changes: 1, firstId: 7 };

/** Answers batches a while after they were sent. One with a statement that "fails" fails. */
function server() {
  const sent: string[][] = [];
  const driver = {
    async together(all: readonly Asked[]): Promise<Answered[]> {
      sent.push(all.map(({ sql }) => sql));
      await sleep(1);
      const failing = all.find(({ sql }) => sql.includes('fails'));
      if (failing) throw new Error(failing.sql);
      return all.map(({ kind, sql }) => (kind === 'rows' ? [[sql]] : kind === 'run' ? done : undefined));
    },
    async plain(sql: string): Promise<void> {
      sent.push([sql]);
    },
  };
  return { sent, line: createBatchedLine(driver) };
}

const statement = (sql: string) => ({ sql });

test('what is asked for before an answer is needed is sent together, with the beginning', async () => {
  const { sent, line } = server();
  line.begin('begin');
  expect(line.connection.post(statement('post'), [])).toBeUndefined();
  await undefined;
  const [rows, changed] = await Promise.all([
    line.connection.rows(statement('rows'), []),
    line.connection.run(statement('run'), []),
  ]);
  expect([rows, changed]).toEqual([[['rows']], done]);
  line.connection.post(statement('last'), []);
  await line.commit();
  expect(sent).toEqual([
    ['begin', 'post', 'rows', 'run'],
    ['last', 'commit'],
  ]);
});

test('what comes while others are on their way is sent when they are answered', async () => {
  const { sent, line } = server();
  const first = line.connection.rows(statement('first'), []);
  await new Promise(setImmediate);
  const others = [line.connection.rows(statement('second'), []), line.connection.rows(statement('third'), [])];
  expect(await Promise.all([first, ...others])).toEqual([[['first']], [['second']], [['third']]]);
  expect(sent).toEqual([['first'], ['second', 'third']]);
});

test('nothing is sent after a failure, which every statement and the commit tell', async () => {
  const { sent, line } = server();
  line.begin('begin');
  const failing = line.connection.run(statement('this fails'), []);
  await new Promise(setImmediate);
  const later = line.connection.rows(statement('rows'), []);
  await expect(failing).rejects.toThrow('this fails');
  await expect(later).rejects.toThrow('this fails');
  await expect(line.connection.run(statement('run'), [])).rejects.toThrow('this fails');
  expect(() => line.connection.post(statement('post'), [])).toThrow('this fails');
  await expect(line.commit()).rejects.toThrow('this fails');
  await line.rollback();
  expect(sent).toEqual([['begin', 'this fails'], ['rollback']]);
});

test('a posted statement that fails is told by the commit', async () => {
  const { sent, line } = server();
  expect(line.connection.post(statement('post fails'), [])).toBeUndefined();
  await expect(line.commit()).rejects.toThrow('post fails');
  expect(sent).toEqual([['post fails', 'commit']]);
});

test('a rollback comes after what is on its way, and in place of what waits', async () => {
  const { sent, line } = server();
  line.begin('begin');
  const one = line.connection.run(statement('one'), []);
  await new Promise(setImmediate);
  const two = line.connection.run(statement('two'), []);
  const undone = line.rollback();
  await expect(two).rejects.toThrow('The transaction is over');
  await Promise.all([one, undone]);
  expect(sent).toEqual([['begin', 'one'], ['rollback']]);
});

test('nothing is taken after the end', async () => {
  const { sent, line } = server();
  await line.commit();
  await expect(line.connection.rows(statement('late'), [])).rejects.toThrow('The transaction is over');
  const { line: undone } = server();
  await undone.rollback();
  await expect(undone.connection.run(statement('later'), [])).rejects.toThrow('The transaction is over');
  expect(() => undone.connection.post(statement('last'), [])).toThrow('The transaction is over');
  await expect(undone.commit()).rejects.toThrow('The transaction is over');
  expect(sent).toEqual([['commit']]);
});

test('only so much is sent at once, but a statement with more values goes alone', async () => {
  const { sent, line } = server();
  const values = Array.from({ length: 5_000 });
  for (const sql of ['a', 'b']) line.connection.post(statement(sql), values);
  line.connection.post(statement('c'), Array.from({ length: 10_000 }));
  for (let at = 0; at < 70; at++) line.connection.post(statement('d'), []);
  await line.commit();
  expect(sent.map((all) => [all[0], all.length])).toEqual([
    ['a', 1],
    ['b', 1],
    ['c', 1],
    ['d', 64],
    ['d', 7],
  ]);
});

test('only so many changes wait that nobody waits for', async () => {
  const { line } = server();
  const answers = Array.from({ length: 260 }, () => line.connection.post(statement('insert'), []));
  expect(answers.findIndex((answer) => answer !== undefined)).toBe(255);
  await Promise.all(answers);
  expect(line.connection.post(statement('insert'), [])).toBeUndefined();
  await line.commit();
});
