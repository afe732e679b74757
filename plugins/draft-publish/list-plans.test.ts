import { type Application, CONTENT, createApplication, DOCUMENTS, type Documents, type RawConfig } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import sql, { DATABASE } from '../sql';
import type { Database } from '../sql/database/database';
import { client, connectionTo, watchStatements } from '../sql/store/database-app.fixture';
import draftPublish from '.';

// What SQLite makes of lists, which is the same however many documents there are: it plans without statistics.

const typeFile = (name: string, attributes: object): [string, object] => [
  `src/api/${name}/content-types/${name}/schema.json`,
  { info: { singularName: name, pluralName: `${name}s` }, options: { draftAndPublish: true }, attributes },
];
const files = Object.fromEntries([
  typeFile('post', {
    title: { type: 'string' },
    slug: { type: 'uid' },
    price: { type: 'decimal' },
    rating: { type: 'integer' },
    body: { type: 'richtext' },
    writer: { type: 'relation', relation: 'manyToOne', target: 'api::writer.writer', inversedBy: 'posts' },
  }),
  typeFile('writer', {
    name: { type: 'string' },
    posts: { type: 'relation', relation: 'oneToMany', target: 'api::post.post', mappedBy: 'writer' },
  }),
]);

let folder: AppFolder;
let app: Application;
let documents: Documents;
let database: Database;

const start = (overrides: RawConfig): Promise<Application> =>
  createApplication({
    ...folder,
    shipped: {
      plugins: Object.fromEntries([sql, draftPublish].map((each) => [each.name, { default: true, load: () => each }])),
      inert: {},
    },
    env: { NODE_ENV: 'test' },
    overrides,
  } as never);

const onFile = (name: string, indexes = {}): RawConfig => ({
  database: {
    connection: { client: 'sqlite', connection: connectionTo.sqlite(`${folder.dataDir}/${name}.db`) },
    indexes,
  },
});

