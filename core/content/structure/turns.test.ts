import { linkedInMemory } from './in-memory.fixture';
import { inTurns } from './turns.fixture';

const app = linkedInMemory([], inTurns);
const { turns } = app.store;
const owners = app.documents.of('api::owner.owner');
const items = app.documents.of('api::item.item');

let owner: string;
beforeAll(async () => {
  owner = String((await owners.create({ name: 'o' }))['documentId']);
});

const flat = () => ({ name: 'a', lead: owner });
const deep = () => ({
  ...flat(),
  pages: [{ text: '1', by: owner }, { text: '2' }],
  cover: { title: 'c', pages: [{ text: '3', by: owner }] },
});

async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  turns();
  await work();
  return turns();
}

test('what a new document holds, on however many levels, is written in as many turns as the document alone', async () => {
  // The owner is looked for, then the rows are added.
  expect(await turnsOf(() => items.create(flat()))).toBe(2);
  expect(await turnsOf(() => items.create(deep()))).toBe(2);
});

test('a document that is changed is looked for with what it is linked with, and its new components are added at once', async () => {
  const id = String((await items.create(deep()))['documentId']);
  // Both are looked for, then what it is tied to.
  expect(await turnsOf(() => items.update(id, flat()))).toBe(2);
  // At last, what the dropped components held.
  expect(await turnsOf(() => items.update(id, deep()))).toBe(3);
});

test('nothing is looked for before the locks are held', async () => {
  const asked: string[] = [];
  const locking = linkedInMemory([], (store) => ({
    ...store,
    transaction: (work) =>
      store.transaction((transaction) =>
        work({
          ...transaction,
          async lock() {
            asked.push('lock');
            await new Promise(setImmediate);
            asked.push('held');
            return true;
          },
          rows(type, ...match) {
            asked.push(type.singularName);
            return transaction.rows(type, ...match);
          },
        }),
      ),
  }));
  const { documentId: other } = await locking.documents.of('api::owner.owner').create({ name: 'o' });
  const { documentId: id } = await locking.documents.of('api::item.item').create({ name: 'a' });
  asked.length = 0;
  await locking.documents.of('api::item.item').update(String(id), { owner: other });
  expect(asked.slice(0, 4)).toEqual(['lock', 'held', 'item', 'owner']);
});
