import { DOCUMENTS, STORE, type StoreTransaction } from '../../core';
import { hits, idOf, makePlace, type Place, type Service, typeIn } from './cached-app.fixture';

let place: Place;
let here: Service;
let author: string;

beforeAll(async () => {
  place = await makePlace();
  here = await place.start();
  author = idOf(await here.send('post', '/api/authors', { name: 'Ann' }));
}, 60_000);
afterAll(() => place.remove());

async function nameOf(transaction?: StoreTransaction): Promise<string> {
  const type = typeIn(here, 'api::author.author');
  const query = { fields: 'name' };
  const operation = { action: 'findOne', type, documentId: author, query, rights: 'system' };
  return JSON.parse((await here.get(DOCUMENTS).read(operation, transaction)).json.toString())[0].name;
}

const rename = (transaction: StoreTransaction, name: string) =>
  transaction.update(typeIn(here, 'api::author.author'), { documentId: author }, { name });

test('a read inside a transaction sees what the transaction wrote, and nobody else does before it ends', async () => {
  expect(await nameOf()).toBe('Ann');
  await here.get(STORE).transaction(async (transaction) => {
    await rename(transaction, 'Bea');
    expect([await nameOf(transaction), await nameOf()]).toEqual(['Bea', 'Ann']);
  });
  expect(await nameOf()).toBe('Bea');
});

test('what a transaction that fails wrote is never seen', async () => {
  const failed = here.get(STORE).transaction(async (transaction) => {
    await rename(transaction, 'Never');
    expect(await nameOf()).toBe('Bea');
    throw new Error('undone');
  });
  await expect(failed).rejects.toThrow('undone');
  expect(await nameOf()).toBe('Bea');
});

test('what is read while somebody writes is not kept for longer than it holds', async () => {
  const paths = Array.from({ length: 20 }, (_, index) => `/api/authors/${author}?fields[0]=name&n=${index}`);
  const reads = paths.map((path) => here.ask(path));
  const write = here.send('put', `/api/authors/${author}`, { name: 'Cid' });
  await Promise.all([...reads, write]);
  expect((await here.ask(paths[0]!)).body.data.name).toBe('Cid');
});

test('questions that come at once are answered by one read', async () => {
  await here.send('put', `/api/authors/${author}`, { name: 'Dee' });
  const path = `/api/authors/${author}?fields=name`;
  const answers = await Promise.all(Array.from({ length: 5 }, () => here.ask(path)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(await hits(here, () => here.ask(path))).toBe(1);
});

test('a transaction that fails among others drops no more than they do', async () => {
  const unrelated = () => here.ask('/api/categories');
  await unrelated();
  const store = here.get(STORE);
  const failed = async (transaction: StoreTransaction): Promise<void> => {
    await rename(transaction, 'Never');
    throw new Error('undone');
  };
  const together = [
    store.transaction(async (transaction) => rename(transaction, 'Eve')),
    store.transaction(failed),
    store.transaction(async (transaction) => rename(transaction, 'Flo')),
  ];
  expect((await Promise.allSettled(together)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(await nameOf()).toMatch(/Eve|Flo/);
  expect(await hits(here, unrelated)).toBe(1);
});
