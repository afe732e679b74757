import fc from 'fast-check';
import type { DocumentQuery, Predicate } from '../../../core';
import { client, watchStatements } from './database-app.fixture';
import { prepareTogether } from './documents-together';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

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

async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  let seen = 0;
  const unwatch = watchStatements(app.database, () => {
    seen += 1;
  });
  await work().finally(unwatch);
  return seen;
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
    expect(await statementsOf(() => readAtOnce(ids, { populate: '*' }))).toBe(isServer ? statements : count);
  },
);

test('what is asked for with other values is read by itself', async () => {
  const named = (name: string): DocumentQuery => ({ filters: { name } });
  const work = () =>
    Promise.all(['i0', 'i1', 'i0'].map((name, at) => app.documents.read(operationOn(items[at]!, named(name)))));
  expect((await work()).map(({ count }) => count)).toEqual([1, 1, 0]);
  // The third is not found with the first, and looked for alone.
  expect(await statementsOf(work)).toBe(3);
});

test('a document is the same whether others are asked for with it or not, also one that is not there', async () => {
  const strange = [...items.slice(0, 2).map((id) => id.toUpperCase()), `${items[0]} `, '', 'none', "it's", '\u0000a'];
  const queries: DocumentQuery[] = [
    {},
    { populate: '*' },
    { populate: { owner: { populate: 'items' }, tags: { filters: { name: 't2' }, sort: 'name:desc' } } },
    { fields: 'name', sort: 'name:desc' },
    { filters: { tags: { name: 't1' } } },
    { search: 'i1' },
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

test('what is written in between is shown', async () => {
  const documents = app.documents.of('api::item.item');
  for (let turn = 0; turn < 5; turn++) {
    await documents.update(items[1]!, { name: `turn ${turn}` });
    const [, changed] = await readAtOnce(items.slice(0, 4), { fields: 'name' });
    expect(changed).toContain(`turn ${turn}`);
  }
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
  const prepare = (where: Predicate) =>
    prepareTogether(
      { ...plan, where },
      () => ({}) as never,
      { ...app.database, dialect: { ...app.database.dialect, travels: true } },
      () => {
        throw new Error('is not run');
      },
    );
  expect(prepare({ op: 'or', items: [isDocument] })).toBeUndefined();
  expect(prepare({ op: 'not', item: isDocument })).toBeUndefined();
  expect(prepare({ op: 'and', items: [{ op: 'and', items: [isDocument] }] })).toBeDefined();
});
