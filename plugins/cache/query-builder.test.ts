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
const authors = '/api/authors?fields=name&sort=id';
const shown = async (): Promise<string[]> =>
  ((await here.ask(authors)).body.data as { name: string }[]).map(({ name }) => name);
const stored = async (): Promise<string[]> =>
  ((await knexOf(there)('authors').orderBy('id').select('name')) as { name: string }[]).map(({ name }) => name);

const endings: Readonly<Record<typeof client, readonly string[]>> = {
  mysql: [
    'begin',
    'start transaction',
    '/* job 7 */ create table if not exists beside (a int)',
    '# job 7\ncommit',
    '/*!50000 commit */',
    "execute immediate 'commit'",
    'set statement max_statement_time=1 for create table if not exists beside (a int)',
    "begin not atomic update authors set name='inside'; commit; end",
    'commit and chain',
  ],
  postgres: ['begin', '/* job /* 7 */ */ commit', 'create table if not exists beside (a int)', 'commit and chain'],
  sqlite: [],
};

const onServers = client === 'sqlite' ? test.skip : test;

(client === 'sqlite' ? describe.skip : describe).each(['kept', 'undone'])('a transaction that is to be %s', (end) => {
  test.each(endings[client])('leaves no old answer behind "%s"', async (sql) => {
    for (const service of [here, there]) {
      await shown();
      const name = `${end} ${Math.random()}`;
      const work = knexOf(service).transaction(async (on) => {
        await on('authors').update({ name });
        await on.raw(sql);
        await on('authors').update({ name: `${name} behind` });
        expect(await shown()).toEqual(await stored());
        if (end === 'undone') throw new Error('undone');
      });
      if (end === 'undone') await expect(work).rejects.toThrow('undone');
      else await work;
      expect(await shown()).toEqual(await stored());
    }
  });
});

onServers('what is rolled back behind "commit and chain" is, with the cache as without', async () => {
  const undone = knexOf(here).transaction(async (on) => {
    await on('authors').update({ name: 'first' });
    await on.raw('commit and chain');
    await on('authors').update({ name: 'second' });
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect([await stored(), await shown()]).toEqual([['first'], ['first']]);
});

onServers('procedures may end transactions of their own', async () => {
  const [make, call] =
    client === 'mysql'
      ? ["begin update authors set name='proceeded'; commit; end", 'call proceed()']
      : ["language plpgsql as $$ begin update authors set name='proceeded'; commit; end $$", 'call proceed()'];
  await knexOf(there).raw(`create procedure proceed() ${make}`);
  for (const service of [here, there]) {
    await knexOf(service)('authors').update({ name: 'before' });
    expect(await shown()).toEqual(['before']);
    await knexOf(service).raw(call);
    expect(await shown()).toEqual(['proceeded']);
  }
});

(client === 'mysql' ? test : test.skip)('what a stream writes shows', async () => {
  await shown();
  await new Promise((resolve, reject) => {
    const stream = knexOf(there).raw("update authors set name='streamed'").stream();
    stream.on('error', reject).on('close', resolve).resume();
  });
  expect(await shown()).toEqual(['streamed']);
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
