import type { Knex } from 'knex';
import type { DocumentQuery, Row, StoreTransaction } from '../../../core';
import {
  client,
  makePlace,
  type Opened,
  openApp,
  openForeign,
  type Place,
  watchStatements,
} from './database-app.fixture';
import { attributes } from './reads.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

/** What the plugin of the running test does inside a write's transaction. */
let inside: ((transaction: StoreTransaction) => Promise<void>) | undefined;

let place: Place;
let app: Opened;
let foreign: Knex;

beforeAll(async () => {
  place = await makePlace(attributes);
  app = await openApp(place, ({ hooks }) => {
    hooks.document.written.tapPromise('own', async (_written, transaction) => inside?.(transaction));
  });
  foreign = openForeign(place);
});
afterAll(async () => {
  await app.close();
  await foreign.destroy();
  await place.remove();
});
beforeEach(() => foreign('things').delete());
afterEach(() => {
  inside = undefined;
});

async function statementsOf<T>(work: () => Promise<T>): Promise<[T, number]> {
  let statements = 0;
  const unwatch = watchStatements(app.database, () => {
    statements += 1;
  });
  try {
    return [await work(), statements];
  } finally {
    unwatch();
  }
}

const page =
  (limit: number, start = 0) =>
  () => ({ start, limit, total: true });
const list = (query: DocumentQuery = {}) =>
  app.documents.read({ action: 'find', type: app.type, rights: 'public', query: { window: page(100), ...query } });
const total = async (query: DocumentQuery = {}): Promise<number | undefined> => (await list(query)).total;

const fill = (count: number): Promise<unknown> =>
  foreign.batchInsert(
    'things',
    Array.from({ length: count }, (_, n) => ({
      document_id: `d${n}`,
      n,
      name: `name ${n}`,
      published_at: foreign.fn.now(),
    })),
  );

test('a list costs two statements at most and a document one, however many rows there are', async () => {
  for (const count of [0, 1, 300]) {
    await foreign('things').delete();
    await fill(count);
    for (const query of [
      {},
      { filters: { $or: [{ n: '1' }, { name: { $containsi: 'NAME' } }] }, sort: 'name:desc' },
      { search: 'name' },
    ]) {
      const [answer, statements] = await statementsOf(() => list(query));
      expect(answer.total).toBe(count);
      expect(statements).toBeLessThanOrEqual(2);
    }
    expect((await statementsOf(() => app.things.findOne('d0')))[1]).toBe(1);
    const untold = { window: () => ({ start: 0, limit: 10, total: false }) };
    expect((await statementsOf(() => list(untold)))[1]).toBe(1);
  }
});

test('who asks for the same at the same time is answered by one statement', async () => {
  await fill(30);
  const eight = <T>(ask: (index: number) => Promise<T>) => Promise.all(Array.from({ length: 8 }, (_, n) => ask(n)));
  const untold = { window: () => ({ start: 0, limit: 10, total: false }) };
  for (const ask of [() => list(untold), () => app.things.findOne('d0')]) {
    const alone = await ask();
    const [answers, statements] = await statementsOf(() => eight(ask as () => Promise<unknown>));
    expect(statements).toBe(1);
    expect(answers).toEqual(Array.from({ length: 8 }, () => alone));
  }
  const [documents, statements] = await statementsOf(() => eight((n) => app.things.findOne(`d${n % 4}`)));
  expect(statements).toBe(client === 'sqlite' ? 4 : 1);
  expect(documents.map((document) => document?.['n'])).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
});

if (client !== 'mysql')
  test('a total is not counted again while nothing was written', async () => {
    await fill(5);
    /** A page that is full does not tell it. */
    const full = (query: DocumentQuery = {}) => total({ window: page(1), ...query });
    /** PostgreSQL shares its versions among all databases of a server, where others may be at work. */
    const fewest = async (query: DocumentQuery): Promise<number> => {
      const counts: number[] = [];
      for (let time = 0; time < 10; time++) counts.push((await statementsOf(() => full(query)))[1]);
      return Math.min(...counts);
    };
    expect(await statementsOf(() => full())).toEqual([5, 2]);
    expect(await fewest({})).toBe(1);
    const three = { filters: { n: '3' } };
    expect(await statementsOf(() => full(three))).toEqual([1, 2]);
    await app.things.create({ n: 3 });
    expect(await statementsOf(() => full(three))).toEqual([2, 2]);
    expect(await fewest(three)).toBe(1);
  });

