import { type Both, client, openBoth, watchStatements } from '../database-app.fixture';

// Lists in the order of an attribute that has an index, of which many documents meet what is asked, or few.

interface Thing {
  readonly code: string | null;
  readonly few: number;
  readonly many: number;
}

const things = Array.from(
  { length: 3_000 },
  (_, at): Thing => ({
    code: at % 50 === 0 ? null : `code ${String((at * 7_919) % 20_011).padStart(5, '0')}`,
    few: at % 100,
    many: at % 3,
  }),
);

let both: Both;
beforeAll(async () => {
  const integer = { type: 'integer' };
  both = await openBoth({
    code: { type: 'string', unique: true },
    title: { type: 'string' },
    few: integer,
    many: integer,
  });
  const { foreign } = both;
  const rows = things.map((thing, at) => ({ document_id: `d${at}`, ...thing, published_at: foreign.fn.now() }));
  await foreign.batchInsert('things', rows as never, 100);
  if (client === 'mysql') await foreign.raw('analyze table things');
});
afterAll(() => both.close());

interface Window {
  readonly start: number;
  readonly limit: number;
  readonly cursor?: string;
}

async function page(query: object, { start, limit, cursor }: Window) {
  const { app } = both;
  const window = () => ({ start, limit, total: cursor === undefined, ...(cursor !== undefined && { cursor }) });
  const operation = { action: 'find', type: app.type, rights: 'system', query: { ...query, window } };
  const { json, next, total } = await app.documents.read(operation);
  return { shown: JSON.parse(json.toString()) as Thing[], next, total };
}

/** What is asked for a page. */
async function asked(query: object, window: Window): Promise<string[]> {
  const statements: string[] = [];
  const stop = watchStatements(both.app.database, (sql) => void statements.push(sql));
  await page(query, window);
  stop();
  return statements;
}

type Order = (one: Thing, other: Thing) => number;

const byCode: Order = ({ code: one }, { code: other }) => {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  return one < other ? -1 : Number(one > other);
};
const down =
  (order: Order): Order =>
  (one, other) =>
    order(other, one);
const byMany: Order = (one, other) => one.many - other.many;

const sorts: [string, Order[]][] = [
  ['code', [byCode]],
  ['code:desc', [down(byCode)]],
  ['code,many:desc', [byCode, down(byMany)]],
  ['code:desc,many', [down(byCode), byMany]],
];
const filters: [object, (thing: Thing) => boolean][] = [
  [{ few: 50 }, ({ few }) => few === 50],
  [{ few: 7 }, ({ few }) => few === 7],
  [{ few: { $gt: 98 }, many: { $ne: 1 } }, ({ few, many }) => few > 98 && many !== 1],
  [{ few: 1_000 }, () => false],
  [{ many: 1 }, ({ many }) => many === 1],
  [{ $or: [{ many: 1 }, { few: 3 }] }, ({ few, many }) => many === 1 || few === 3],
];

const codesOf = (some: readonly Thing[]): (string | null)[] => some.map(({ code }) => code);

describe.each(sorts)('by %s', (sort, orders) => {
  test.each(filters)('of those with %j every page is there, and behind every cursor', async (filter, matches) => {
    const compare: Order = (one, other) => orders.reduce((found, order) => found || order(one, other), 0);
    const expected = codesOf(things.filter(matches).sort(compare));
    const query = { sort, filters: filter };
    for (const [start, limit] of [
      [0, 1],
      [0, 25],
      [7, 10],
      [20, 100],
    ] as const) {
      const { shown, total } = await page(query, { start, limit });
      expect([start, codesOf(shown), total]).toEqual([start, expected.slice(start, start + limit), expected.length]);
    }
    const walked: (string | null)[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined && walked.length < 200; ) {
      const { shown, next } = await page(query, { start: 0, limit: 20, cursor });
      walked.push(...codesOf(shown));
      cursor = next;
    }
    expect(walked).toEqual(expected.slice(0, walked.length));
    expect(walked.length).toBe(Math.min(expected.length, 200));
  });
});

const isPage = (sql: string): boolean => !sql.startsWith('select count(*)');
const first = { start: 0, limit: 25 };

/** Whether the database sorts the rows of a page. */
async function isSorted(query: object): Promise<boolean> {
  const sql = (await asked(query, first)).find(isPage)!;
  if (client === 'mysql') return sql.includes('force index (`h_things_narrow`)');
  const plan = await both.app.database.rows({ sql: `explain query plan ${sql.replaceAll(/\+?\?/g, '25')}` }, []);
  return JSON.stringify(plan).includes('USE TEMP B-TREE FOR ORDER BY');
}

const exceptPostgres = client === 'postgres' ? describe.skip : describe;

exceptPostgres('where the planner would go by the index', () => {
  test('few are sorted, many are not', async () => {
    expect(await isSorted({ sort: 'code', filters: { few: 8 } })).toBe(true);
    expect(await isSorted({ sort: 'code:desc', filters: { few: 8 } })).toBe(true);
    expect(await isSorted({ sort: 'code', filters: { many: 1 } })).toBe(false);
  });

  test('how many there are is found out once', async () => {
    const query = { sort: 'code', filters: { few: 9 } };
    const counts = (statements: readonly string[]): number => statements.filter((sql) => !isPage(sql)).length;
    // Besides the total.
    expect(counts(await asked(query, { ...first, cursor: '' }))).toBe(1);
    expect(counts(await asked(query, { ...first, cursor: '' }))).toBe(0);
  });

  test('nothing is counted where no index has the order, or all are shown', async () => {
    for (const query of [{ sort: 'many', filters: { few: 10 } }, { filters: { few: 10 } }, { sort: 'code' }])
      expect((await asked(query, { ...first, cursor: '' })).filter((sql) => !isPage(sql))).toEqual([]);
  });
});

const onMariadb = client === 'mysql' ? test : test.skip;

onMariadb('nothing is counted where that index lacks what is asked for, as texts are in none on a server', async () => {
  const query = { sort: 'code', filters: { title: 'x' } };
  expect((await asked(query, { ...first, cursor: '' })).filter((sql) => !isPage(sql))).toEqual([]);
});

onMariadb('a page is read without the index that stands for the table where somebody dropped it', async () => {
  const { foreign } = both;
  const query = { sort: 'code', filters: { few: 11 } };
  const before = await page(query, first);
  const [[{ 'Create Table': made }]] = await foreign.raw('show create table things');
  const [, columns] = /KEY `h_things_narrow` (\(.*\))/.exec(made)!;
  await foreign.raw('drop index h_things_narrow on things');
  expect(await page(query, first)).toEqual(before);
  await foreign.raw(`create index h_things_narrow on things ${columns}`);
});
