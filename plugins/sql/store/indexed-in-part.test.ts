import type { Statement } from '../database/database';
import { client, makePlace, type Opened, openApp, openForeign, type Place } from './database-app.fixture';

// Lists by an attribute that has an index, and by something else where its values are the same, as only other programs write them:
// the index has their order in part.

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

type Order = (a: Thing, b: Thing) => number;

const lowest = '';
const byCode: Order = (a, b) => {
  const [one, other] = [a.code ?? lowest, b.code ?? lowest];
  return one === other ? 0 : one < other ? -1 : 1;
};
const byN: Order = (a, b) => a.n - b.n;
const byId: Order = (a, b) => a.id - b.id;
const down =
  (order: Order): Order =>
  (a, b) =>
    order(b, a);

const sorts: Readonly<Record<string, readonly Order[]>> = {
  'code:desc': [down(byCode), byId],
  'code,id:desc': [byCode, down(byId)],
  'code,n': [byCode, byN, byId],
  'code,n:desc': [byCode, down(byN), byId],
  'code:desc,n': [down(byCode), byN, byId],
  'code:desc,n:desc,id:desc': [down(byCode), down(byN), down(byId)],
};

const idsOf = (things: readonly object[]): number[] => (things as Thing[]).map(({ id }) => id);

async function page(query: object, start: number, limit: number, cursor?: string) {
  const window = () => ({ start, limit, total: false, ...(cursor !== undefined && { cursor }) });
  const operation = { action: 'find', type: app.type, rights: 'system', query: { ...query, window } };
  const { json, next } = await app.documents.read(operation);
  return { ids: idsOf(JSON.parse(json.toString())), next };
}

const filters = [undefined, { n: 1 }, { n: { $gt: 0 } }, { code: { $notNull: true } }, { code: 'b' }, { n: 77 }];

test.each(Object.entries(sorts))(
  'every page of every list by %s is in order, wherever it begins',
  async (sort, orders) => {
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
    const compare: Order = (a, b) => orders.reduce((found, order) => found || order(a, b), 0);
    for (const [at, filter] of filters.entries()) {
      const expected = idsOf(all.filter(matching[at]!).sort(compare));
      const query = { sort, ...(filter && { filters: filter }) };
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
  },
);

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

const onMariadb = client === 'mysql' ? describe : describe.skip;

onMariadb('a page looks at few rows, however many there are', () => {
  const few = 300;
  beforeAll(async () => {
    const foreign = openForeign(place);
    const more = Array.from({ length: 5_000 }, (_, at) => ({ document_id: `m${at}`, code: `code ${at}`, n: 5 }));
    await foreign.batchInsert(
      'things',
      more.map((row) => ({ ...row, published_at: foreign.fn.now() })),
    );
    await foreign.destroy();
  });

  test.each(Object.keys(sorts))('by cursor, by %s', async (sort) => {
    expect(await rowsLookedAt(() => page({ sort }, 0, 10, ''))).toBeLessThan(few);
    const { next } = await page({ sort }, 0, 2_000, '');
    expect(await rowsLookedAt(() => page({ sort }, 0, 10, next))).toBeLessThan(few);
  });

  test('by number, downwards', async () => {
    expect(await rowsLookedAt(() => page({ sort: 'code:desc' }, 0, 10))).toBeLessThan(few);
  });
});
