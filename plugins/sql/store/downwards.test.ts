import type { Statement } from '../database/database';
import { client, makePlace, type Opened, openApp, openForeign, type Place } from './database-app.fixture';

// Lists down by an attribute that has an index, and up by ids where values are the same, as only other programs write them.

const codes = [null, 'a', 'b', 'b', null, 'c', 'b', 'd', 'b', 'e', 'd', 'e', 'e', 'b', null, 'b', 'c', 'f'];

let place: Place;
let app: Opened;

beforeAll(async () => {
  place = await makePlace({ code: { type: 'string', unique: true }, n: { type: 'integer' } });
  app = await openApp(place);
  const foreign = openForeign(place);
  await foreign('things').insert(
    codes.map((code, at) => ({ document_id: `d${at}`, code, n: at % 3, published_at: foreign.fn.now() })),
  );
  await foreign.destroy();
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

interface Thing {
  readonly id: number;
  readonly code: string | null;
  readonly n: number;
}

const lowest = '';
const downwards = (a: Thing, b: Thing): number => {
  const [one, other] = [a.code ?? lowest, b.code ?? lowest];
  return one === other ? a.id - b.id : one < other ? 1 : -1;
};

const idsOf = (things: readonly object[]): number[] => (things as Thing[]).map(({ id }) => id);

async function page(query: object, start: number, limit: number, cursor?: string) {
  const window = () => ({ start, limit, total: false, ...(cursor !== undefined && { cursor }) });
  const operation = { action: 'find', type: app.type, rights: 'system', query: { ...query, window } };
  const { json, next } = await app.documents.read(operation);
  return { ids: idsOf(JSON.parse(json.toString())), next };
}

const filters = [undefined, { n: 1 }, { n: { $gt: 0 } }, { code: { $notNull: true } }, { code: 'b' }, { n: 77 }];

test('every page of every list is in order, wherever it begins', async () => {
  const all = (await app.things.find({ sort: 'id' })) as unknown as Thing[];
  expect(all).toHaveLength(codes.length);
  const matching: ((thing: Thing) => boolean)[] = [
    () => true,
    ({ n }) => n === 1,
    ({ n }) => n > 0,
    ({ code }) => code !== null,
    ({ code }) => code === 'b',
    () => false,
  ];
  for (const [at, filter] of filters.entries()) {
    const expected = idsOf(all.filter(matching[at]!).sort(downwards));
    const query = { sort: 'code:desc', ...(filter && { filters: filter }) };
    expect(idsOf(await app.things.find(query))).toEqual(expected);
    for (let limit = 1; limit <= codes.length + 1; limit++)
      for (let start = 0; start <= codes.length; start++) {
        const { ids } = await page(query, start, limit);
        expect([filter, limit, start, ids]).toEqual([filter, limit, start, expected.slice(start, start + limit)]);
      }
    for (let limit = 1; limit <= codes.length + 1; limit++) {
      const walked: number[] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const { ids, next } = await page(query, 0, limit, cursor);
        walked.push(...ids);
        cursor = next;
      }
      expect([filter, limit, walked]).toEqual([filter, limit, expected]);
    }
  }
});

const onMariadb = client === 'mysql' ? test : test.skip;

/** How many rows the statements of a read look at. */
async function rowsLookedAt(read: () => Promise<unknown>): Promise<number> {
  const { database } = app;
  const { rows } = database;
  const asked: [Statement, readonly unknown[]][] = [];
  database.rows = (statement, values) => {
    asked.push([statement, values]);
    return rows.call(database, statement, values);
  };
  await read();
  database.rows = rows;
  return database.transaction(async (connection) => {
    const looked = async (): Promise<number> => {
      const told = await connection.rows({ sql: "show session status like 'Handler_read%'" }, []);
      return told.reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await looked();
    for (const [statement, values] of asked) await connection.rows(statement, values);
    return (await looked()) - before;
  });
}

onMariadb('a page looks at no more rows than it has, however many there are', async () => {
  const foreign = openForeign(place);
  const more = Array.from({ length: 5_000 }, (_, at) => ({ document_id: `m${at}`, code: `code ${at}`, n: 5 }));
  await foreign.batchInsert(
    'things',
    more.map((row) => ({ ...row, published_at: foreign.fn.now() })),
  );
  await foreign.destroy();
  const query = { sort: 'code:desc' };
  expect(await rowsLookedAt(() => page(query, 0, 10))).toBeLessThan(300);
  expect(await rowsLookedAt(() => page(query, 0, 10, ''))).toBeLessThan(300);
  const { next } = await page(query, 0, 2_000, '');
  expect(await rowsLookedAt(() => page(query, 0, 10, next))).toBeLessThan(300);
});
