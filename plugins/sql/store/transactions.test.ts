import type { Knex } from 'knex';
import type { Connection } from '../database/database';
import { type Both, client, type Opened, openBoth } from './database-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: Opened;
let foreign: Knex;
let close: Both['close'];

beforeAll(async () => {
  ({ app, foreign, close } = await openBoth({ name: { type: 'string' } }));
});
afterAll(() => close());
beforeEach(() => foreign('things').delete());

const insertion = (name: string) => ({ sql: `insert into things (document_id, name) values ('${name}', '${name}')` });
const mistake = { sql: "insert into things (id, name) values ('no number', 'x'), ('no number', 'y')" };
const names = async (): Promise<unknown[]> => (await foreign('things').orderBy('id')).map(({ name }) => name);

test('statements that are asked for at once happen in the order of asking', async () => {
  const read = { sql: 'select count(*) from things' };
  const counts = await app.database.transaction(async (connection) => {
    const found = [];
    for (const name of ['one', 'two', 'three']) {
      void connection.post(insertion(name), []);
      found.push(connection.rows(read, []));
    }
    return Promise.all(found);
  });
  expect(counts.flat(2).map(Number)).toEqual([1, 2, 3]);
  expect(await names()).toEqual(['one', 'two', 'three']);
});

test('what fails though nobody waited for it undoes all, and is told', async () => {
  const work = app.database.transaction(async (connection) => {
    await connection.post(insertion('one'), []);
    await connection.post(mistake, []);
    return 'done';
  });
  await expect(work).rejects.toMatchObject({ message: expect.not.stringContaining('aborted') });
  expect(await names()).toEqual([]);
});

// SQLite undoes the statement alone, and the transaction goes on; and it has no connections that others could kill.
const onServers = client === 'sqlite' ? test.skip : test;
onServers('after a failure nothing is done, whoever catches it', async () => {
  const work = app.database.transaction(async (connection) => {
    await connection.run(insertion('one'), []);
    const told = [mistake, insertion('two')].map(async (statement) => connection.run(statement, []));
    const [first, second] = await Promise.allSettled(told);
    expect(first!.status).toBe('rejected');
    expect(second).toEqual(first);
    return 'done';
  });
  await expect(work).rejects.toThrow();
  expect(await names()).toEqual([]);
});

test('after its end a transaction takes nothing any more', async () => {
  let kept: Connection | undefined;
  await app.database.transaction(async (connection) => {
    kept = connection;
  });
  await expect((async () => kept!.run(insertion('late'), []))()).rejects.toThrow();
  const failed = app.database.transaction(async () => {
    throw new Error('changed my mind');
  });
  await expect(failed).rejects.toThrow('changed my mind');
  await expect((async () => kept!.run(insertion('later'), []))()).rejects.toThrow();
  expect(await names()).toEqual([]);
});

onServers('what is read last sees all before it, and is committed with it', async () => {
  for (const name of ['one', 'two', 'three', 'four', 'five']) {
    await app.database.transaction(async (connection) => {
      await connection.run(insertion(name), []);
      await connection.post({ sql: `update things set name = 'the ${name}' where document_id = '${name}'` }, []);
      const rows = await connection.lastRows!({ sql: `select name from things where document_id = '${name}'` }, []);
      expect(rows).toEqual([[`the ${name}`]]);
    });
    expect(await names()).toContain(`the ${name}`);
  }
});

onServers('what fails with the last read undoes all', async () => {
  for (let times = 0; times < 6; times += 1) {
    const work = app.database.transaction(async (connection) => {
      await connection.run(insertion('one'), []);
      void connection.post(mistake, []);
      await connection.lastRows!({ sql: 'select count(*) from things' }, []);
    });
    await expect(work).rejects.toMatchObject({ message: expect.not.stringContaining('aborted') });
    expect(await names()).toEqual([]);
  }
});

test('a connection comes back to the pool as it was', async () => {
  await app.database.transaction(async (connection) => connection.run(insertion('one'), []));
  const { client: pool } = app.database.knex();
  const raw = await pool.acquireConnection();
  // What reads row by row, as streams of knex do, is refused where statements go ahead of answers.
  expect(raw.pipeline ?? false).toBe(false);
  await pool.releaseConnection(raw);
});

onServers('a connection that is killed while its transaction rests is told of as one, and not used again', async () => {
  const [own, kill] =
    client === 'postgres' ? ['pg_backend_pid()', 'select pg_terminate_backend(?)'] : ['connection_id()', 'kill ?'];
  const work = app.database.transaction(async (connection) => {
    await connection.run(insertion('one'), []);
    const [row] = await connection.rows({ sql: `select ${own}` }, []);
    await foreign.raw(kill, [Number(row![0])]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await connection.run(insertion('two'), []);
  });
  await expect(work).rejects.toMatchObject({ status: 503, message: 'The database can not be reached' });
  await app.database.transaction(async (connection) => connection.run(insertion('three'), []));
  expect(await names()).toEqual(['three']);
});
