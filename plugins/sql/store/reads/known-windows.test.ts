import { postgres } from '../../dialects/postgres';
import { sqlite } from '../../dialects/sqlite';
import { client } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';
import { collectParameters } from '../select/statement-parts';
import type { SqlTransaction } from '../writes/sql-transaction';
import { forWindows } from './known-windows';

// A list whose start and size are bound at 0 and 1, and a part of each of its documents, at 2 and 3.
const listOn = (dialect: typeof postgres) =>
  forWindows(dialect, (spoken) => {
    const parameters = collectParameters(spoken);
    const part = spoken.window('parts', 2, 3, parameters);
    return { sql: spoken.window(part, 0, 1, parameters), parameters };
  });

test('sizes are written out where all parts begin at the start', () => {
  const list = listOn(postgres);
  const { sql, parameters } = list.of([0, 25, 0, 10]);
  expect([sql, parameters.values([0, 25, 0, 10])]).toEqual(['parts limit 10 limit 25', []]);
  expect(list.of([0, 25, 0, 10]).sql).toBe(sql);
  const endless = [0, Number.POSITIVE_INFINITY, 0, 10];
  expect(list.of(endless)).toBe(list.general);
  expect(list.general.parameters.values(endless)).toEqual([10, 0, Number.POSITIVE_INFINITY, 0]);
});

test('a part that begins elsewhere has its size written out, and within how many rows it is', () => {
  const list = listOn(postgres);
  const { sql, parameters } = list.of([25, 25, 0, 10]);
  expect(sql).toBe('select * from (parts limit 10 limit 128) w limit 25 offset $1::bigint');
  expect(parameters.values([25, 25, 0, 10])).toEqual([25]);
  const within = (start: number): string | undefined =>
    /\(parts limit 10 limit (\d+)\)/.exec(list.of([start, 25, 0, 10]).sql)?.[1];
  expect([103, 104, 487, 488, 32_743].map(within)).toEqual(['128', '512', '512', '2048', '32768']);
  expect(list.of([50, 25, 0, 10])).toBe(list.of([25, 25, 0, 10]));
  expect(list.of([32_744, 25, 0, 10])).toBe(list.general);
});

test('a part that begins elsewhere is in the order that is told, which is known to who selects from it', () => {
  const list = forWindows(postgres, (spoken) => {
    const parameters = collectParameters(spoken);
    return { sql: spoken.window('ids', 0, 1, parameters, (name) => `${name}.k0`), parameters };
  });
  expect(list.of([0, 25]).sql).toBe('ids limit 25');
  expect(list.of([25, 25]).sql).toBe('select * from (ids limit 128) w order by w.k0 limit 25 offset $1::bigint');
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

test('whoever walks through a list leaves room for first pages', () => {
  const list = listOn(postgres);
  const texts = new Set<string>();
  for (let size = 1; size < 20; size++)
    for (let start = 1; start < 40_000; start += 400) texts.add(list.of([start, size, 0, 10]).sql);
  expect(texts.size).toBe(9);
  expect(list.of([0, 25, 0, 10])).not.toBe(list.general);
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

  const runs = 30;

  test.each([
    ['a first page is', 'limit 25', () => 0],
    ['pages behind it are', 'limit 128', (run: number) => 1 + run],
  ])('%s planned once, and not at each run', async (_, text, startOf) => {
    const [planned, asIs] = await app.store.transaction(async (transaction) => {
      for (let run = 0; run < runs; run++) {
        const window = () => ({ start: startOf(run), limit: 25, total: false });
        const query = { populate: '*' as const, window };
        await app.documents.read(
          { action: 'find', type: app.registry.get('api::item.item'), rights: 'system', query },
          transaction,
        );
      }
      // A connection counts its own plans: all reads are to be on one.
      const sql = `select sum(custom_plans)::int, sum(generic_plans)::int from pg_prepared_statements where statement like '%${text}%'`;
      return (await (transaction as SqlTransaction).connection.rows({ sql }, []))[0]!;
    });
    expect(asIs).toBeGreaterThan(runs / 2);
    expect(planned).toBeLessThan(runs / 2);
  });
});
