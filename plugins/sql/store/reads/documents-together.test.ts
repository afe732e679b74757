import fc from 'fast-check';
import type { DocumentQuery, Predicate } from '../../../../core';
import type { Rows } from '../../database/database';
import type { Dialect } from '../../dialects/dialect';
import { client, watchStatements } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';
import { prepareTogether } from './documents-together';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const isServer = client !== 'sqlite';

let app: LinkedApp;
let items: string[];

beforeAll(async () => {
  app = await openLinkedApp();
  const [owners, tags, documents] = ['owner', 'tag', 'item'].map((name) => app.documents.of(`api::${name}.${name}`));
  const owner = (await owners!.create({ name: 'o' }))['documentId'];
  const some: unknown[] = [];
  for (let at = 0; at < 3; at++) some.push((await tags!.create({ name: `t${at}` }))['documentId']);
  items = [];
  for (let at = 0; at < 20; at++) {
    const data = {
      name: `i${at % 5}`,
      owner,
      tags: some.slice(at % 4),
      cover: { title: 'c' },
      pages: [{ text: `${at}` }],
    };
    items.push(String((await documents!.create(data))['documentId']));
  }
  // Rows of others may have such names: MariaDB takes the blank for nothing.
  await app.database.knex()('items').insert({ document_id: 'padded ', name: 'i1' });
}, 60_000);
afterAll(() => app.remove());

const operationOn = (documentId: string, query: DocumentQuery) => {
  const type = app.registry.get('api::item.item');
  return { action: 'findOne' as const, type, rights: 'system' as const, documentId, query };
};
const told = (answer: { json: Buffer; count: number }): string => `${answer.count} ${answer.json}`;

const readAtOnce = async (ids: readonly string[], query: DocumentQuery = {}): Promise<string[]> =>
  (await Promise.all(ids.map((id) => app.documents.read(operationOn(id, query))))).map(told);

/** In a transaction everything is read by itself. */
const readOneByOne = (ids: readonly string[], query: DocumentQuery): Promise<string[]> =>
  app.store.transaction(async (transaction) => {
    const answers: string[] = [];
    for (const id of ids) answers.push(told(await app.documents.read(operationOn(id, query), transaction)));
    return answers;
  });

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void asked.push(sql));
  await work().finally(unwatch);
  return asked;
}

test.each([
  [1, 1],
  [2, 1],
  [5, 1],
  [8, 1],
  [9, 2],
  [20, 3],
])(
  '%d documents that are asked for at the same time are read by %d statements on a server',
  async (count, statements) => {
    const ids = items.slice(0, count);
    const asked = await statementsOf(() => readAtOnce(ids, { populate: '*' }));
    expect(asked).toHaveLength(isServer ? statements : count);
    if (isServer && count > 1) expect(asked[0]).toMatch(/document_id. in \([^)]*,/);
  },
);

test('only what is asked for with the same values is read together', async () => {
  const work = () =>
    Promise.all(
      [0, 5, 1].map((at) => app.documents.read(operationOn(items[at]!, { filters: { name: `i${at % 5}` } }))),
    );
  expect((await work()).map(({ count }) => count)).toEqual([1, 1, 1]);
  expect(await statementsOf(work)).toHaveLength(isServer ? 2 : 3);
});

test.each([
  [['none', 'nothing'], 1],
  // What may be spelt otherwise is looked for by itself.
  [['NONE', "no'thing"], 3],
])('of documents that are not there, %j, %d statements ask', async (missing, statements) => {
  const ids = [...items.slice(0, 2), ...missing];
  expect(await statementsOf(() => readAtOnce(ids))).toHaveLength(isServer ? statements : 4);
  expect((await readAtOnce(ids)).map((answer) => answer[0])).toEqual(['1', '1', '0', '0']);
});

test('a document is the same whether others are asked for with it or not, also one that is not there', async () => {
  const strange = [
    ...items.slice(0, 2).map((id) => id.toUpperCase()),
    `${items[0]} `,
    'padded',
    'padded ',
    '',
    'none',
    "it's",
    '\u0000a',
  ];
  const queries: DocumentQuery[] = [
    {},
    { populate: '*' },
    { populate: { owner: { populate: 'items' }, tags: { filters: { name: 't2' }, sort: 'name:desc' } } },
    { fields: 'name', sort: 'name:desc' },
    { filters: { tags: { name: 't1' } } },
    { search: 'i1' },
    { window: () => ({ start: 1, limit: 1, total: false }) },
    { window: () => ({ start: 0, limit: 0, total: false }) },
    { window: () => ({ start: 0, limit: 5, total: true }) },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...items, ...strange.filter((id) => client !== 'postgres' || !id.includes('\u0000'))), {
        maxLength: 12,
      }),
      fc.constantFrom(...queries),
      async (ids, query) => {
        expect(await readAtOnce(ids, query)).toEqual(await readOneByOne(ids, query));
      },
    ),
    { numRuns: 40 },
  );
});

