import knexFactory, { type Knex } from 'knex';
import { DATABASE } from '../sql';
import { client, connectionTo } from '../sql/store/database-app.fixture';
import { makePlace, type Place, type Service } from './cached-app.fixture';

// What plugins do over the query builder in, around and behind transactions that end otherwise than by a plain commit or
// rollback: after each statement every answer shows what the database holds, and that is what it would hold without the cache.

const before = "update authors set name='before'";
const behind = "update authors set name='behind'";
const failing = 'update authors set nothing=1';
const table = 'create table if not exists beside (a int)';

/** Between a beginning and an end, each with a write before it and one behind. */
const inside: Readonly<Record<typeof client, readonly string[]>> = {
  sqlite: [],
  mysql: [
    'begin',
    'start transaction',
    'start transaction read only',
    'start transaction /* read only for now */',
    `/* job 7 */ ${table}`,
    '# job 7\ncommit',
    '/*!50000 commit */',
    "execute immediate 'commit'",
    `set statement max_statement_time=1 for ${table}`,
    "begin not atomic update authors set name='inside'; commit; end",
    "begin not atomic update authors set name='inside'; commit; begin; update authors set name='within'; end",
    'commit and chain',
    'rollback and chain',
    'commit and no chain no release',
    'set autocommit=0',
    'set default role none',
    'set session transaction read only',
    'do 0',
    'call proceed()',
    'call failing()',
    failing,
    'savepoint one',
    'with a as (select 1) select * from a',
  ],
  postgres: [
    'begin',
    'set transaction read only',
    'select 1; set transaction read only',
    'set session characteristics as transaction read only',
    "select set_config('transaction_read_only', 'on', true)",
    'set local search_path to other, public',
    'discard plans',
    'begin /* not read only */',
    '/* job /* 7 */ */ commit',
    '/* a /* b */ select */ commit',
    table,
    'commit and chain',
    'rollback and chain',
    'commit; select 1',
    'end; select 1',
    'commit; -- done',
    "commit; update authors set name='inside'",
    "rollback; update authors set name='inside'",
    "commit; update authors set name='inside'; begin; update authors set name='within'",
    "do $$ begin update authors set name='inside'; end $$",
    'call proceed()',
    failing,
    `savepoint one; ${before}`,
    'declare c cursor for select 1',
    "with a as (update authors set name='inside' returning 1) select * from a",
  ],
};

const whole: Readonly<Record<typeof client, readonly (readonly string[])[]>> = {
  sqlite: [],
  mysql: [
    ['start transaction read only', 'begin', before, 'commit', behind],
    ['set autocommit=0', before, 'rollback', behind, 'commit', before, 'set autocommit=1', behind],
    ['start transaction', failing, before, 'rollback'],
    ['call proceed()', before, 'rollback', 'call failing()', behind],
    ['begin not atomic begin; update authors set name=1; end', before, 'rollback', behind],
  ],
  postgres: [
    ['begin read only', 'set transaction read write', before, 'commit', behind],
    ['begin read only', 'commit and chain', 'declare c cursor for select 1', 'commit', behind],
    ['begin read only', 'do $$ begin perform 1; end $$', 'commit', behind],
    ['begin', before, 'savepoint one', failing, 'rollback to savepoint one', behind, 'commit'],
    [`begin; ${before}`, behind, 'rollback', behind],
    [`begin; ${before}`, 'commit'],
    [`${before}; ${failing}`, behind],
    [`begin; ${before}; commit; ${failing}`, behind],
    ['begin', `${before}; ${failing}`, 'commit', behind],
    ['begin', before, 'commit; -- done', behind, 'rollback', before],
    ['call proceed()', before],
  ],
};

const scripts = [
  ...inside[client].flatMap((sql) => ['commit', 'rollback'].map((end) => ['begin', before, sql, behind, end, before])),
  ...inside[client].map((sql) => [sql, before, 'rollback', behind]),
  ...whole[client],
];

/** What a procedure does that ends transactions of its own, and one that fails behind that. */
const procedures: Readonly<Record<typeof client, readonly string[]>> = {
  sqlite: [],
  mysql: [
    "create procedure proceed() begin update authors set name='proceeded'; commit; end",
    "create procedure failing() begin update authors set name='failing'; commit; update authors set nothing=1; end",
  ],
  postgres: [
    "create procedure proceed() language plpgsql as $$ begin update authors set name='proceeded'; commit; end $$",
  ],
};

/** Undoes what is set for a session. */
const asBefore: Readonly<Record<typeof client, readonly string[]>> = {
  sqlite: [],
  mysql: ['set autocommit=1', 'set session transaction read write'],
  postgres: ['set session characteristics as transaction read write'],
};

let place: Place;
let services: readonly Service[];
let plain: Knex;

const knexOf = (service: Service): Knex => service.get(DATABASE).knex();
const stored = async (): Promise<string> => (await plain('authors').first('name')).name;
const shown = async (service: Service): Promise<string> =>
  (await service.ask('/api/authors?fields=name')).body.data[0].name;

/** What the database holds after each statement, of which some fail. */
async function played(knex: Knex, script: readonly string[], after: () => Promise<void>): Promise<string[]> {
  await plain.raw("update authors set name='start'");
  await knex.raw("update authors set name='begun'");
  const connection = await knex.client.acquireConnection();
  const held: string[] = [];
  try {
    for (const sql of script) {
      const failure = await knex
        .raw(sql)
        .connection(connection)
        .then(
          () => '',
          ({ message }: Error) => `, failed: ${message}`,
        );
      held.push((await stored()) + failure);
      await after();
    }
  } finally {
    await knex.raw('rollback').connection(connection);
    for (const sql of asBefore[client]) await knex.raw(sql).connection(connection);
    await knex.client.releaseConnection(connection);
  }
  await after();
  return [...held, await stored()];
}

(client === 'sqlite' ? describe.skip : describe)('answers after each of', () => {
  beforeAll(async () => {
    place = await makePlace();
    services = [await place.start(), await place.start()];
    await services[0]!.send('post', '/api/authors', { name: 'start' });
    plain = knexFactory({ client: client === 'mysql' ? 'mysql2' : 'pg', connection: connectionTo[client](place.name) });
    for (const sql of procedures[client]) await plain.raw(sql);
  }, 60_000);
  afterAll(async () => {
    await plain.destroy();
    await place.remove();
  });

  test.each(scripts.map((script) => [script.join(' | '), script] as const))('%s', async (_, script) => {
    const asWithout = await played(plain, script, async () => undefined);
    const held = await played(knexOf(services[0]!), script, async () => {
      const now = await stored();
      for (const service of services) expect(await shown(service)).toBe(now);
    });
    expect(held).toEqual(asWithout);
  });
});