test('a page that is not full tells the total itself', async () => {
  await fill(5);
  const told = async (window: () => { start: number; limit: number; total: boolean }) =>
    statementsOf(() => total({ window }));
  expect(await told(page(6))).toEqual([5, 1]);
  expect(await told(page(3, 3))).toEqual([5, 1]);
  expect(await told(page(5))).toEqual([5, 2]);
  expect((await told(page(5, 5)))[0]).toBe(5);
  expect((await told(page(5, 7)))[0]).toBe(5);
  expect(await statementsOf(() => total({ filters: { n: 77 } }))).toEqual([0, 1]);
});

test('totals are exact after writes of this process and of others', async () => {
  let expected = 0;
  const made: string[] = [];
  for (let round = 0; round < 4; round++) {
    made.push(String((await app.things.create({ n: round }))['documentId']));
    expect(await total()).toBe(++expected);
    await foreign('things').insert({ document_id: `f${round}`, n: round, published_at: foreign.fn.now() });
    expect(await total()).toBe(++expected);
    expect(await total({ filters: { n: String(round) } })).toBe(2);
    await app.things.update(made[round]!, { n: 99 });
    expect(await total({ filters: { n: String(round) } })).toBe(1);
    await foreign('things')
      .where({ document_id: `f${round}` })
      .update({ n: 99 });
    expect(await total({ filters: { n: '99' } })).toBe(2 * (round + 1));
    expect(await total({ window: page(2, 100) })).toBe(expected);
  }
  await app.things.delete(made[0]!);
  await foreign('things').where({ document_id: 'f0' }).delete();
  expect(await total()).toBe(expected - 2);
});

test('a total does not know of rows that were never committed', async () => {
  await app.things.create({ n: 1 });
  let seen: number | undefined;
  inside = async () => {
    seen = await total();
    throw new Error('undone');
  };
  await expect(app.things.create({ n: 1 })).rejects.toThrow('undone');
  expect([seen, await total()]).toEqual([1, 1]);
});

test('a total told inside a transaction is forgotten with it', async () => {
  await app.things.create({ n: 1 });
  expect(await total()).toBe(1);
  const query = { window: page(100) };
  let seen: number | undefined;
  inside = async (transaction) => {
    seen = (await app.documents.read({ action: 'find', type: app.type, rights: 'public', query }, transaction)).total;
    throw new Error('undone');
  };
  await expect(app.things.create({ n: 1 })).rejects.toThrow('undone');
  expect([seen, await total()]).toEqual([2, 1]);
});

test('a transaction and those who ask the same at the same time see each what is theirs', async () => {
  await app.things.create({ n: 1 });
  const query = { window: page(100) };
  const read = async (transaction?: StoreTransaction) =>
    (await app.documents.read({ action: 'find', type: app.type, rights: 'public', query }, transaction)).total;
  let seen: (number | undefined)[] = [];
  inside = async (transaction) => {
    seen = await Promise.all([read(transaction), read(), read(transaction), read()]);
  };
  await app.things.create({ n: 1 });
  expect(seen).toEqual([2, 1, 2, 1]);
  expect(await read()).toBe(2);
});

test('a transaction reads what it wrote, and rows come as they were stored', async () => {
  const moment = '2024-02-29T23:59:59.999Z';
  const given = {
    name: 'é🙂',
    price: 1.5,
    ratio: 0.1,
    views: '42',
    flag: false,
    day: '2024-02-29',
    hour: '10:11:12.5',
    moment,
    extra: { a: [1] },
  };
  let row: Row | undefined;
  inside = async (transaction) => {
    [row] = await transaction.rows(app.type, {});
    expect(
      (await app.documents.read({ action: 'find', type: app.type, rights: 'public', query: {} }, transaction)).count,
    ).toBe(1);
  };
  await app.things.create(given);
  expect(row).toMatchObject({
    ...given,
    views: 42n,
    hour: expect.stringMatching(/^10:11:12\.50*$/),
    extra: expect.stringMatching(/^{"a": ?\[1\]}$/),
  });
});
