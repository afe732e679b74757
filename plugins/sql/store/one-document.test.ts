import type { DocumentQuery } from '../../../core';
import { client, makePlace, type Opened, openApp, watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';
import { regions } from './regions.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const isServer = client !== 'sqlite';

let app: LinkedApp;
let single: string;

beforeAll(async () => {
  app = await openLinkedApp();
  const [owners, items] = ['owner', 'item'].map((name) => app.documents.of(`api::${name}.${name}`));
  const owner = (await owners!.create({ name: 'o' }))['documentId'];
  const data = { name: 'single', owner, cover: { title: 'c' } };
  single = String((await items!.create(data))['documentId']);
  // Rows that others wrote into a table without Heddle's index.
  const knex = app.database.knex();
  await knex.raw(`drop index h_items_row${client === 'mysql' ? ' on items' : ''}`);
  const rows = ['z', 'y', 'x'].map((name, at) => ({ id: 900 + at, document_id: 'several', name }));
  await knex('items').insert(rows);
}, 60_000);
afterAll(() => app.remove());

const operationOn = (documentId: string, query: DocumentQuery) => {
  const type = app.registry.get('api::item.item');
  return { action: 'findOne' as const, type, rights: 'system' as const, documentId, query };
};

const namesIn = ({ json }: { json: Buffer }): unknown[] =>
  (JSON.parse(String(json)) as { name: string }[]).map(({ name }) => name);

/** The names that are read, and how many statements they took. */
async function readOf(documentId: string, query: DocumentQuery = {}) {
  const asked: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void asked.push(sql));
  const answer = await app.documents.read(operationOn(documentId, query)).finally(unwatch);
  return { names: namesIn(answer), count: answer.count, statements: asked.length };
}

const windowOf = (start: number, limit: number): DocumentQuery => ({
  window: () => ({ start, limit, total: false }),
});

test('a document, or none, is read by one statement', async () => {
  expect(await readOf(single)).toEqual({ names: ['single'], count: 1, statements: 1 });
  expect(await readOf('none')).toEqual({ names: [], count: 0, statements: 1 });
});

test('a document is whole, with what is in it and linked with it', async () => {
  const query = { populate: '*', filters: { owner: { name: 'o' } } };
  const { json } = await app.documents.read(operationOn(single, query));
  expect(JSON.parse(String(json))).toMatchObject([{ name: 'single', owner: { name: 'o' }, cover: { title: 'c' } }]);
  expect((await readOf(single, { filters: { owner: { name: 'other' } } })).names).toEqual([]);
});

test.each<[string, DocumentQuery, string[], number]>([
  ['the first is shown', {}, ['z'], 2],
  ['the first in an order is shown', { sort: 'name' }, ['x'], 2],
  ['one that is chosen is shown', { filters: { name: 'y' } }, ['y'], 1],
  ['a part of them begins with the first', windowOf(0, 2), ['z', 'y'], 2],
  ['a part of them begins behind it', windowOf(1, 5), ['y', 'x'], 1],
  ['a part without room is empty', windowOf(0, 0), [], 1],
])('of several rows of a document %s', async (_what, query, names, statements) => {
  const expected = { names, count: names.length, statements: isServer ? 1 : statements };
  expect(await readOf('several', query)).toEqual(expected);
});

test('in a transaction they are what it sees', async () => {
  const names = await app.store.transaction(async (transaction) => {
    const read = async (query: DocumentQuery) =>
      namesIn(await app.documents.read(operationOn('several', query), transaction));
    return [await read({}), await read({ sort: 'name' })];
  });
  expect(names).toEqual([['z'], ['x']]);
});

test('where several variants of a document may be found, its page is read', async () => {
  const place = await makePlace({ name: { type: 'string' } });
  const opened: Opened = await openApp(place, regions);
  try {
    const documentId = String((await opened.things.create({ name: 'n' }))['documentId']);
    await opened.things.update(documentId, { name: 's' }, { parameters: { region: 'south' } });
    const asked: string[] = [];
    const unwatch = watchStatements(opened.database, (sql) => void asked.push(sql));
    const found = await opened.things
      .findOne(documentId, { parameters: { region: 'any' }, sort: 'name:desc' })
      .finally(unwatch);
    expect([found?.['name'], asked.length]).toEqual(['s', 1]);
  } finally {
    await opened.close();
    await place.remove();
  }
});
