import type { Knex } from 'knex';
import { silentLogger } from '../../../core/kernel/logger';
import { client, connectionTo, makePlace, openApp, openForeign, type Place } from '../store/database-app.fixture';
import { createPostgresDatabase } from './postgres-database';
import { postgresDriver } from './postgres-driver';
import { createPostgresUpkeep } from './postgres-upkeep';

const onPostgres = client === 'postgres' ? describe : describe.skip;

/** No table of a test is looked after by the server meanwhile. */
const table = (name: string): string => `create table ${name} (n int) with (autovacuum_enabled = false)`;

onPostgres('the tables of a server whose own upkeep is off', () => {
  let place: Place;
  let foreign: Knex;
  let close: (() => Promise<void>) | undefined;
  /** What was asked, and how many connections were closed again. */
  let asked: string[];
  let closed: number;

  beforeEach(async () => {
    [asked, closed] = [[], 0];
    place = await makePlace({});
    foreign = openForeign(place);
    await foreign.raw(['"one ""two"', 'small', 'empty', 'other'].map(table).join(';'));
    await foreign.raw(
      'insert into "one ""two" select generate_series(1, 1000); insert into small values (1); insert into other values (1)',
    );
  });
  afterEach(async () => {
    await close?.();
    close = undefined;
    await foreign.destroy();
    await place.remove();
  });

  const found = async (sql: string): Promise<unknown[]> => {
    const { rows } = await foreign.raw(sql);
    return (rows as object[]).map((row) => Object.values(row)[0]);
  };
  const analyzed = (): Promise<unknown[]> =>
    found(`select tablename from pg_stats where schemaname = 'public' order by 1`);

  /** Upkeep that is told what the server's setting is, by an account. */
  function begin(setting: string, user = 'postgres'): void {
    const config = { pool: { min: 0, max: 2 }, acquireConnectionTimeout: 5_000, maxAnswerBytes: 1_000_000 };
    const connection = { ...connectionTo.postgres(place.name), user };
    const database = createPostgresDatabase({ ...config, connection });
    const { Client } = postgresDriver();
    const upkeep = createPostgresUpkeep({
      async rows(statement, values) {
        asked.push(statement.sql);
        return statement.sql === 'show autovacuum' ? [[setting]] : database.rows(statement, values);
      },
      async open() {
        const raw = new Client(connection);
        raw.on('error', () => undefined);
        await raw.connect();
        return raw;
      },
      async close(raw) {
        await raw.end();
        closed += 1;
      },
    });
    upkeep.begin(['one "two', 'small', 'empty', 'missing'], silentLogger);
    close = async () => {
      await upkeep.close();
      await database.close();
    };
  }

  const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

  async function until(check: () => Promise<boolean>): Promise<void> {
    const begun = performance.now();
    while (!(await check())) {
      if (performance.now() - begun > 10_000) throw new Error('it has not come');
      await pause(20);
    }
  }

  const isWorking = async (): Promise<boolean> =>
    (
      await found(`select 1 from pg_stat_activity
        where datname = current_database() and query like 'vacuum%small' and state = 'active'`)
    ).length > 0;

  /** Makes analyzing the small table take many seconds. */
  async function slowDown(): Promise<void> {
    const slow = (body: string): string =>
      `create or replace function slow(n int) returns int immutable language plpgsql as $$ begin ${body} return n; end $$;`;
    await foreign.raw(`${slow('')} create index on small (slow(n)); insert into small select generate_series(1, 500)`);
    await foreign.raw(slow('perform pg_sleep(0.02);'));
  }

  test('are analyzed, and their rows known to be seen by all', async () => {
    begin('off');
    await until(async () => (await analyzed()).length === 2);
    expect(await analyzed()).toEqual(['one "two', 'small']);
    expect(await found('select last_vacuum is not null from pg_stat_user_tables order by relname')).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  test('are analyzed also where an index has counted their rows', async () => {
    await foreign.raw('create index on small (n)');
    begin('off');
    await until(async () => (await analyzed()).includes('small'));
  });

  test('are those that the account owns, which need not rule the server, and gives way, too', async () => {
    const owner = `heddle_owner_${process.pid}`;
    await foreign.raw(`drop role if exists ${owner}`);
    await foreign.raw(`create role ${owner} login`);
    try {
      await slowDown();
      await foreign.raw(`alter table small owner to ${owner}`);
      begin('off', owner);
      await until(isWorking);
      await foreign.raw('alter table small add column m int');
      expect(await isWorking()).toBe(false);
      await foreign.raw('create or replace function slow(n int) returns int immutable language sql return n');
      await close!();
      begin('off', owner);
      await until(async () => (await analyzed()).includes('small'));
      expect(await analyzed()).not.toContain('one "two');
    } finally {
      await close?.();
      await foreign.raw(`reassign owned by ${owner} to postgres`);
      await foreign.raw(`drop role ${owner}`);
    }
  }, 30_000);

  test('are left to a server that looks after them', async () => {
    begin('on');
    await until(async () => asked.length > 0);
    await pause(50);
    expect(asked).toEqual(['show autovacuum']);
  });

  test('are left to whoever has begun', async () => {
    const { Client } = postgresDriver();
    const raw = new Client(connectionTo.postgres(place.name));
    await raw.connect();
    await raw.query('select pg_advisory_lock(1751475564, 1)');
    try {
      begin('off');
      await until(async () => closed > 0);
      await pause(50);
      expect(await analyzed()).toEqual([]);
    } finally {
      await raw.end();
    }
  });

  test('are left at once when the service stops', async () => {
    await slowDown();
    begin('off');
    await until(isWorking);
    const begun = performance.now();
    await close!();
    expect(performance.now() - begun).toBeLessThan(1_500);
    expect(await isWorking()).toBe(false);
    expect(await analyzed()).not.toContain('small');
  });

  test('are left to who waits for them', async () => {
    await slowDown();
    begin('off');
    await until(isWorking);
    const begun = performance.now();
    await foreign.raw('alter table small add column other int');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test.each([true, false])('are looked after once a service is warm, if it may: %p', async (mayBe) => {
    const app = await openApp(place, undefined, {}, { upkeep: mayBe });
    try {
      const begins = jest.spyOn(app.database.upkeep!, 'begin').mockImplementation(() => undefined);
      await app.warm();
      const tables = expect.arrayContaining(['things', 'heddle_meta']);
      expect(begins.mock.calls).toEqual(mayBe ? [[tables, expect.anything()]] : []);
    } finally {
      await app.close();
    }
  });
});
