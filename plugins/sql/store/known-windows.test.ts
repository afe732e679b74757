import { postgres } from '../dialects/postgres';
import { sqlite } from '../dialects/sqlite';
import { client } from './database-app.fixture';
import { forWindows } from './known-windows';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';
import type { SqlTransaction } from './sql-transaction';
import { collectParameters } from './statement-parts';

// A list whose start and size are bound at 0 and 1, and a part of each of its documents, at 2 and 3.
const listOn = (dialect: typeof postgres) =>
  forWindows(dialect, (spoken) => {
    const parameters = collectParameters(spoken);
    return { sql: `${spoken.window(2, 3, parameters)}; ${spoken.window(0, 1, parameters)}`, parameters };
  });

test('sizes are written out where all parts begin at the start', () => {
  const list = listOn(postgres);
  const { sql, parameters } = list.of([0, 25, 0, 10]);
  expect([sql, parameters.values([0, 25, 0, 10])]).toEqual(['limit 10; limit 25', []]);
  expect(list.of([0, 25, 0, 10]).sql).toBe(sql);
  for (const bound of [
    [25, 25, 0, 10],
    [0, 25, 5, 10],
    [0, Number.POSITIVE_INFINITY, 0, 10],
  ]) {
    expect(list.of(bound)).toBe(list.general);
    expect(list.general.parameters.values(bound)).toEqual([bound[3], bound[2], bound[1], bound[0]]);
  }
});

test('a page behind a place has its size written out, and one more', () => {
  const behind = forWindows(postgres, (spoken) => {
    const parameters = collectParameters(spoken);
    return { sql: spoken.oneMore(0, parameters), parameters };
  });
  expect(behind.of([25]).sql).toBe('limit 26');
});

test('of many sizes, the first are written out: each is a text that the server keeps', () => {
  const list = listOn(postgres);
  const usual = list.of([0, 25, 0, 10]);
  const texts = new Set<string>();
  for (let size = 1; size < 20; size++) texts.add(list.of([0, size, 0, 10]).sql);
  expect(texts.size).toBe(4);
  expect(list.of([0, 25, 0, 10])).toBe(usual);
});

test('a database that plans at each run, or not by sizes, has one statement', () => {
  const list = listOn(sqlite);
  expect(list.of([0, 25, 0, 10])).toBe(list.general);
});

(client === 'postgres' ? describe : describe.skip)('on PostgreSQL', () => {
  let app: LinkedApp;
  beforeAll(async () => {
    app = await openLinkedApp();
  });
  afterAll(() => app.remove());

  test('a first page is planned once, and not at each run', async () => {
    const operation = {
      action: 'find' as const,
      type: app.registry.get('api::item.item'),
      rights: 'system' as const,
      query: { populate: '*' as const, window: () => ({ start: 0, limit: 25, total: false }) },
    };
    // A connection counts its own plans: all reads are to be on one.
    const [plans] = await app.store.transaction(async (transaction) => {
      for (let run = 0; run < 20; run++) await app.documents.read(operation, transaction);
      return (transaction as SqlTransaction).connection.rows(
        {
          sql: "select sum(generic_plans)::int, sum(custom_plans)::int from pg_prepared_statements where statement like '%limit 25%'",
        },
        [],
      );
    });
    expect(plans![0]).toBeGreaterThan(8);
    expect(plans![1]).toBeLessThan(10);
  });
});
