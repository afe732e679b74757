import { type Answered, type Asked, createBatchedLine } from './batched-line';
import type { Changed } from './database';

const done: Changed = { changes: 1, firstId: 7 };

/** Says what is sent, and answers when it is let. One with a statement that "fails" fails. */
function server(answersAtOnce = true) {
  const said: string[] = [];
  const held: (() => void)[] = [];
  const driver = {
    async together(all: readonly Asked[]): Promise<Answered[]> {
      const texts = all.map(({ sql }) => sql).join();
      said.push(texts);
      if (!answersAtOnce) await new Promise<void>((resolve) => held.push(resolve));
      const failing = all.find(({ sql }) => sql.includes('fails'));
      if (failing) throw new Error(failing.sql);
      if (!answersAtOnce) said.push(`answered ${texts}`);
      return all.map(({ kind, sql }) => (kind === 'rows' ? [[sql]] : kind === 'run' ? done : undefined));
    },
    async plain(sql: string): Promise<void> {
      said.push(sql);
    },
  };
  return { said, line: createBatchedLine(driver), answer: () => held.shift()!() };
}

/** What was asked for is on its way by then. */
const whenSent = () => new Promise(setImmediate);

const statement = (sql: string) => ({ sql });

test('what is asked for before an answer is needed is sent together, with the beginning', async () => {
  const { said, line } = server();
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
  expect(said).toEqual(['begin,post,rows,run', 'last,commit']);
});

test('what comes while others are on their way is sent when they are answered', async () => {
  const { said, line, answer } = server(false);
  const first = line.connection.rows(statement('first'), []);
  await whenSent();
  const others = [line.connection.rows(statement('second'), []), line.connection.rows(statement('third'), [])];
  await whenSent();
  expect(said).toEqual(['first']);
  answer();
  await first;
  await whenSent();
  answer();
  expect(await Promise.all(others)).toEqual([[['second']], [['third']]]);
  expect(said).toEqual(['first', 'answered first', 'second,third', 'answered second,third']);
});

test('nothing is sent after a failure, which every statement and the commit tell', async () => {
  const { said, line, answer } = server(false);
  line.begin('begin');
  const failing = line.connection.run(statement('this fails'), []);
  await whenSent();
  const outcomes = Promise.allSettled([failing, line.connection.rows(statement('rows'), [])]);
  answer();
  const reason = expect.objectContaining({ message: 'this fails' });
  expect(await outcomes).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  await expect(line.connection.run(statement('run'), [])).rejects.toThrow('this fails');
  expect(() => line.connection.post(statement('post'), [])).toThrow('this fails');
  await expect(line.commit()).rejects.toThrow('this fails');
  await line.rollback();
  expect(said).toEqual(['begin,this fails', 'rollback']);
});

test('a posted statement that fails is told by the commit', async () => {
  const { said, line } = server();
  expect(line.connection.post(statement('post fails'), [])).toBeUndefined();
  await expect(line.commit()).rejects.toThrow('post fails');
  expect(said).toEqual(['post fails,commit']);
});

test('a rollback comes after what is on its way, and in place of what waits', async () => {
  const { said, line, answer } = server(false);
  line.begin('begin');
  const one = line.connection.run(statement('one'), []);
  await whenSent();
  const two = line.connection.run(statement('two'), []);
  const outcome = Promise.allSettled([two]);
  const undone = line.rollback();
  await whenSent();
  answer();
  await Promise.all([one, undone]);
  const over = expect.objectContaining({ message: expect.stringContaining('The transaction is over') });
  expect(await outcome).toEqual([{ status: 'rejected', reason: over }]);
  expect(said).toEqual(['begin,one', 'answered begin,one', 'rollback']);
});

test('where the connection is gone, nothing more is sent', async () => {
  const { said, line } = server();
  line.begin('begin');
  const outcome = Promise.allSettled([line.connection.run(statement('one'), [])]);
  line.abandon();
  expect(await outcome).toMatchObject([{ status: 'rejected' }]);
  await expect(line.commit()).rejects.toThrow('The transaction is over');
  expect(said).toEqual([]);
});

test('what is read last is sent with what waits and the commit, and is the end', async () => {
  const { said, line } = server();
  line.begin('begin');
  line.connection.post(statement('post'), []);
  const rows = line.connection.lastRows!(statement('rows'), []);
  await expect((async () => line.connection.run(statement('late'), []))()).rejects.toThrow('The transaction is over');
  expect(await rows).toEqual([['rows']]);
  await line.commit();
  expect(said).toEqual(['begin,post,rows,commit']);
});

test('what fails before the last read is told by that and by the commit', async () => {
  const { said, line } = server();
  line.begin('begin');
  line.connection.post(statement('fails'), []);
  const told = Promise.allSettled([line.connection.lastRows!(statement('rows'), []), line.commit()]);
  const reason = expect.objectContaining({ message: 'fails' });
  expect(await told).toEqual([
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ]);
  await line.rollback();
  expect(said).toEqual(['begin,fails,rows,commit', 'rollback']);
});

test('what may be too large an answer is not committed with it', async () => {
  const { said, line } = server();
  line.begin('begin');
  line.connection.post(statement('post'), ['x'.repeat(60_000)]);
  line.connection.post(statement('post'), ['x'.repeat(60_000)]);
  await line.connection.lastRows!(statement('rows'), []);
  await line.rollback();
  expect(said).toEqual(['begin,post,post,rows', 'rollback']);
});

test('nothing is taken after the end', async () => {
  const { said, line } = server();
  await line.commit();
  await expect(line.connection.rows(statement('late'), [])).rejects.toThrow('The transaction is over');
  const { line: undone } = server();
  await undone.rollback();
  await expect(undone.connection.run(statement('later'), [])).rejects.toThrow('The transaction is over');
  expect(() => undone.connection.post(statement('last'), [])).toThrow('The transaction is over');
  await expect(undone.commit()).rejects.toThrow('The transaction is over');
  expect(said).toEqual(['commit']);
});

test('only so much is sent at once, but a statement with more goes alone', async () => {
  const { said, line } = server();
  const values = Array.from({ length: 5_000 });
  for (const sql of ['a', 'b']) line.connection.post(statement(sql), values);
  line.connection.post(statement('c'), Array.from({ length: 10_000 }));
  for (let at = 0; at < 70; at++) line.connection.post(statement('d'), []);
  line.connection.post(statement('e'), ['e'.repeat(200_000)]);
  line.connection.post(statement('f'), [Buffer.alloc(100_000)]);
  await line.commit();
  expect(said).toEqual(['a', 'b', 'c', `d${',d'.repeat(63)}`, `d${',d'.repeat(5)},e`, 'f,commit']);
});

test('only so many changes wait that nobody waits for', async () => {
  const { line } = server();
  const answers = Array.from({ length: 260 }, () => line.connection.post(statement('insert'), []));
  expect(answers.findIndex((answer) => answer !== undefined)).toBe(255);
  await Promise.all(answers);
  expect(line.connection.post(statement('insert'), [])).toBeUndefined();
  await line.commit();
});
