import fc from 'fast-check';
import type { ShownDocument } from '../../../core';
import { client, makePlace, type Opened, openApp, openForeign, type Place } from './database-app.fixture';
import { attributes } from './reads.fixture';
import { walksIn } from './walks.fixture';

let place: Place;
let app: Opened;

beforeAll(async () => {
  const text = { type: 'text' };
  const stamp = { type: 'timestamp' };
  const code = { type: 'string', unique: true };
  place = await makePlace({
    ...attributes,
    text,
    stamp,
    code,
    friends: { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' },
    // As the statements call what a page is ordered by.
    k0: { type: 'integer' },
    k1: { type: 'integer' },
  });
  app = await openApp(place);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

const { part, walk, whole } = walksIn(() => app);

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length]!;

const samples: Readonly<Record<string, readonly unknown[]>> = {
  n: [null, -2, 0, 7, 2_147_483_647],
  name: [null, '', 'a', 'A', 'ä', "o'clock", 'b\\', '日本', '🧵', 'a'.repeat(200)],
  text: [null, 'x', 'y', ...['', 'b', 'a'].map((end) => 'long '.repeat(100) + end)],
  price: [null, 0, 0.1, 12.5, -99.99, 12_345_678.25],
  ratio: [null, 0, 1 / 3, 1e-7, -1.5e300, 0.1 + 0.2, 5],
  views: [null, '9007199254740993', '9007199254740992', '-9223372036854775807', '9223372036854775807'],
  flag: [null, true, false],
  day: [null, '2024-02-29', '1999-12-31'],
  hour: [null, '10:11:12.000', '10:11:12.345', '23:59:59.999'],
  moment: [null, '2024-02-29T10:11:12.345Z', '2024-02-29T10:11:12.346Z', '1969-12-31T23:59:59.999Z'],
  stamp: [null, '2024-02-29T10:11:12.345Z', '2001-01-01T00:00:00.000Z'],
  extra: [null, { a: 1 }, [2], 'text', 5],
};
const names = Object.keys(samples);

test('a walk by cursor is the whole list, whatever it is ordered by', async () => {
  for (let at = 0; at < 60; at++)
    await app.things.create({
      ...Object.fromEntries(
        names.map((name, index) => [name, pick(samples[name]!, (at * 7 + index * 3 + (at >> 3)) % 97)]),
      ),
      code: at % 9 === 0 ? null : `code-${(at * 31) % 100}`,
    });
  const term = fc.tuple(
    fc.constantFrom(...names, 'code', 'id', 'documentId', 'createdAt'),
    fc.constantFrom('asc', 'desc'),
  );
  const filters = fc.constantFrom(undefined, { n: { $gt: -1 } }, { $or: [{ flag: true }, { name: { $null: true } }] });
  await fc.assert(
    fc.asyncProperty(
      fc.array(term, { maxLength: 3 }),
      filters,
      fc.integer({ min: 1, max: 25 }),
      async (terms, filter, limit) => {
        const sort = terms.map((each) => each.join(':'));
        const query = { sort, ...(filter && { filters: filter }) };
        expect([sort, await walk(query, limit)]).toEqual([sort, await whole(query)]);
      },
    ),
    { numRuns: 150, seed: 7 },
  );
  for (const name of [...names, 'code'])
    for (const direction of ['asc', 'desc']) {
      const query = { sort: `${name}:${direction}` };
      expect([query, await walk(query, 4)]).toEqual([query, await whole(query)]);
    }
}, 120_000);

test('an order by what is linked can be walked, too', async () => {
  const [first, second] = await Promise.all(['zoe', 'adam'].map((name) => app.things.create({ name, n: 77 })));
  for (const friends of [[first], [second], [first, second], []])
    for (let at = 0; at < 3; at++)
      await app.things.create({ n: 77, friends: friends.map((friend) => String(friend?.['documentId'])) });
  for (const sort of ['friends.name', 'friends.name:desc', 'friends.name:desc,friends.n:asc,code:desc']) {
    const query = { sort, filters: { n: 77 } };
    expect([sort, await walk(query, 3)]).toEqual([sort, await whole(query)]);
  }
});

test('texts that are hardly any can be walked, too', async () => {
  const halves = ['\ud800', '\ud800', '\ue000', '\uff01', 'zz', '😀', 'a\udc00b'];
  // PostgreSQL keeps no NUL.
  const names = client === 'postgres' ? halves : [...halves, 'a\u0000b', 'a\u0000a', '\u0000'];
  for (const name of names) await app.things.create({ n: 66, name });
  for (const sort of ['name', 'name:desc']) {
    const query = { sort, filters: { n: 66 } };
    const all = await whole(query);
    expect(all).toHaveLength(names.length);
    expect([sort, await walk(query, 1)]).toEqual([sort, all]);
  }
  const shown = (await app.things.find({ filters: { n: 66 }, sort: 'id' })).map(({ name }) => name);
  expect(shown).toEqual(names.map((name) => name.toWellFormed()));
});

test("attributes that are called as what orders a page are in nobody's way", async () => {
  const friend = new Map<string, string>();
  for (const name of ['b', 'a']) friend.set(name, String((await app.things.create({ name }))['documentId']));
  const made: { id: number; name: string; k0: number; k1: number }[] = [];
  for (const [at, name] of ['a', 'b', '', 'a', 'b', ''].entries()) {
    const own = { k0: (at * 5) % 4, k1: (at * 3) % 4 };
    const friends = name === '' ? [] : [friend.get(name)!];
    made.push({ id: Number((await app.things.create({ n: 99, ...own, friends }))['id']), name, ...own });
  }
  // What has no friends comes first, and last downwards.
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  const sorts: [string, (one: (typeof made)[0], other: (typeof made)[0]) => number][] = [
    ['friends.name,k0', (one, other) => byName(one, other) || one.k0 - other.k0],
    ['friends.name:desc,k1:desc', (one, other) => byName(other, one) || other.k1 - one.k1],
    ['k1,friends.name', (one, other) => one.k1 - other.k1 || byName(one, other)],
  ];
  for (const [sort, compare] of sorts) {
    const expected = [...made].sort((one, other) => compare(one, other) || one.id - other.id).map(({ id }) => id);
    const query = { sort, filters: { n: 99 } };
    expect([sort, await whole(query)]).toEqual([sort, expected]);
    expect([sort, await walk(query, 2)]).toEqual([sort, expected]);
    const window = () => ({ start: 2, limit: 3, total: false });
    const answer = await app.documents.read({
      action: 'find',
      type: app.type,
      rights: 'system',
      query: { ...query, window },
    });
    const ids = (JSON.parse(answer.json.toString()) as ShownDocument[]).map(({ id }) => id);
    expect([sort, ids]).toEqual([sort, expected.slice(2, 5)]);
  }
});

test('documents that come and go elsewhere shift no page', async () => {
  const numbers = async (query: object, cursor: string) => {
    const found = await part(query, 2, cursor);
    return { ...found, names: await namesOf(found.ids) };
  };
  const namesOf = async (ids: readonly number[]) =>
    (await app.things.find({ filters: { id: { $in: ids } }, sort: 'name' })).map(({ name }) => name);
  const made = new Map<string, string>();
  for (const name of ['b', 'd', 'f', 'h', 'j'])
    made.set(name, String((await app.things.create({ name, n: 88 }))['documentId']));
  const query = { sort: 'name', filters: { n: 88 } };
  const one = await numbers(query, '');
  expect(one.names).toEqual(['b', 'd']);
  await app.things.create({ name: 'a', n: 88 });
  await app.things.delete(made.get('b')!);
  await app.things.delete(made.get('d')!);
  const two = await numbers(query, one.next!);
  expect(two.names).toEqual(['f', 'h']);
  await app.things.create({ name: 'i', n: 88 });
  const three = await numbers(query, two.next!);
  expect([three.names, three.next]).toEqual([['i', 'j'], undefined]);
});

test('a total is that of the whole list', async () => {
  const query = { sort: 'name', filters: { n: 88 } };
  const { next, total } = await part(query, 2, '', true);
  expect(total).toBe(5);
  expect(await part(query, 2, next!, true)).toMatchObject({ total: 5 });
  expect(await part({ filters: { n: 123_456 } }, 2, '', true)).toEqual({ ids: [], next: undefined, total: 0 });
});

test('what others wrote more exactly than Heddle does is found again', async () => {
  const knex = openForeign(place);
  const [first] = await app.things.find({ filters: { n: 77 } });
  const micro = (n: number) => (knex.client.config.client === 'better-sqlite3' ? n : `2024-01-01 00:00:00.00000${n}`);
  const row = { n: 99, created_at: micro(1), updated_at: micro(1), published_at: micro(1) };
  for (let at = 1; at <= 9; at++)
    await knex('things').insert({ ...row, document_id: `micro${at}`, moment: micro(10 - at), ratio: 0.1 * at });
  await knex.destroy();
  expect(first).toBeDefined();
  for (const sort of ['moment', 'moment:desc', 'ratio:desc']) {
    const query = { sort, filters: { n: 99 } };
    expect([sort, await walk(query, 2)]).toEqual([sort, await whole(query)]);
  }
});

const decoded = (cursor: string): unknown[] => JSON.parse(Buffer.from(cursor, 'base64url').toString());
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor that was tampered with finds nothing but what may be read, or is refused', async () => {
  const hostile = [
    'x',
    "'; drop table things; --",
    '2024-02-31',
    '2024-02-31 10:11:12',
    '2024-02-29 25:00:00',
    '25:61:61',
    'NaN',
    'Infinity',
    '-1e999',
    '99999999999999999999',
    '9'.repeat(300),
    '\u0000',
    '\ud800',
    1e300,
    -0.5,
    null,
  ];
  for (const name of [...names, 'code', 'id', 'documentId', 'createdAt']) {
    const { next } = await part({ sort: name }, 3, '');
    const [version, list, ...marks] = decoded(next!);
    for (const mark of hostile)
      for (const forged of [[mark, ...marks.slice(1)], marks.map(() => mark)]) {
        const answer = part({ sort: name }, 3, encoded([version, list, ...forged])).catch(({ name, status }) => ({
          name,
          status,
        }));
        const found = await answer;
        if ('name' in found) expect([mark, found.status]).toEqual([mark, 400]);
        else expect(found.ids.length).toBeLessThanOrEqual(3);
      }
    for (const forged of [[], [...marks, 1], [{}], [[1], 1], [true, 1], marks.slice(1)])
      await expect(part({ sort: name }, 3, encoded([version, list, ...forged]))).rejects.toMatchObject({
        name: 'PaginationError',
      });
  }
  expect((await app.things.find({})).length).toBeGreaterThan(60);
});

