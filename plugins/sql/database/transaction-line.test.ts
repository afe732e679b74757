import { setTimeout as sleep } from 'node:timers/promises';
import type { Changed, Rows } from './database';
import { createTransactionLine, type DriverConnection } from './transaction-line';

const done: Changed = { changes: 1, firstId: 1 };

/**
 * Answers in the order of asking, each a while after it was asked. What contains "fails" fails, and so does all that comes
 * after it in the same transaction, but for its end, as on PostgreSQL.
 */
function server() {
  const asked: string[] = [];
  let isAborted = false;
  let last: Promise<unknown> = Promise.resolve();
  const answer = <T>(sql: string, value: T): Promise<T> => {
    asked.push(sql);
    const own = last.then(async () => {
      await sleep(1);
      if (['commit', 'rollback'].includes(sql)) isAborted = false;
      if (isAborted) throw new Error('aborted');
      isAborted ||= sql.includes('fails');
      if (sql.includes('fails')) throw new Error(sql);
      return value;
    });
    last = own.catch(() => undefined);
    return own;
  };
  const raw: DriverConnection = {
    rows: ({ sql }) => answer<Rows>(sql, [[sql]]),
    run: ({ sql }) => answer(sql, done),
    plain: (sql) => answer(sql, undefined),
  };
  return { raw, asked };
}

const statement = (sql: string) => ({ sql });

test('has the statements in the order of asking, the beginning first and the commit last', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  const posted = line.connection.post(statement('post'), []);
  const [rows, changed] = await Promise.all([
    line.connection.rows(statement('rows'), []),
    line.connection.run(statement('run'), []),
  ]);
  await posted;
  await line.commit();
  expect(rows).toEqual([['rows']]);
  expect(changed).toEqual(done);
  expect(asked).toEqual(['begin', 'post', 'rows', 'run', 'commit']);
});

test('is asked for nothing after a failure is known, and every statement and the commit tell that one', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  await expect(line.connection.run(statement('fails'), [])).rejects.toThrow('fails');
  await expect(line.connection.rows(statement('rows'), [])).rejects.toThrow('fails');
  await expect(line.commit()).rejects.toThrow('fails');
  await line.rollback();
  expect(asked).toEqual(['begin', 'fails', 'rollback']);
});

test('a beginning that fails is told by what comes first', async () => {
  const { raw } = server();
  const line = createTransactionLine(raw);
  line.begin('begin fails');
  await expect(line.connection.rows(statement('rows'), [])).rejects.toThrow('begin fails');
});

test('takes nothing after its end', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  await line.commit();
  await expect(line.connection.rows(statement('late'), [])).rejects.toThrow('The transaction is over');
  const undone = createTransactionLine(raw);
  await undone.rollback();
  await expect(undone.connection.run(statement('later'), [])).rejects.toThrow('The transaction is over');
  expect(() => undone.connection.post(statement('last'), [])).toThrow('The transaction is over');
  expect(asked).toEqual(['begin', 'commit', 'rollback']);
});

test('the commit goes right behind what is read last, and nothing after it', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  await line.connection.run(statement('run'), []);
  line.connection.post(statement('post'), []);
  const rows = line.connection.lastRows!(statement('rows'), []);
  expect(asked).toEqual(['begin', 'run', 'post', 'rows', 'commit']);
  await expect(line.connection.rows(statement('late'), [])).rejects.toThrow('The transaction is over');
  expect(await rows).toEqual([['rows']]);
  await line.commit();
  expect(asked).toHaveLength(5);
});

test('what fails before the last read is told by that and by the commit', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  await line.connection.run(statement('run'), []);
  line.connection.post(statement('fails'), []);
  const told = await Promise.allSettled([line.connection.lastRows!(statement('rows'), []), line.commit()]);
  for (const each of told) expect(each).toMatchObject({ status: 'rejected', reason: { message: 'fails' } });
  await line.rollback();
  expect(asked).toEqual(['begin', 'run', 'fails', 'rows', 'commit']);
});

test('a last read before the transaction has begun, behind a change, has its commit behind both', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  line.connection.post(statement('post'), []);
  const rows = line.connection.lastRows!(statement('rows'), []);
  expect(asked).not.toContain('commit');
  expect(await rows).toEqual([['rows']]);
  await line.commit();
  expect(asked.at(-1)).toBe('commit');
});

test('a posted one that fails is told by the commit', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  expect(line.connection.post(statement('post fails'), [])).toBeUndefined();
  await expect(line.commit()).rejects.toThrow('post fails');
  expect(asked).toEqual(['begin', 'post fails']);
});

test('what failed first is told, also where its failure takes longer to come through than others', async () => {
  const { raw } = server();
  const late: DriverConnection = {
    ...raw,
    run: async (...given) => {
      try {
        return await raw.run(...given);
      } finally {
        await sleep(20);
      }
    },
  };
  const line = createTransactionLine(late);
  line.begin('begin');
  void line.connection.post(statement('post fails'), []);
  await expect(line.connection.rows(statement('rows'), [])).rejects.toThrow('post fails');
  await line.rollback();
  const other = createTransactionLine(late);
  void other.connection.post(statement('this fails'), []);
  await expect(other.commit()).rejects.toThrow('this fails');
});

test('reads go before the transaction has begun, and changes and what follows them after', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin');
  const all = [
    line.connection.rows(statement('select 1'), []),
    line.connection.post(statement('insert'), []),
    line.connection.rows(statement('select 2'), []),
  ];
  expect(asked).toEqual(['begin', 'select 1']);
  await Promise.all(all);
  expect(asked).toEqual(['begin', 'select 1', 'insert', 'select 2']);
  const more = [line.connection.post(statement('update'), []), line.connection.rows(statement('select 3'), [])];
  expect(asked.slice(4)).toEqual(['update', 'select 3']);
  await Promise.all(more);
});

test('a transaction that did not begin changes nothing', async () => {
  const { raw, asked } = server();
  const line = createTransactionLine(raw);
  line.begin('begin fails');
  line.connection.post(statement('insert'), []);
  await expect(line.commit()).rejects.toThrow('begin fails');
  expect(asked).toEqual(['begin fails']);
});

test('only so many changes are on their way that nobody waits for', async () => {
  const { raw } = server();
  const line = createTransactionLine(raw);
  const answers = Array.from({ length: 70 }, () => line.connection.post(statement('insert'), []));
  expect(answers.findIndex((answer) => answer !== undefined)).toBe(63);
  await Promise.all(answers);
  expect(line.connection.post(statement('insert'), [])).toBeUndefined();
  await line.commit();
});
