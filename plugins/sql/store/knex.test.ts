import type { Knex } from 'knex';
import { type Both, client, type Opened, openApp, openBoth, type Place } from './database-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let place: Place;
let app: Opened;
let foreign: Knex;
let close: Both['close'];

beforeAll(async () => {
  ({ place, app, foreign, close } = await openBoth({ name: { type: 'string' } }));
});
afterAll(() => close());

test('knex knows the tables and columns of this database', async () => {
  const knex = app.database.knex();
  const there = await Promise.all([knex.schema.hasTable('things'), knex.schema.hasColumn('things', 'name')]);
  const missing = await Promise.all([knex.schema.hasTable('nothing'), knex.schema.hasColumn('things', 'nothing')]);
  expect([...there, ...missing].map(Boolean)).toEqual([true, true, false, false]);
  const columns = await knex('things').columnInfo();
  expect(Object.keys(columns)).toEqual(expect.arrayContaining(['id', 'document_id', 'name']));
});

const onServers = client === 'sqlite' ? test.skip : test;

onServers('knex knows which server it speaks to', async () => {
  const knex = app.database.knex();
  await knex.schema.createTable('own', (table) => void table.string('code', 20).unique());
  const [first] = (await knex.raw('select version() as version'))[client === 'mysql' ? 0 : 'rows'];
  expect(first.version).toContain(knex.client.version);
  // Of MySQL's kin, only MariaDB has a word for it.
  await knex.schema.alterTable('own', (table) => void table.dropUniqueIfExists(['code']));
  await knex('own').insert([{ code: 'x' }, { code: 'x' }]);
  await knex.schema.dropTable('own');
});

onServers('a transaction of knex has one connection, which comes back', async () => {
  const knex = app.database.knex();
  const own = client === 'mysql' ? 'connection_id()' : 'pg_backend_pid()';
  const asked = (asker: Knex): Promise<unknown> => asker.select(asker.raw(`${own} as own`)).first();
  for (let round = 0; round < 20; round += 1) {
    const work = knex.transaction(async (transaction) => {
      expect(await asked(transaction)).toEqual(await asked(transaction));
      await transaction('things').insert({ document_id: 'x', name: 'x' });
      throw new Error('changed my mind');
    });
    await expect(work).rejects.toThrow('changed my mind');
  }
  expect(await foreign('things')).toEqual([]);
});

onServers(
  'rows come as objects, also one by one, and transactions of documents have the same connections',
  async () => {
    const knex = app.database.knex();
    await knex('things').insert(['one', 'two'].map((name) => ({ document_id: name, name })));
    await app.database.transaction(async (connection) => {
      expect(await connection.rows({ sql: 'select name from things order by id' }, [])).toEqual([['one'], ['two']]);
    });
    expect(await knex('things').select('name').orderBy('id')).toEqual([{ name: 'one' }, { name: 'two' }]);
    if (client === 'mysql') {
      const streamed = [];
      for await (const row of knex('things').select('name').orderBy('id').stream()) streamed.push(row);
      expect(streamed).toEqual([{ name: 'one' }, { name: 'two' }]);
    }
    await knex('things').delete();
  },
);

onServers('a connection on which a statement took too long is not lent again', async () => {
  const knex = app.database.knex();
  const [own, sleep] =
    client === 'mysql' ? ['connection_id()', 'select sleep(2)'] : ['pg_backend_pid()', 'select pg_sleep(2)'];
  const connection = async (): Promise<unknown> =>
    (await app.database.transaction(async (inside) => inside.rows({ sql: `select ${own}` }, [])))[0]![0];
  const before = await connection();
  const begun = performance.now();
  await expect(knex.raw(sleep).timeout(50)).rejects.toThrow('timeout');
  expect(await connection()).not.toBe(before);
  expect(performance.now() - begun).toBeLessThan(1_900);
});

onServers('the end waits for what knex was lent', async () => {
  const other = await openApp(place);
  const knex = other.database.knex();
  let closed: Promise<void> | undefined;
  const answer = await knex.transaction(async (transaction) => {
    await transaction('things').insert({ document_id: 'last', name: 'last' });
    closed = other.close();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return transaction('things').where({ document_id: 'last' }).select('name');
  });
  expect(answer).toEqual([{ name: 'last' }]);
  await closed;
  await foreign('things').where({ document_id: 'last' }).delete();
});

const onSqlite = client === 'sqlite' ? test : test.skip;

onSqlite('others can not write behind the back of a transaction that has read', async () => {
  await foreign.raw('pragma busy_timeout = 0');
  const knex = app.database.knex();
  const others = () => foreign('things').insert({ document_id: 'by others', name: 'by others' });
  await knex.transaction(async (transaction) => {
    expect(await transaction('things').first()).toBeUndefined();
    expect(await others().catch(String)).toContain('database is locked');
    await transaction('things').insert({ document_id: 'own', name: 'own' });
  });
  const before = await app.database.changes.catchUp();
  await others();
  expect(await app.database.changes.catchUp()).toBeGreaterThan(before);
  await foreign('things').delete();
});

onSqlite('a transaction waits for that of another process, and all else goes on', async () => {
  const knex = app.database.knex();
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 5);
  let waiting: Promise<unknown> | undefined;
  await foreign.transaction(async (others) => {
    await others('things').insert({ document_id: 'first', name: 'first' });
    waiting = knex.transaction(async (transaction) => transaction('things').pluck('name'));
    await new Promise((resolve) => setTimeout(resolve, 200));
  });
  expect(await waiting).toEqual(['first']);
  clearInterval(ticking);
  expect(ticks).toBeGreaterThan(5);
  await foreign('things').delete();
});

const onPostgres = client === 'postgres' ? test : test.skip;

onPostgres('where a schema is named, tables are made and found in it', async () => {
  await foreign.raw('create schema "the ""other"""');
  const other = await openApp(place, undefined, { schema: 'the "other"' });
  await other.things.create({ name: 'there' });
  expect(await other.database.knex()('things').select('name')).toEqual([{ name: 'there' }]);
  expect(await other.database.rows({ sql: 'select name from things' }, [])).toEqual([['there']]);
  expect(await foreign.withSchema('the "other"').from('things').select('name')).toEqual([{ name: 'there' }]);
  expect(await foreign('things')).toEqual([]);
  await other.close();
});

onPostgres('an empty name of a schema is none', async () => {
  const other = await openApp(place, undefined, { schema: '' });
  expect(await other.database.rows({ sql: 'select current_schema()' }, [])).toEqual([['public']]);
  await other.close();
});
