import { writtenBy } from '../changes/written';
import type { Rows } from '../database/database';
import { client, watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// What databases make of the statements that read; most of it shows on SQLite, for servers plan by what they know of the tables.

const onSqlite = client === 'sqlite' ? test : test.skip;
const onMysql = client === 'mysql' ? test : test.skip;
const onPostgres = client === 'postgres' ? test : test.skip;

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

/** What the database says that it does for each statement of a read. */
async function explained(read: () => Promise<unknown>, explain: string): Promise<Rows[0][]> {
  const asked = jest.spyOn(app.database, 'rows');
  await read();
  const statements = asked.mock.calls.map(([statement]) => statement);
  asked.mockRestore();
  const all: Rows[0][] = [];
  for (const statement of statements) {
    const values = Array<number>(statement.sql.match(/\?|\$\d+/g)?.length ?? 0).fill(1);
    all.push(...(await app.database.rows({ ...statement, sql: `${explain} ${statement.sql}` }, values)));
  }
  return all;
}

const stepsOf = async (read: () => Promise<unknown>): Promise<string[]> =>
  (await explained(read, 'explain query plan')).map((row) => String(row.at(-1)));

onSqlite('what is tied to a document comes in its order out of an index, unsorted', async () => {
  const items = app.documents.of('api::item.item');
  const whole = {
    populate: { pages: { populate: '*' }, zone: { populate: '*' }, tags: true, marks: true, next: true },
  };
  const steps = await stepsOf(() => items.find(whole));
  expect(steps.filter((step) => step.includes('h_items_cmps_entity_id_idx (entity_id=? AND field=?)'))).toHaveLength(2);
  expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
  expect(steps.filter((step) => /_(field|component_type)_idx/.test(step))).toEqual([]);
});

onSqlite('an order of its own is sorted', async () => {
  const items = app.documents.of('api::item.item');
  const steps = await stepsOf(() => items.find({ populate: { tags: { sort: 'name:desc' } } }));
  expect(steps).toContainEqual(expect.stringContaining('TEMP B-TREE'));
});

onPostgres('components are found by their document before the server knows its tables', async () => {
  await app.database.knex().raw(`
    alter table items set (autovacuum_enabled = false); alter table items_cmps set (autovacuum_enabled = false);
    insert into items (document_id) select n::text from generate_series(1, 2000) n;
    insert into items_cmps (entity_id, cmp_id, component_type, field, "order") select id, id, 'part.page', 'pages', 1 from items`);
  const items = app.documents.of('api::item.item');
  const either = { $or: [{ pages: { text: 'one' } }, { name: 'one' }] };
  for (const query of [{ populate: { pages: true, zone: true } }, { filters: either }]) {
    const steps = (await explained(() => items.find(query), 'explain')).map(([step]) => String(step));
    expect(steps).toContainEqual(expect.stringContaining('items_cmps'));
    expect(
      steps.filter((step) => /Seq Scan on items_cmps|items_(field|component_type)_idx|_cmps_field_idx/.test(step)),
    ).toEqual([]);
  }
});

onPostgres('what is tied to the documents of a page is read for all of them at once', async () => {
  const items = app.documents.of('api::item.item');
  const stepsFor = async (populate: object): Promise<string[]> =>
    (await explained(() => items.find({ populate }), 'explain')).map(([step]) => String(step));
  const whole = { pages: { populate: '*' }, zone: true, tags: true, marks: true, next: true };
  const among = (steps: readonly string[], part: string): string[] => steps.filter((step) => step.includes(part));
  const steps = await stepsFor(whole);
  // A select inside of a row's text is there for the types of the zone alone.
  expect(among(steps, 'SubPlan')).toHaveLength(2);
  expect(among(await stepsFor({ tags: { sort: 'name' } }), 'SubPlan')).toHaveLength(1);
});

onPostgres('a list with what is tied to it changes nothing', async () => {
  const sent: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void sent.push(sql));
  await app.documents.of('api::item.item').find({ populate: '*' });
  unwatch();
  expect(sent.map(writtenBy)).toEqual([undefined]);
});

onPostgres('a filter by components leaves it to the planner where to begin', async () => {
  const statements: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
  await app.documents.of('api::item.item').find({ filters: { pages: { text: 'one' } } });
  unwatch();
  expect(statements).toContainEqual(expect.stringContaining(`."field"='pages'`));
});

onPostgres('the texts of a page are not sorted, wherever it begins', async () => {
  const type = app.registry.get('api::item.item');
  for (const sort of ['id', 'name:desc', 'next.name'])
    for (const start of [0, 50]) {
      const query = { sort, window: () => ({ start, limit: 25, total: false }) };
      const read = () => app.documents.read({ action: 'find', type, rights: 'system', query });
      const [first, ...rest] = (await explained(read, 'explain')).map(([step]) => String(step));
      expect(first).toMatch(/^Nested Loop/);
      // What is looked up for each row that is sorted is looked up once.
      expect(rest.filter((step) => /SubPlan \d+$/.test(step))).toHaveLength(sort === 'next.name' ? 1 : 0);
    }
});

onMysql('one document is read without a table of what was found first, and so are several', async () => {
  const items = app.documents.of('api::item.item');
  const [one, other] = [await items.create({ name: 'one' }), await items.create({ name: 'other' })].map((item) =>
    String(item.documentId),
  );
  const kindsOf = async (read: () => Promise<unknown>): Promise<string[]> => [
    ...new Set((await explained(read, 'explain')).map((row) => String(row[1]))),
  ];
  expect(await kindsOf(() => items.find())).toContain('DERIVED');
  expect(await kindsOf(() => items.findOne(one!))).toEqual(['SIMPLE']);
  expect(await kindsOf(() => Promise.all([items.findOne(one!), items.findOne(other!)]))).toEqual(['SIMPLE']);
});

onMysql('a page is put in order before the texts of its rows are made', async () => {
  const items = app.documents.of('api::item.item');
  // Of fewer rows, it would go through all, and look in the page for each.
  for (let at = 0; at < 60; at++) await items.create({ name: `n${at}` });
  const rows = await explained(() => items.find({ sort: 'name:desc' }), 'explain');
  const extras = rows.map((row) => String(row.at(-1)));
  expect(extras).toContainEqual(expect.stringContaining('Using filesort'));
  expect(extras.filter((extra) => extra.includes('Using temporary'))).toEqual([]);
});

onMysql('what is tied to a page is found by its rows, and what it leads to by the ties', async () => {
  const populate = { pages: { populate: '*' }, zone: { populate: '*' }, tags: true, marks: true, next: true };
  const steps = await explained(() => app.documents.of('api::item.item').find({ populate }), 'explain');
  const walked = steps.filter(([, , table, way]) => table !== null && !['ref', 'eq_ref'].includes(String(way)));
  // The ids of the page, in its select and where they are noted; from there on, what was noted is gone through.
  const others = walked.filter(([, , , , , , , , , how]) => !String(how).includes('json_table'));
  expect(others.map(([, kind]) => kind)).toEqual(['SUBQUERY', 'DERIVED']);
});
