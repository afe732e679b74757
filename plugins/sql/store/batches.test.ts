import { setTimeout as sleep } from 'node:timers/promises';
import type { Changed, Connection, Rows } from '../database/database';
import { client, makePlace, type Opened, openApp, type Place } from './database-app.fixture';
import { locksOn } from './locks/locks';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let place: Place;
let app: Opened;
/** More than it takes for what is sent together to be prepared as one. */
const often = 6;

beforeAll(async () => {
  place = await makePlace({ name: { type: 'string' }, n: { type: 'integer' } });
  app = await openApp(place);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

/** A statement whose parameters are written as question marks. */
function asked(text: string) {
  let count = 0;
  const sql = client === 'postgres' ? text.replaceAll('?', () => `$${++count}`) : text;
  return { sql };
}

const insert = (rows: number) =>
  asked(`insert into things (document_id,name,n) values ${Array(rows).fill('(?,?,?)').join(',')}`);
const named = () => asked('select name,n from things where name=?');
const raised = () => asked(`update things set n=? where name=?`);
const gone = () => asked('delete from things where name=?');

type Answers = [Rows, Changed, Rows, Changed, Rows];

/** Asks for everything at once, so that one round trip would do. */
async function all(connection: Connection, name: string): Promise<Answers> {
  void connection.post(insert(2), [`d${name}`, name, 1, `e${name}`, `${name}x`, 2]);
  return Promise.all([
    connection.rows(named(), [name]),
    connection.run(raised(), [5, name]),
    connection.rows(named(), ['nobody']),
    connection.run(gone(), [`${name}x`]),
    connection.rows(named(), [name]),
  ]);
}

test('what is asked for at once is answered as if one came after the other, however often', async () => {
  for (let time = 0; time < often; time++) {
    const name = `at once ${time}`;
    const [before, changed, none, deleted, after] = await app.database.transaction((on) => all(on, name));
    expect([before, none, after]).toEqual([[[name, 1]], [], [[name, 5]]]);
    expect([changed.changes, deleted.changes]).toEqual([1, 1]);
  }
});

test('a row that is changed into what it was counts as one that matched', async () => {
  await app.database.transaction(async (on) => void (await on.post(insert(1), ['same', 'same', 3])));
  for (let time = 0; time < often; time++) {
    const [one, other] = await app.database.transaction((on) =>
      Promise.all([on.run(raised(), [3, 'same']), on.run(raised(), [3, 'nobody'])]),
    );
    expect([one.changes, other.changes]).toEqual([1, 0]);
  }
});

test('what is asked for with a lock shows what was committed while the lock was waited for', async () => {
  const locks = locksOn(app.database);
  await app.database.transaction(async (on) => void (await on.post(insert(1), ['locked', 'locked', 0])));
  for (let time = 1; time <= often; time++) {
    let isTaken = (): void => undefined;
    const taken = new Promise<void>((resolve) => {
      isTaken = resolve;
    });
    const first = app.database.transaction(async (on) => {
      await locks.lock(on, ['the lock']);
      await on.run(raised(), [time, 'locked']);
      isTaken();
      await sleep(20);
    });
    await taken;
    const second = app.database.transaction(async (on) => {
      void locks.lock(on, ['the lock']);
      return on.rows(named(), ['locked']);
    });
    expect(await second).toEqual([['locked', time]]);
    await first;
  }
});

const onMariadb = client === 'mysql' ? test : test.skip;

onMariadb('the first of the ids that an insert gave is told, beside whatever else is sent with it', async () => {
  for (let time = 0; time < often; time++) {
    const given = ['a', 'b', 'c'].flatMap((name) => [`${name}${time}`, `ids ${name}${time}`, time]);
    const [added, , found] = await app.database.transaction((on) =>
      Promise.all([
        on.run(insert(3), given),
        on.run(raised(), [7, `ids c${time}`]),
        on.rows(asked('select id from things where name=?'), [`ids a${time}`]),
      ]),
    );
    expect(added).toEqual({ changes: 3, firstId: Number(found[0]![0]) });
  }
});

onMariadb('one way there and back does for all of it', async () => {
  const executed = asked(
    `select variable_value from information_schema.session_status where variable_name='Com_stmt_execute'`,
  );
  const waysFor = (name: string): Promise<number> =>
    app.database.transaction(async (on) => {
      const [[before]] = (await on.rows(executed, [])) as [[string]];
      await all(on, name);
      const [[after]] = (await on.rows(executed, [])) as [[string]];
      return Number(after) - Number(before) - 1;
    });
  const ways: number[] = [];
  for (let time = 0; time < 40; time++) ways.push(await waysFor(`ways ${time}`));
  expect(ways[0]).toBe(6);
  expect(ways.at(-1)).toBe(1);
});

test('one that fails fails all that was asked for with it, and nothing of it stays', async () => {
  await app.database.transaction(async (on) => void (await on.post(insert(1), ['taken', 'taken', 1])));
  await app.database.knex().schema.alterTable('things', (table) => void table.unique(['name'], { indexName: 'taken' }));
  for (let time = 0; time < often; time++) {
    const work = app.database.transaction(async (on) => {
      // SQLite answers at once, and fails so.
      const asking = [
        async () => on.run(insert(1), [`f${time}`, `fails ${time}`, 1]),
        async () => on.run(insert(1), [`t${time}`, 'taken', 1]),
        async () => on.rows(named(), ['taken']),
      ];
      const [, failed, next] = await Promise.allSettled(asking.map((ask) => ask()));
      expect([failed!.status, next!.status]).toEqual(['rejected', client === 'sqlite' ? 'fulfilled' : 'rejected']);
      if (client === 'sqlite') throw (failed as PromiseRejectedResult).reason;
      await on.rows(named(), ['taken']);
    });
    await expect(work).rejects.toMatchObject({ message: expect.stringMatching(/taken|duplicate|unique/i) });
  }
  expect(await app.database.rows(asked(`select name from things where name like 'fails%'`), [])).toEqual([]);
});
