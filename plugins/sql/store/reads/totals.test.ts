import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { DocumentQuery } from '../../../../core';
import {
  client,
  makePlace,
  type Opened,
  openApp,
  openForeign,
  type Place,
  watchStatements,
} from '../database-app.fixture';

// Totals that are kept while nothing is written: of lists that are so long that counting costs more than asking.

const many = 30_000;

let place: Place;
let app: Opened;
let foreign: Knex;

async function fill(): Promise<void> {
  await foreign('things').delete();
  const numbers = `with recursive n(n) as (select 1 union all select n+1 from n where n<${many})`;
  if (client === 'mysql') await foreign.raw(`set session max_recursive_iterations=${many}`);
  await foreign.raw(
    `insert into things (document_id,n,published_at) ${numbers} select concat('d',n),n,${client === 'sqlite' ? '1' : 'now()'} from n`,
  );
}

beforeAll(async () => {
  place = await makePlace({ n: { type: 'integer' } });
  app = await openApp(place);
  foreign = openForeign(place);
  await fill();
}, 60_000);
afterAll(async () => {
  await app.close();
  await foreign.destroy();
  await place.remove();
});

async function totalOf({ documents, type }: Opened = app, query: DocumentQuery = {}): Promise<number> {
  const window = () => ({ start: 0, limit: 1, total: true });
  const read = { action: 'find', type, rights: 'public' as const, query: { window, ...query } };
  return (await documents.read(read)).total!;
}

/** A list's total, and how often it was counted for that. */
async function counted(opened = app): Promise<[total: number, counts: number]> {
  let counts = 0;
  const unwatch = watchStatements(opened.database, (sql) => {
    if (sql.startsWith('select count(*)')) counts += 1;
  });
  try {
    return [await totalOf(opened), counts];
  } finally {
    unwatch();
  }
}

/** Others may be at work in other databases of a server, whose transactions move its version, too. */
async function isKept(opened = app): Promise<boolean> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const [, counts] = await counted(opened);
    if (counts === 0) return true;
    await sleep(25);
  }
  return false;
}

test('a total is not counted again while nothing is written', async () => {
  expect(await totalOf()).toBe(many);
  expect(await isKept()).toBe(true);
  expect(await totalOf()).toBe(many);
});

test('a total that was counted while someone else wrote is counted again when that is committed', async () => {
  for (const way of ['commit', 'rollback'] as const)
    for (let round = 0; round < 5; round++) {
      expect(await isKept()).toBe(true);
      const before = await totalOf();
      const transaction = await foreign.transaction();
      await transaction('things').insert({ document_id: `late${way}${round}`, n: 1, published_at: foreign.fn.now() });
      // The first of these is counted after the transaction has its number, and before it can be seen.
      for (let time = 0; time < 3; time++) expect(await totalOf()).toBe(before);
      await transaction[way]();
      expect(await totalOf()).toBe(before + (way === 'commit' ? 1 : 0));
      expect(await totalOf()).toBe(before + (way === 'commit' ? 1 : 0));
    }
});

test('deleting and changing is seen like adding', async () => {
  const filters = { n: { $gt: 10 } };
  expect(await isKept()).toBe(true);
  const before = await totalOf();
  await foreign('things').where({ n: 17 }).delete();
  expect(await totalOf()).toBe(before - 1);
  const found = await totalOf(app, { filters });
  expect(await totalOf(app, { filters })).toBe(found);
  await foreign('things').where({ n: 18 }).update({ n: 5 });
  expect(await totalOf(app, { filters })).toBe(found - 1);
});