test('whoever asks after a write is shown it, whatever is being read meanwhile', async () => {
  const documents = app.documents.of('api::item.item');
  const reads: Promise<unknown>[] = [];
  let isOver = false;
  const others = async (): Promise<void> => {
    while (!isOver) await readAtOnce(items.slice(1, 6), { fields: 'name' });
  };
  for (let reader = 0; reader < 4; reader++) reads.push(others());
  for (let turn = 0; turn < 20; turn++) {
    await documents.update(items[1]!, { name: `turn ${turn}.` });
    const [changed] = await readAtOnce([items[1]!], { fields: 'name' });
    expect(changed).toContain(`turn ${turn}.`);
  }
  isOver = true;
  await Promise.all(reads);
});

/** Reads three documents at once, of which one is not there, where the statement about several comes to something else. */
async function readWith(rowsOfAll: () => Promise<Rows>): Promise<[told: string[], alone: number]> {
  const { rows } = app.database;
  let alone = 0;
  app.database.rows = (statement, values) => {
    if (/^select t\.["`]document_id["`],/.test(statement.sql)) return rowsOfAll();
    alone += 1;
    return rows.call(app.database, statement, values);
  };
  const ids = [items[0]!, items[1]!, 'NONE'];
  const outcomes = await Promise.allSettled(
    ids.map((id) => app.documents.read(operationOn(id, { fields: 'id' }))),
  ).finally(() => Object.assign(app.database, { rows }));
  return [outcomes.map((each) => (each.status === 'fulfilled' ? told(each.value)[0]! : each.reason.message)), alone];
}

(isServer ? describe : describe.skip)('a statement about several documents', () => {
  test('that fails is followed by one about each', async () => {
    expect(await readWith(() => Promise.reject(new Error('a value')))).toEqual([['1', '1', '0'], 3]);
  });

  test.each(['57014', 'ER_STATEMENT_TIMEOUT'])(
    'that takes too long (%s) is followed by one about each',
    async (code) => {
      const late = Object.assign(new Error('canceled'), { code });
      expect(await readWith(() => Promise.reject(late))).toEqual([['1', '1', '0'], 3]);
    },
  );

  test('that does not reach the database fails for all', async () => {
    const gone = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    expect(await readWith(() => Promise.reject(gone))).toEqual([['gone', 'gone', 'gone'], 0]);
  });

  test.each([
    ['that was not asked for', 'None', ['1', '1', '0'], 2],
    ['that was asked for, too', 'NONE', ['1', '1', '1'], 1],
  ])(
    'that finds a document of a name %s, and may be spelt otherwise, leaves all that it did not find to one about each',
    async (_, name, told, alone) => {
      const found = async (): Promise<Rows> => [
        [items[0]!, '{"id":1}'],
        [name, '{"id":2}'],
      ];
      expect(await readWith(found)).toEqual([told, alone]);
    },
  );

  if (client === 'mysql')
    test('that finds one too large says so of that one', async () => {
      const found = async (): Promise<Rows> => [
        [items[0]!, null],
        [items[1]!, '{"id":2}'],
      ];
      expect(await readWith(found)).toEqual([[expect.stringContaining('larger than'), '1', '0'], 1]);
    });
});

test('a plan whose document is not a condition that must be met is not read with others', () => {
  const type = app.registry.get('api::item.item');
  const isDocument: Predicate = {
    op: 'compare',
    attribute: type.attributes.get('documentId')!,
    comparison: 'eq',
    slot: 0,
  };
  const plan = {
    type,
    select: [],
    populate: [],
    order: [],
    start: 1,
    limit: 2,
    total: false,
    bindings: [],
    document: 0,
  };
  const prepare = (where: Predicate, travels: Dialect['travels'] = 'cheaply') =>
    prepareTogether(
      { ...plan, where },
      () => ({}) as never,
      { ...app.database, dialect: { ...app.database.dialect, travels } },
      () => {
        throw new Error('is not run');
      },
    );
  expect(prepare({ op: 'or', items: [isDocument] })).toBeUndefined();
  expect(prepare({ op: 'not', item: isDocument })).toBeUndefined();
  const nested: Predicate = { op: 'and', items: [{ op: 'and', items: [isDocument] }] };
  expect(prepare(nested)?.gathers).toBe(false);
  expect(prepare(nested, 'dearly')?.gathers).toBe(true);
});
