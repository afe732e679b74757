import { type Candidate, heddle, peerIn, withService } from './candidates';
import { type Client, createPlace, type Place, removePlace } from './databases';
import { prepared } from './prepared';
import { withStatements } from './statements';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.
const client = (process.env['DATABASE_CLIENT'] ?? 'sqlite') as Client;

/** All that has a name: tables, columns, indexes and triggers. */
const catalogs: Readonly<Record<Client, string>> = {
  sqlite: `select type as kind, tbl_name as tbl, name from sqlite_master union all
    select 'column', m.name, c.name from sqlite_master m join pragma_table_xinfo(m.name) c where m.type='table'`,
  mysql: `select distinct 'index' as kind, table_name as tbl, index_name as name from information_schema.statistics where table_schema=database()
    union all select 'table', table_name, table_name from information_schema.tables where table_schema=database()
    union all select 'column', table_name, column_name from information_schema.columns where table_schema=database()
    union all select 'trigger', event_object_table, trigger_name from information_schema.triggers where trigger_schema=database()`,
  postgres: `select 'index' as kind, tablename as tbl, indexname as name from pg_indexes where schemaname='public'
    union all select 'table', tablename, tablename from pg_tables where schemaname='public'
    union all select 'column', table_name, column_name from information_schema.columns where table_schema='public'
    union all select 'trigger', event_object_table, trigger_name from information_schema.triggers where trigger_schema='public'`,
};

const namesIn = (place: Place): Promise<string[]> =>
  withStatements(place, async (run) =>
    (await run(catalogs[client])).map(({ kind, tbl, name }) => `${kind} ${tbl}.${name}`).sort(),
  );

const isHeddlesOwn = (name: string): boolean => /[ .](h|heddle)_/.test(name);

/** Somebody who finds the tables complete. */
const peer = (start: Candidate['start']): Candidate => ({ ...peerIn('/nowhere'), start });

const idle = async () => ({ url: '', pid: 0, startUp: 0, headers: () => ({}), stop: async () => undefined });

let filled: Place;
const places: Place[] = [];

beforeAll(async () => {
  filled = await createPlace(client);
  places.push(filled);
  await withService(heddle, filled, async () => undefined);
}, 60_000);

afterAll(async () => {
  for (const place of places) await removePlace(place);
});

test('the peer is given what it would have made, and nothing that only Heddle needs', async () => {
  const before = await namesIn(filled);
  const place = await prepared(peer(idle), filled);
  places.push(place);
  const after = await namesIn(place);
  expect(before.filter(isHeddlesOwn).length).toBeGreaterThan(100);
  expect(after).toEqual(before.filter((name) => !isHeddlesOwn(name)));
  expect(after).toContain('index articles.articles_documents_idx');
  expect(after).toContain('index articles_author_lnk.articles_author_lnk_fk');
}, 60_000);

test("what is Heddle's is gone before the peer starts, and is there where Heddle does", async () => {
  let met: string[] = [];
  const place = await prepared(
    peer(async (own) => {
      met = await namesIn(own);
      return idle();
    }),
    filled,
  );
  places.push(place);
  expect(met.filter(isHeddlesOwn)).toEqual([]);

  const before = await namesIn(filled);
  const ours = await prepared(heddle, filled);
  places.push(ours);
  expect(await namesIn(ours)).toEqual(before);
  const [madeBy] = await withStatements(ours, (run) => run('select value from heddle_meta where id=1'));
  expect(madeBy).toEqual({ value: 'heddle' });
}, 60_000);