test('whoever writes, no total is older than its question', async () => {
  const others = [openForeign(place), openForeign(place)];
  const begun = await totalOf();
  /** Rows that are there for certain, and that may be there already. */
  let certain = begun;
  let possible = begun;
  let isOver = false;
  const write = async (knex: Knex, name: string): Promise<void> => {
    for (let at = 0; !isOver; at++) {
      const rows = 1 + (at % 3);
      possible += rows;
      await knex.transaction(async (transaction) => {
        for (let row = 0; row < rows; row++)
          await transaction('things').insert({
            document_id: `${name}${at}-${row}`,
            n: row,
            published_at: knex.fn.now(),
          });
      });
      certain += rows;
      await sleep(at % 4 === 0 ? 30 : 0);
    }
  };
  const read = async (): Promise<number> => {
    let reads = 0;
    for (; !isOver; reads++) {
      const least = certain;
      const total = await totalOf();
      expect(total).toBeGreaterThanOrEqual(least);
      expect(total).toBeLessThanOrEqual(possible);
      // SQLite answers at once, and would let nobody else have a turn.
      await sleep(1);
    }
    return reads;
  };
  // Of SQLite, two writers would wait for each other.
  const writers = client === 'sqlite' ? others.slice(0, 1) : others;
  const writing = writers.map((knex, index) => write(knex, `w${index}-`));
  const reading = [read(), read(), read()];
  await sleep(3_000);
  isOver = true;
  await Promise.all(writing);
  for (const reads of await Promise.all(reading)) expect(reads).toBeGreaterThan(10);
  expect(await totalOf()).toBe(certain);
  for (const knex of others) await knex.destroy();
}, 30_000);

const onPostgres = client === 'postgres' ? test : test.skip;

onPostgres('a total that was counted before connections were lost is counted again', async () => {
  expect(await isKept()).toBe(true);
  const before = await totalOf();
  await foreign.raw(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname=current_database() and pid<>pg_backend_pid()',
  );
  await sleep(50);
  expect(await counted()).toEqual([before, 1]);
  expect(await isKept()).toBe(true);
});

const onMariadb = client === 'mysql' ? test : test.skip;

onMariadb('what a prepared transaction of nobody holds back is seen once it is committed', async () => {
  const before = await totalOf();
  const other = openForeign(place);
  const connection = await other.client.acquireConnection();
  const run = (sql: string) => other.raw(sql).connection(connection);
  await run("xa start 'heddle'");
  await run("insert into things (document_id,n,published_at) values ('xa',1,now())");
  await run("xa end 'heddle'");
  await run("xa prepare 'heddle'");
  await other.client.releaseConnection(connection);
  await other.destroy();
  for (let time = 0; time < 3; time++) expect(await counted()).toEqual([before, 1]);
  await foreign.raw("xa commit 'heddle'");
  expect(await totalOf()).toBe(before + 1);
});

onMariadb('tables of another engine are not watched', async () => {
  await foreign.raw('create table elsewhere (n int) engine=MyISAM');
  const { watch } = app.database;
  expect(await watch!.sees(['things'])).toBe(true);
  expect(await watch!.sees(['things', 'elsewhere'])).toBe(false);
  expect(await watch!.sees(['things', 'nowhere'])).toBe(false);
});

onMariadb('a connection that is lost is opened again', async () => {
  expect(await isKept()).toBe(true);
  const before = await totalOf();
  const [all] = await foreign.raw('show processlist');
  const own = (await foreign.raw('select connection_id() as id'))[0][0].id;
  for (const { Id, db } of all) if (db === place.name && Id !== own) await foreign.raw(`kill ${Id}`);
  await foreign('things').insert({ document_id: 'k', n: 1, published_at: foreign.fn.now() });
  await sleep(50);
  expect(await totalOf().catch(() => totalOf())).toBe(before + 1);
  expect(await isKept()).toBe(true);
  expect(await totalOf()).toBe(before + 1);
});

/** Works with an application of an account of its own, which is granted these. */
async function withAccount(limits: string, grants: readonly string[], work: (own: Opened) => Promise<void>) {
  const user = `heddle_${process.pid}`;
  await foreign.raw(`create user ${user}@'%' identified by 'secret' ${limits}`);
  try {
    for (const grant of grants) await foreign.raw(`grant ${grant} to ${user}@'%'`);
    const own = await openApp(place, undefined, { user, password: 'secret' });
    try {
      await work(own);
    } finally {
      await own.close();
    }
  } finally {
    await foreign.raw(`drop user ${user}@'%'`);
  }
}

async function expectCounting(own: Opened): Promise<void> {
  const before = await totalOf(own);
  for (let time = 0; time < 5; time++) expect(await counted(own)).toEqual([before, 1]);
  await foreign('things').insert({ document_id: `p${before}`, n: 1, published_at: foreign.fn.now() });
  expect(await totalOf(own)).toBe(before + 1);
}

onMariadb('an account that may not ask counts', () => withAccount('', [`all on ${place.name}.*`], expectCounting));

onMariadb('an account that gets no connection more counts', () =>
  withAccount('with max_user_connections 1', [`all on ${place.name}.*`, 'process on *.*'], expectCounting),
);
