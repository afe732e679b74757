import { client, watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// What SQLite makes of the statements that read; the servers plan by what they know of the tables.

const onSqlite = client === 'sqlite' ? test : test.skip;

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

async function stepsOf(read: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void statements.push(sql));
  await read();
  unwatch();
  const steps: string[] = [];
  for (const sql of statements) {
    const values = Array<number>(sql.split('?').length - 1).fill(1);
    const rows = await app.database.rows({ sql: `explain query plan ${sql}` }, values);
    steps.push(...rows.map((row) => String(row.at(-1))));
  }
  return steps;
}

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
