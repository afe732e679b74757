import type { Knex } from 'knex';
import type { Connection } from '../database/database';
import { client, makePlace, type Opened, openApp, openForeign, type Place } from '../store/database-app.fixture';
import { createSlots, slotTable } from './slots';

// How processes on one server tell each other what they changed. A SQLite file tells by itself.

const onServers = client === 'sqlite' ? describe.skip : describe;

onServers('processes on one server', () => {
  let place: Place;
  let here: Opened;
  let there: Opened;

  beforeAll(async () => {
    place = await makePlace({ name: { type: 'string' } });
    here = await openApp(place);
  }, 60_000);
  afterAll(async () => {
    for (const app of [there, here]) await app?.close();
    await place.remove();
  });

  const changesAfter = async (work: () => Promise<unknown>, { database: { changes } }: Opened = here) => {
    const before = await changes.catchUp();
    await work();
    await changes.catchUp();
    return ['things', 'others'].filter((table) => changes.latest([table]) > before);
  };
  const slots = async (): Promise<number> =>
    Number((await here.database.rows({ sql: `select count(*) from ${slotTable}` }, []))[0]![0]);

  test('tell nothing while nobody wants to know, and all do once somebody does', async () => {
    await here.things.create({ name: 'untold' });
    expect(await slots()).toBe(0);
    await here.database.changes.begin();
    there = await openApp(place);
    expect(await changesAfter(() => there.things.create({ name: 'told' }))).toEqual(['things']);
    expect(await changesAfter(() => here.things.create({ name: 'told' }))).toEqual(['things']);
    expect(await changesAfter(() => there.things.find())).toEqual([]);
    await there.database.changes.begin();
  });

  test('who wants to know waits for those who began before, and don’t tell', async () => {
    const own = await makePlace({ name: { type: 'string' } });
    const early = await openApp(own);
    try {
      const { changes } = early.database;
      let end!: () => void;
      const ending = new Promise<void>((resolve) => (end = resolve));
      const order: string[] = [];
      const writing = early.database
        .transaction(async (connection) => {
          await connection.run({ sql: "insert into things (document_id, name) values ('early', 'early')" }, []);
          await ending;
          await connection.lastRows!({ sql: 'select 1' }, []);
        })
        .then(() => order.push('written'));
      const begun = changes.begin().then(() => order.push('begun'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(order).toEqual([]);
      end();
      await Promise.all([writing, begun]);
      expect(order).toEqual(['written', 'begun']);
    } finally {
      await early.close();
      await own.remove();
    }
  });

  const words = (known: readonly string[], onPostgres: readonly string[]): readonly string[] =>
    client === 'postgres' ? [...known, ...onPostgres] : known;

  /** What is changed by statements that an application asks knex for by itself. */
  const changesBy = (...statements: readonly string[]): Promise<string[]> =>
    changesAfter(async () => {
      const knex = here.database.knex();
      const connection = await knex.client.acquireConnection();
      try {
        for (const sql of statements) await knex.raw(sql).connection(connection);
      } finally {
        await knex.client.releaseConnection(connection);
      }
    });
  const update = "update things set name = 'by hand'";

  test.each(words(['commit'], ['end']))('tell what "%s" commits', async (word) => {
    expect(await changesBy('begin', update, word)).toEqual(['things']);
  });

  test.each(words(['rollback', 'rollback work'], ['abort']))(
    'tell nothing of what "%s" undoes, and all after it',
    async (word) => {
      expect(await changesBy('begin', update, word)).toEqual([]);
      expect(await changesBy('begin', update, word, update)).toEqual(['things']);
    },
  );

  test.each(['rollback to one', 'rollback work to one', 'rollback work to savepoint one'])(
    'tell what comes before "%s"',
    async (word) => {
      expect(await changesBy('begin', update, 'savepoint one', word, 'commit')).toEqual(['things']);
    },
  );

  test('tell of nothing that was undone', async () => {
    const undone = (app: Opened) => async () => {
      const failed = app.database.transaction(async (connection) => {
        await connection.run({ sql: "update things set name = 'never'" }, []);
        throw new Error('undone');
      });
      await expect(failed).rejects.toThrow('undone');
    };
    expect(await changesAfter(undone(here))).toEqual([]);
    expect(await changesAfter(undone(there))).toEqual([]);
  });

  test('write to the same table without waiting for each other, rows of their own used again and again', async () => {
    const add = (name: string) => ({ sql: `insert into things (name) values ('${name}')` });
    await here.database.transaction(async (outer) => {
      await outer.run(add('outer'), []);
      for (const app of [here, there]) {
        await app.database.transaction(async (inner) => {
          await inner.run(add('inner'), []);
        });
      }
    });
    const before = await slots();
    for (let round = 0; round < 5; round += 1)
      await Promise.all([here, there].map(({ things }) => things.create({ name: `round ${round}` })));
    expect(await slots()).toBe(before);
  });

  test('do not wait where one has told what it changed and goes on', async () => {
    const slotsHere = createSlots(here.database.dialect);
    // Rows that are there already, as they are after a while.
    const tell = async (connection: Connection) => {
      const entry = slotsHere.entry(['others']);
      await entry.tell(connection);
      return entry;
    };
    const both = async (): Promise<void> => {
      await here.database.transaction(async (outer) => {
        const first = await tell(outer);
        const second = await there.database.transaction(tell);
        second.committed();
        first.committed();
      });
    };
    expect(await changesAfter(both)).toEqual(['others']);
    expect(await changesAfter(both)).toEqual(['others']);
  });

  test('undo what they can not tell, and leave nobody a transaction that is open', async () => {
    const foreign = openForeign(place);
    const named = () => foreign('things').whereIn('name', ['untellable', 'after']).pluck('name');
    const knex = here.database.knex();
    let added = 0;
    const adding = (name: string) => (asker: Knex) =>
      asker('things').insert({ document_id: `${name} ${++added}`, name });
    const add = adding('untellable');
    await foreign.schema.renameTable(slotTable, 'elsewhere');
    const failures = await Promise.allSettled([add(knex), knex.transaction(add), knex.transaction(add)]);
    await foreign.schema.renameTable('elsewhere', slotTable);
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    // Whatever was left on a connection, they would commit it, or fail.
    const after = adding('after');
    const works = [1, 2, 3].flatMap(() => [
      knex.transaction(after),
      after(knex),
      here.database.transaction(async (inside) => inside.run({ sql: "delete from things where name = 'none'" }, [])),
    ]);
    const ends = await Promise.allSettled(works);
    const names = await named();
    await foreign.destroy();
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['fulfilled']));
    expect(new Set(names)).toEqual(new Set(['after']));
  });

  test('let pass what can be done outside of transactions only', async () => {
    const onMysql = ['create index one on things (name)', 'analyze table things', 'drop index one on things'];
    const onPostgres = [
      'create index concurrently one on things (name)',
      'vacuum (analyze) things',
      'drop index concurrently one',
    ];
    expect(await changesBy(...(client === 'postgres' ? onPostgres : onMysql))).toEqual([]);
  });

  test('hear of everything where they can not know what', async () => {
    const foreign = openForeign(place);
    const change = (row: object) => async () => {
      await foreign(slotTable).where('count', '>', 0).limit(1).update(row);
    };
    expect(await changesAfter(change({ count: 1_000_000, tables: '{"since":999999,"tables":{}}' }))).toEqual([
      'things',
      'others',
    ]);
    // As after a backup is played back.
    expect(await changesAfter(change({ count: 1, tables: '{"since":0,"tables":{}}' }))).toEqual(['things', 'others']);
    await foreign.destroy();
  });

  test('remove old rows beside those who read, and end that before they close', async () => {
    const foreign = openForeign(place);
    const old = () => foreign(slotTable).where('used_at', '<', '2021-01-01 00:00:00');
    await foreign(slotTable).insert({ count: 1, tables: '{"since":0,"tables":{}}', used_at: '2020-01-01 00:00:00' });
    const holder = await foreign.transaction();
    await old().transacting(holder).forUpdate();
    const third = await openApp(place);
    await third.database.changes.begin();
    await third.things.find();
    const closed = third.close();
    await holder.commit();
    await closed;
    expect(await old()).toEqual([]);
    await foreign.destroy();
  });

  test('take every write for a change of anything once there are triggers, also those that this process made', async () => {
    const function_ = `create function meddle() returns trigger language plpgsql as 'begin return null; end'`;
    const trigger =
      client === 'mysql'
        ? 'create trigger meddling after insert on things for each row set @x = 1'
        : 'create trigger meddling after insert on things execute function meddle()';
    const meddled = () => here.things.create({ name: 'meddled' });
    // Which started before, and does not look what others change.
    const former = await openApp(place);
    expect(await changesAfter(meddled)).toEqual(['things']);
    for (const sql of client === 'mysql' ? [trigger] : [function_, trigger]) await here.database.knex().raw(sql);
    await here.database.changes.catchUp();
    expect(await changesAfter(meddled)).toEqual(['things', 'others']);
    expect(await changesAfter(() => former.things.create({ name: 'meddled' }))).toEqual(['things', 'others']);
    await former.close();
    const third = await openApp(place);
    expect(await changesAfter(() => third.things.create({ name: 'meddled' }))).toEqual(['things', 'others']);
    await third.close();
    await here.database.knex().raw(client === 'mysql' ? 'drop trigger meddling' : 'drop trigger meddling on things');
    await here.database.changes.catchUp();
    expect(await changesAfter(meddled)).toEqual(['things']);
  });
});
