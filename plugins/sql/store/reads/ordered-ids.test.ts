import type { Knex } from 'knex';
import { type Both, client, type Opened, openApp, openBoth, watchStatements } from '../database-app.fixture';

// Lists of all documents of one status, in the order of their ids.

const drafts = { options: { draftAndPublish: true } };
const attributes = { n: { type: 'integer' } };

/** Documents that all have a draft, and of which some are published. */
const rows = (knex: Knex, count: number, isPublished: (at: number) => boolean): object[] =>
  Array.from({ length: count }, (_, at) => {
    const row = { document_id: `d${at}`, n: at };
    return [{ ...row, published_at: null }, ...(isPublished(at) ? [{ ...row, published_at: knex.fn.now() }] : [])];
  }).flat();

const inThree = (at: number): boolean => at % 3 > 0;

const publishedOf = (count: number): number[] => Array.from({ length: count }, (_, at) => at).filter(inThree);

async function page(app: Opened, start: number, limit: number) {
  const query = { window: () => ({ start, limit, total: true }) };
  const { json, total } = await app.documents.read({ action: 'find', type: app.type, rights: 'system', query });
  return { shown: (JSON.parse(json.toString()) as { n: number }[]).map(({ n }) => n), total };
}

/** What is asked for a page. */
async function asked(app: Opened, start: number): Promise<string[]> {
  const statements: string[] = [];
  const stop = watchStatements(app.database, (sql) => void statements.push(sql));
  try {
    await page(app, start, 25);
    return statements;
  } finally {
    stop();
  }
}

const isPage = (sql: string): boolean => /\boffset\b/.test(sql);

async function filled(count: number, isPublished: (at: number) => boolean): Promise<Both> {
  const both = await openBoth(attributes, drafts);
  await both.foreign.batchInsert('things', rows(both.foreign, count, isPublished) as never, 100);
  if (client === 'mysql') await both.foreign.raw('analyze table things');
  return both;
}

test('every page has the published documents in order, and their number', async () => {
  const { app, close } = await filled(900, inThree);
  const expected = publishedOf(900);
  for (let start = 0; start <= 602; start += 43)
    for (const limit of [1, 25, 100]) {
      const { shown, total } = await page(app, start, limit);
      expect([start, limit, shown]).toEqual([start, limit, expected.slice(start, start + limit)]);
      expect(total).toBe(600);
    }
  await close();
});

test('documents of which all are shown are listed, whatever condition says so', async () => {
  const { app, close } = await openBoth(attributes);
  for (const n of [1, 2]) await app.things.create({ n });
  expect(await app.things.find({ filters: { $and: [] }, sort: 'id', fields: ['n'] })).toMatchObject([
    { n: 1 },
    { n: 2 },
  ]);
  await close();
});

test('every page has those of the default locale alone', async () => {
  const { app, foreign, close } = await openBoth(attributes, {
    ...drafts,
    pluginOptions: { i18n: { localized: true } },
  });
  const inBoth = rows(foreign, 600, () => true).flatMap((row) => ['fr', 'en'].map((locale) => ({ ...row, locale })));
  await foreign.batchInsert('things', inBoth as never, 100);
  const expected = Array.from({ length: 600 }, (_, at) => at);
  for (const start of [0, 300, 590])
    expect(await page(app, start, 25)).toEqual({ shown: expected.slice(start, start + 25), total: 600 });
  // A quarter of the rows: one of two statuses, in one of two locales.
  if (client === 'mysql') expect((await asked(app, 25)).find(isPage)).toContain('force index');
  await close();
});

const onMariadb = client === 'mysql' ? describe : describe.skip;

onMariadb('on MariaDB', () => {
  let both: Both;
  beforeAll(async () => {
    both = await filled(2_000, inThree);
  });
  afterAll(() => both.close());

  test('where many rows are shown, pages come out of the index of ids, which is found out once', async () => {
    const first = await asked(both.app, 600);
    expect(first.filter((sql) => sql.includes(' desc limit'))).toHaveLength(1);
    const again = await asked(both.app, 625);
    expect(again.filter((sql) => sql.includes(' desc limit'))).toEqual([]);
    const sql = again.find(isPage)!.replace('limit ? offset ?', 'limit 25 offset 625');
    const plan = await both.app.database.rows({ sql: `explain ${sql}` }, []);
    const found = plan.find(([, type]) => type === 'DERIVED')!;
    expect([found[5], found[9]]).toEqual(['h_things_id_idx', 'Using where; Using index']);
  });

  test('what else orders or limits a list leaves it to the planner', async () => {
    const { app } = both;
    const firstTwo = () => ({ start: 0, limit: 2, total: false });
    const statements: string[] = [];
    const stop = watchStatements(app.database, (sql) => void statements.push(sql));
    for (const query of [
      { sort: 'id,n' },
      { sort: 'n' },
      { filters: { n: { $gt: 3 } } },
      { filters: { publishedAt: { $gt: '2020-01-01' } } },
    ])
      expect(await app.things.find({ ...query, window: firstTwo })).toHaveLength(2);
    stop();
    expect(statements.filter((sql) => sql.includes('force index'))).toEqual([]);
    expect(await app.things.find({ sort: 'id:desc', window: firstTwo, fields: ['n'] })).toMatchObject([
      { n: 1_999 },
      { n: 1_997 },
    ]);
  });

  test('a transaction tries nothing that may fail', async () => {
    const { app, foreign } = both;
    expect((await asked(app, 0)).find(isPage)).toContain('force index');
    await foreign.raw('drop index h_things_id_idx on things');
    const query = { window: () => ({ start: 5, limit: 2, total: true }) };
    const read = { action: 'find', type: app.type, rights: 'system', query } as const;
    for (let times = 0; times < 2; times++)
      await app.store.transaction(async (transaction) => {
        const { count, total } = await app.documents.read(read, transaction);
        expect([count, total]).toEqual([2, 1_333]);
      });
    await foreign.raw('create index h_things_id_idx on things (id, published_at, locale)');
  });

  test('a page is read without that index where somebody dropped it, before it was found out or after', async () => {
    const { app, foreign, place } = both;
    const shown = publishedOf(2_000).slice(50, 52);
    expect((await asked(app, 0)).find(isPage)).toContain('force index');
    await foreign.raw('drop index h_things_id_idx on things');
    expect(await page(app, 50, 2)).toEqual({ shown, total: 1_333 });
    await foreign.raw("delete from heddle_meta where ?? = 'layout'", ['key']);
    const again = await openApp(place);
    await foreign.raw('drop index h_things_id_idx on things');
    expect(await page(again, 50, 2)).toEqual({ shown, total: 1_333 });
    await again.close();
  });
});

onMariadb('where few rows are shown', () => {
  test.each([
    ['at the start', (at: number) => at > 1_500],
    ['at the end', (at: number) => at < 500],
    ['in the middle', (at: number) => at < 500 || at > 1_500],
    ['anywhere', (at: number) => at % 10 === 0],
  ])('%s, the planner finds the pages', async (_, isPublished) => {
    const { app, close } = await filled(2_000, isPublished);
    expect((await asked(app, 25)).find(isPage)).not.toContain('force index');
    const all = Array.from({ length: 2_000 }, (__, at) => at).filter(isPublished);
    expect((await page(app, 25, 3)).shown).toEqual(all.slice(25, 28));
    await close();
  });
});