test('values that are too long for an address are told so', async () => {
  for (const at of [1, 2]) await app.things.create({ n: 55, text: `${'long'.repeat(2_000)}${at}` });
  // Its server does not look at all of a text that it orders by.
  if (client === 'mysql') {
    const query = { sort: 'text', filters: { n: 55 } };
    expect(await walk(query, 1)).toEqual(await whole(query));
    return;
  }
  await expect(part({ sort: 'text', filters: { n: 55 } }, 1, '')).rejects.toMatchObject({
    name: 'ValidationError',
    message:
      'The list is ordered by values that are too long for a cursor, which has at most 4000 characters. Sort by shorter ones.',
  });
});

test('texts that are alike for long stand in one order, however much of a list is asked for', async () => {
  const texts = Array.from(
    { length: 3_000 },
    (_, at) => 'a'.repeat(230 + ((at * 37) % 130)) + pick(['z', 'b', 'ä'], at),
  );
  await app.database.transaction(async (connection) => {
    const { placeholder, id } = app.database.dialect;
    const values = texts.map(
      (_, at) => `(${placeholder(3 * at + 1)},${placeholder(3 * at + 2)},${placeholder(3 * at + 3)})`,
    );
    const sql = `insert into ${id('things')} (${id('document_id')},${id('n')},${id('text')}) values ${values}`;
    await connection.run(
      { sql },
      texts.flatMap((text, at) => [`alike${at}`, 4_242, text]),
    );
  });
  for (const sort of ['text', 'text:desc']) {
    const query = { sort, filters: { n: 4_242 } };
    const all = await whole(query);
    expect(all).toHaveLength(3_000);
    // A server keeps the first of many rows in another way than it sorts them all.
    for (const [start, limit] of [
      [0, 1],
      [0, 25],
      [1_000, 25],
      [200, 100],
    ] as const) {
      const window = () => ({ start, limit, total: false });
      const some = await app.things.find({ ...query, fields: ['id'], window });
      expect(some.map(({ id }) => Number(id))).toEqual(all.slice(start, start + limit));
    }
    let cursor = '';
    for (let at = 0; at < 20; at++) {
      const { ids, next } = await part(query, 1, cursor);
      expect(ids).toEqual(all.slice(at, at + 1));
      cursor = next!;
    }
  }
}, 60_000);