beforeAll(async () => {
  folder = appFolder(files);
  app = await start(onFile('data', { 'api::post.post': ['price', 'updatedAt'] }));
  await app.start();
  documents = app.kernel.services.get(DOCUMENTS);
  database = app.kernel.services.get(DATABASE);
  const writers: string[] = [];
  for (const name of ['rare', 'common', 'idle'])
    writers.push(String((await documents.of('api::writer.writer').create({ name }))['documentId']));
  for (let at = 0; at < 40; at++)
    await documents
      .of('api::post.post')
      .create({ title: `t${at % 7}`, slug: `s${at}`, price: at % 5, rating: at, writer: writers[at === 11 ? 0 : 1]! });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

interface Asked {
  readonly query?: object;
  readonly page?: number;
  /** From behind the first page on. */
  readonly byCursor?: boolean;
  /** Looks at how the total is counted, not at how the page is found. */
  readonly counting?: boolean;
}

async function answered({ query = {}, page = 1, byCursor, counting = false }: Asked, limit = 3) {
  const type = app.kernel.services.get(CONTENT).get('api::post.post');
  const read = (cursor?: string) =>
    documents.read({
      action: 'find',
      type,
      rights: 'system',
      query: { ...query, window: () => ({ start: (page - 1) * limit, limit, total: !byCursor, cursor }) },
    });
  const statements = new Set<string>();
  const first = byCursor ? await read('') : undefined;
  const unwatch = watchStatements(database, (text) => void statements.add(text));
  const answer = await read(first?.next);
  unwatch();
  const steps: string[] = [];
  // Totals are counted once, and kept.
  const isCount = (text: string): boolean => text.startsWith('select count(');
  for (const text of [...statements].filter((each) => isCount(each) === counting)) {
    const values = Array<number>(text.split('?').length - 1).fill(1);
    for (const step of await database.rows({ sql: `explain query plan ${text}` }, values))
      steps.push(String(step.at(-1)));
  }
  const slugs = (JSON.parse(answer.json.toString()) as { slug: string }[]).map(({ slug }) => slug);
  return { steps, slugs, total: answer.total };
}

/** Goes through a whole table, or sorts what it found: all of it, not only what ties. */
const isWide = (step: string): boolean =>
  /^SCAN t$/.test(step) || /documents_idx|_row\b/.test(step) || step === 'USE TEMP B-TREE FOR ORDER BY';

const lists: [string, Asked][] = [
  ['a page', {}],
  ['drafts', { query: { parameters: { status: 'draft' } } }],
  ['a page far behind', { page: 12 }],
  ['what has a uid', { query: { filters: { slug: 's7' }, sort: 'slug' } }],
  ['an order by a uid', { query: { sort: 'slug' } }],
  ['the same descending', { query: { sort: 'slug:desc' } }],
  ['an order by an attribute that the configuration names', { query: { sort: 'price:desc' } }],
  // Of fewer than twelve for each of a page, all would be sorted.
  ['the same, filtered', { query: { sort: 'price:desc', filters: { rating: { $gte: 1 } } } }],
  ['an order by the time of the last change', { query: { sort: 'updatedAt:desc' } }],
  ['the next page', { byCursor: true }],
];

const onSqlite = client === 'sqlite' ? describe : describe.skip;

onSqlite('no list goes through a whole table, or sorts it', () => {
  test.each(lists)('%s', async (_, asked) => {
    const { steps, slugs } = await answered(asked);
    expect(slugs.length).toBeGreaterThan(0);
    expect(steps.length).toBeGreaterThan(1);
    expect(steps.filter(isWide)).toEqual([]);
  });

  test.each(['slug', 'slug:desc', 'price', 'price:desc'])(
    'the next page by %s, of which each part is a range',
    async (sort) => {
      const { steps } = await answered({ query: { sort }, byCursor: true });
      const found = steps.filter((step) => /\bt\b/.test(step) && !/rowid/.test(step));
      expect(found.length).toBeGreaterThan(1);
      expect(found.filter((step) => !/^SEARCH t USING COVERING INDEX h_posts_(slug|price)_idx \(/.test(step))).toEqual(
        [],
      );
    },
  );

  test.each(['published', 'draft'])('what is %s is counted without a look at rows', async (status) => {
    const query = { parameters: { status }, filters: { id: { $ne: status.length } } };
    const { steps, total } = await answered({ query, counting: true });
    expect(steps).toEqual([
      expect.stringMatching(/^SCAN t USING COVERING INDEX h_posts_\w+_idx$/),
      'SCALAR SUBQUERY 1',
      expect.stringMatching(/^SCAN pragma_data_version /),
    ]);
    expect(total).toBe(40 - Number(status === 'draft'));
  });

  test.each([
    ['an order by a text', { query: { sort: 'title' } }, '>?'],
    [
      'an order by a number, filtered',
      { query: { sort: 'rating:desc', filters: { title: { $in: ['t1', 't2'] } } } },
      '>?',
    ],
    ['drafts in such an order', { query: { sort: 'rating', parameters: { status: 'draft' } } }, '=?'],
    ['an order by a link', { query: { sort: 'writer.name' } }, '>?'],
    [
      'what some link',
      { query: { sort: 'title', filters: { $or: [{ writer: { name: 'rare' } }, { rating: 3 }] } } },
      '>?',
    ],
    ['a number of some', { query: { filters: { rating: { $gte: 9 }, title: 't1' } }, counting: true }, '>?'],
  ] satisfies [string, Asked, string][])('%s is looked for in the narrow index', async (_, asked, met) => {
    const { steps, slugs } = await answered(asked);
    expect(slugs.length).toBeGreaterThan(0);
    expect(steps).toContain(`SEARCH t USING COVERING INDEX h_posts_narrow (published_at${met})`);
    expect(steps.filter((step) => step === 'SCAN t')).toEqual([]);
  });

  test('what is not in the narrow index is looked for in the table', async () => {
    const { steps } = await answered({ query: { sort: 'title', filters: { body: { $notNull: false } } } });
    expect(steps.filter(isWide)).toEqual(['SCAN t', 'USE TEMP B-TREE FOR ORDER BY']);
  });

  test('links of one row are gone along in the order of the list, and no further than to the end of the page', async () => {
    const { steps, slugs, total } = await answered({ query: { filters: { writer: { name: 'common' } } } });
    expect([slugs, total]).toEqual([['s0', 's1', 's2'], 39]);
    expect(steps).toContain('SEARCH f USING COVERING INDEX h_posts_writer_lnk_along (writer_id=?)');
    expect(steps.filter(isWide)).toEqual([]);
  });

  test('few links are looked up, and for many the list is gone through; both find the same', async () => {
    const by = (name: string) => ({ query: { filters: { writer: { name: { $in: [name, 'idle'] } } } } });
    const rare = await answered(by('rare'));
    expect([rare.slugs, rare.total]).toEqual([['s11'], 1]);
    expect(rare.steps.filter(isWide)).toEqual([]);
    expect(rare.steps.filter((step) => /SEARCH t USING INTEGER PRIMARY KEY/.test(step)).length).toBeGreaterThan(1);
    const common = await answered(by('common'));
    expect([common.slugs, common.total]).toEqual([['s0', 's1', 's2'], 39]);
    expect(common.steps).toContainEqual(expect.stringMatching(/^CORRELATED SCALAR SUBQUERY \d+$/));
    const all = await answered(by('common'), 1_000);
    expect(all.slugs).toHaveLength(39);
    expect(all.steps.some((step) => step.startsWith('CORRELATED'))).toBe(false);
    const both = { writer: { name: 'common' }, title: 't1' };
    expect((await answered({ query: { filters: both, sort: 'slug:desc' } })).slugs).toEqual(['s8', 's36', 's29']);
  });
});

test.each([
  [{ 'api::pots.post': ['price'] }, 'config/database indexes: names the content type "api::pots.post"'],
  [{ 'api::post.post': ['prize'] }, 'Did you mean "price"?'],
  [{ 'api::post.post': ['writer'] }, 'which api::post.post does not keep in its table'],
  [{ 'api::post.post': ['price', 'body'] }, 'indexes.api::post.post.1: names the attribute "body"'],
  [{ 'api::post.post': [] }, 'config/database indexes.api::post.post'],
])('indexes %j are refused', async (indexes, message) => {
  const started = start(onFile('other', indexes)).then((other) => other.start());
  await expect(started).rejects.toThrow(message);
});
