import { valuesIn } from '../../../core';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const names = ['a', 'b', null];

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
  const items = app.documents.of('api::item.item');
  const owner = String((await app.documents.of('api::owner.owner').create({ name: 'ann' }))['documentId']);
  for (const name of names) await items.create({ name, ...(name === 'a' && { owner }) });
});
afterAll(() => app.remove());

async function found(filters: object): Promise<unknown[]> {
  const type = app.registry.get('api::item.item');
  const query = { filters, fields: 'name', window: () => ({ start: 0, limit: 2, total: true }) };
  const { json, total } = await app.documents.read({ action: 'find', type, query, rights: 'system' });
  return [...valuesIn<{ name: unknown }>({ json }).map(({ name }) => name), total];
}

/** Many names that nothing has, with one that something has among them. */
const among = (count: number): string[] => Array.from({ length: count }, (_, at) => (at === 1_234 ? 'b' : `x${at}`));

test.each([2_000, 5_000])('lists of %d conditions find what short ones do', async (count) => {
  const list = among(count);
  expect(await found({ $or: list.map((name) => ({ name })) })).toEqual(['b', 1]);
  expect(await found({ $and: list.map((name) => ({ name: { $ne: name } })) })).toEqual(['a', 1]);
  expect(await found({ $not: { $or: list.map((name) => ({ name: { $contains: name } })) } })).toEqual(['a', 1]);
  expect(await found({ $not: { $and: list.map((name) => ({ name: { $ne: name } })) } })).toEqual(['b', 1]);
  const owned = list.map((name) => ({ name: name === 'b' ? 'ann' : name }));
  expect(await found({ owner: { $or: owned } })).toEqual(['a', 1]);
  expect(await found({ name: list })).toEqual(['b', 1]);
  expect(await found({ name: { $eqi: list } })).toEqual(['b', 1]);
});

test.each([2_000, 10_000])('so do lists of %d values', async (count) => {
  const list = among(count);
  expect(await found({ name: { $in: list } })).toEqual(['b', 1]);
  expect(await found({ name: { $notIn: list } })).toEqual(['a', 1]);
  expect(await found({ name: { $not: { $in: list } } })).toEqual(['a', 1]);
  expect(await found({ id: { $in: list.map((_, at) => at + 3) } })).toEqual([null, 1]);
});

test('long lists on many levels are looked up, too', async () => {
  const level = (inner: object): object => ({
    $or: [{ $and: [...among(90).map((name) => ({ name })), inner] }, inner],
  });
  const within = (levels: number): object => (levels === 0 ? { name: 'b' } : level(within(levels - 1)));
  expect(await found(within(5))).toEqual(['b', 1]);
});

test('more is refused, whatever the database would take', async () => {
  const conditions = 'Filters have too many conditions. The maximum is 5000.';
  await expect(found({ $or: among(5_001).map((name) => ({ name })) })).rejects.toThrow(conditions);
  await expect(found({ name: { $eqi: among(5_001) } })).rejects.toThrow(conditions);
  await expect(found({ $and: Array.from({ length: 5_001 }, () => ({})) })).rejects.toThrow(conditions);
  const values = 'Filters have too many values in lists. The maximum is 10000.';
  await expect(found({ name: { $in: among(10_001) } })).rejects.toThrow(values);
  await expect(found({ name: { $in: among(6_000) }, $not: { name: { $in: among(6_000) } } })).rejects.toThrow(values);
});

test('a few dozen conditions stand one after the other', async () => {
  const texts: string[] = [];
  const rows = app.database.rows.bind(app.database);
  const spied = jest.spyOn(app.database, 'rows').mockImplementation(((statement: { sql: string }, values: never) => {
    texts.push(statement.sql);
    return rows(statement as never, values);
  }) as never);
  await found({ $or: among(48).map((name) => ({ name: { $ne: name } })) });
  await found({ $or: among(49).map((name) => ({ name: { $ne: name } })) });
  spied.mockRestore();
  const halved = texts.filter((text) => /\) or \(/.test(text));
  expect([texts.length > 1, halved.length]).toEqual([true, texts.length / 2]);
});
