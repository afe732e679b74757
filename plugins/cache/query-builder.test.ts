import type { Knex } from 'knex';
import { DATABASE } from '../sql';
import { client } from '../sql/store/database-app.fixture';
import { idOf, makePlace, type Place, type Service } from './cached-app.fixture';

// What plugins do over the query builder that ends transactions, or changes more than a statement names.

let place: Place;
let here: Service;
let there: Service;

beforeAll(async () => {
  place = await makePlace();
  here = await place.start();
  there = await place.start();
  await here.send('post', '/api/authors', { name: 'Ann' });
}, 60_000);
afterAll(() => place.remove());

const knexOf = (service: Service): Knex => service.get(DATABASE).knex();
const sleeping = client === 'mysql' ? 'sleep(0.3)' : 'pg_sleep(0.3)';
const authors = '/api/authors?fields=name&sort=id';
const shown = async (): Promise<string[]> =>
  ((await here.ask(authors)).body.data as { name: string }[]).map(({ name }) => name);
const stored = async (): Promise<string[]> =>
  ((await knexOf(there)('authors').orderBy('id').select('name')) as { name: string }[]).map(({ name }) => name);

const onServers = client === 'sqlite' ? test.skip : test;

onServers('what is given up takes nothing of the next transaction with it', async () => {
  const [asleep, changed] = [
    `${client === 'mysql' ? 'do sleep' : 'perform pg_sleep'}(0.5)`,
    "update authors set name='slept'",
  ];
  const body = `begin ${asleep}; ${changed}; end`;
  await knexOf(there).raw(`create procedure slow() ${client === 'mysql' ? body : `language plpgsql as $$ ${body} $$`}`);
  await knexOf(here)('authors').update({ name: 'before' });
  await expect(knexOf(here).raw('call slow()').timeout(100, { cancel: true })).rejects.toThrow();
  const undone = knexOf(here).transaction(async (on) => {
    for (let at = 0; at < 4; at += 1) await on('authors').update({ name: `undone ${at}` });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  // MariaDB interrupts no more than the sleep.
  for (const name of await stored()) expect(['before', 'slept']).toContain(name);
  expect(await shown()).toEqual(await stored());
});

onServers('of what is asked for at once each is done, or not, by itself', async () => {
  const knex = knexOf(here);
  await knex.raw('create table uniques (id int primary key)');
  const ask = (id: number) => knex('uniques').insert({ id });
  const connection = await knex.client.acquireConnection();
  const all = [ask(1), ask(1), ask(2)].map((each) => each.connection(connection));
  const ended = (await Promise.allSettled(all)).map(({ status }) => status);
  await knex.client.releaseConnection(connection);
  expect([ended, await knex('uniques').orderBy('id').pluck('id')]).toEqual([
    ['fulfilled', 'rejected', 'fulfilled'],
    [1, 2],
  ]);
});

describe('a stream', () => {
  const streamed = (sql: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const stream = knexOf(there).raw(sql).stream();
      stream.on('error', reject).on('close', resolve).resume();
    });

  onServers('that writes shows', async () => {
    await shown();
    await streamed("update authors set name='streamed'");
    expect(await shown()).toEqual(await stored());
    expect(await shown()).toContain('streamed');
  });

  onServers('that fails to write ends, and so does the transaction that it is in', async () => {
    await expect(streamed('delete from nowhere')).rejects.toThrow('nowhere');
    const work = knexOf(there).transaction(async (on) => {
      for await (const _ of on.raw('delete from nowhere').stream()) break;
    });
    await expect(work).rejects.toThrow('nowhere');
  });

  onServers('that nobody waits for any more changes nothing for who is lent the next connection', async () => {
    const stream = knexOf(there).raw(`update authors set name='late' where ${sleeping} is not null`).stream();
    stream.on('error', () => undefined);
    setTimeout(() => stream.destroy(), 100);
    await new Promise((resolve) => stream.on('close', resolve));
    await knexOf(there).transaction(async (on) => on('authors').update({ name: 'next' }));
    expect(await shown()).toEqual(await stored());
  });
});

test('rows that go with others by a key of somebody else drop what shows them', async () => {
  const tag = idOf(await here.send('post', '/api/tags', { label: 'a tag' }));
  const other = idOf(await here.send('post', '/api/authors', { name: 'Tagged' }));
  const knex = knexOf(here);
  const references = 'references tags (id) on delete cascade';
  if (client === 'mysql') {
    await knex.raw('alter table authors add column own_tag int unsigned');
    await knex.raw(`alter table authors add constraint own_tag_fk foreign key (own_tag) ${references}`);
  } else await knex.raw(`alter table authors add column own_tag int ${references}`);
  const ids = knex('tags').where({ document_id: tag }).max('id');
  await knex('authors').where({ document_id: other }).update({ own_tag: ids });
  expect(await shown()).toContain('Tagged');
  await there.send('delete', `/api/tags/${tag}`);
  expect(await shown()).not.toContain('Tagged');
});

(client === 'postgres' ? test : test.skip)('so do rules', async () => {
  await knexOf(here).raw("create rule ruling as on insert to tags do also update authors set name='ruled'");
  await shown();
  await there.send('post', '/api/tags', { label: 'another tag' });
  expect(await shown()).toEqual(['ruled']);
});
