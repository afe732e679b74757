import type { Operation } from '../../core';
import { client, watchStatements } from '../sql/store/database-app.fixture';
import { makeLeaves, scaleFiles } from './scale.fixture';
import { versionsApp } from './versions-app.fixture';

// What SQLite makes of the statements; the servers plan by what they know of the tables.

const app = versionsApp(scaleFiles());

/** Reads a whole table, or all that stands in one attribute of all documents. */
const isWide = (step: string): boolean => /_(field|component_type)_idx/.test(step) || /^SCAN \w+$/.test(step);

async function plansOf(statements: Iterable<string>): Promise<Map<string, string[]>> {
  const plans = new Map<string, string[]>();
  for (const sql of statements) {
    const values = Array<number>(sql.split('?').length - 1).fill(1);
    const steps = await app().database.rows({ sql: `explain query plan ${sql}` }, values);
    const derived = [...sql.matchAll(/\) (\w+)\b/g)].map(([, alias]) => `SCAN ${alias}`);
    plans.set(
      sql,
      steps.map((step) => String(step.at(-1))).filter((step) => !derived.includes(step)),
    );
  }
  return plans;
}

(client === 'sqlite' ? test : test.skip)('no write reads more than what it is about', async () => {
  const content = await makeLeaves(app().documents, 10);
  const pages = app().documents.of('api::page.page');
  const body = content.body({ links: 3, zone: 3, nests: 2 });
  const statements = new Set<string>();
  const unwatch = watchStatements(app().database, (sql) => {
    if (!/heddle|strapi_/.test(sql)) statements.add(sql);
  });
  const id = String((await pages.create(body))['documentId']);
  await pages.update(id, body, { parameters: { status: 'draft' } });
  for (const name of ['publish', 'unpublish', 'publish', 'discardDraft']) {
    const type = app().registry.get('api::page.page');
    const operation: Operation = { action: name, type, documentId: id, query: {}, rights: 'system' };
    await app().actions.get(name)!.run(operation);
  }
  await pages.delete(id);
  unwatch();

  const plans = await plansOf(statements);
  const wide = [...plans].filter(([, steps]) => steps.some(isWide));
  expect(plans.size).toBeGreaterThan(30);
  expect(wide).toEqual([]);
});

test('a write takes few statements: one for a table on a level, and one for all ties that are read there', async () => {
  const content = await makeLeaves(app().documents, 10);
  const pages = app().documents.of('api::page.page');
  const body = content.body({ links: 3, zone: 3, nests: 2 });
  let statements = 0;
  const unwatch = watchStatements(app().database, () => {
    statements += 1;
  });
  const id = String((await pages.create(body))['documentId']);
  const created = statements;
  await pages.update(id, body);
  unwatch();
  const locks = client === 'sqlite' ? 0 : 6;
  expect(created).toBeLessThanOrEqual(52 + locks);
  expect(statements - created).toBeLessThanOrEqual(96 + locks);
});
