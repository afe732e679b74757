import fc from 'fast-check';
import type { Knex } from 'knex';
import type { ScalarStorage } from '../../../core';
import { attributes } from './bytes.fixture';
import { client, makePlace, type Opened, openApp, openForeign, type Place } from './database-app.fixture';
import { rawRows, rendered } from './raw-rows.fixture';

// The text that a database makes of rows must be that of JSON.stringify. DATABASE_CLIENT=postgres or mysql runs these
// tests on a server at 127.0.0.1.

const identifiers = [
  ['id', 'id', 'integer'],
  ['documentId', 'document_id', 'string'],
] as const;
const times = ['createdAt', 'updatedAt', 'publishedAt'].map(
  (name) => [name, name.replace('At', '_at').toLowerCase(), 'datetime'] as const,
);

let place: Place;
let app: Opened;
let foreign: Knex;
let columns: (readonly [string, string, ScalarStorage])[];

beforeAll(async () => {
  place = await makePlace(attributes);
  app = await openApp(place);
  foreign = openForeign(place);
  const own = Object.keys(attributes).map((name) => [name, name, app.type.attributes.get(name)!.kind.storage] as const);
  columns = [...identifiers, ...own, ...times];
});
afterAll(async () => {
  await app.close();
  await foreign.destroy();
  await place.remove();
});

const isServer = client !== 'sqlite';

const wellFormed = (value: string): string => Buffer.from(value).toString();

/** Any UTF-16, lone surrogates included; what a server refuses is left out. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom(
        '\u0000',
        '\u0001',
        '\u0002',
        '\u000b',
        '\u001f',
        '\u007f',
        '\\',
        '"',
        '/',
        '\u2028',
        '\ud800',
        '\udc00',
        '🙂',
        'é',
        "'",
        '%',
        '\\u000B',
        '\n',
      ),
      maxLength: 12,
    }),
    fc.constantFrom('', ' ', '12', '1.50', 'true', 'null', '\\u001F', '\\\\u001F'),
  )
  .map((value) => (client === 'postgres' ? value.replaceAll('\u0000', '') : value))
  .map((value) => (isServer ? wellFormed(value) : value));

const randomBits = fc
  .tuple(fc.nat(0xffff_ffff), fc.nat(0xffff_ffff))
  .map((words) => new Float64Array(new Uint32Array(words).buffer)[0]!)
  .filter(Number.isFinite);
const float = fc.oneof(
  randomBits,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer().map((value) => value / 7),
  fc
    .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: -30, max: 30 }))
    .map(([digits, exponent]) => Number(`${digits}e${exponent}`)),
  fc.constantFrom(
    0,
    -0,
    5e-324,
    2.2250738585072014e-308,
    1e21,
    1e20,
    -1e21,
    999999999999999900000,
    1e15,
    1e16,
    123456789012345680000,
    1e-6,
    1e-7,
    0.0001,
    0.00001,
    1.7976931348623157e308,
    0.1,
    1.005,
    10,
    2 ** 53,
    2 ** 63,
  ),
);
const money = isServer ? fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }).map((cents) => cents / 100) : float;
const whole = fc.oneof(
  fc.integer(),
  isServer ? fc.integer() : fc.maxSafeInteger(),
  fc.constantFrom(0, -1, 2_147_483_647, -2_147_483_648),
);
const big = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 9007199254740993n, 2n ** 63n - 1n, -(2n ** 63n)),
);
const two = (value: number): string => String(value).padStart(2, '0');
const day = fc
  .integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) })
  .map((time) => new Date(time).toISOString().slice(0, 10));
const hour = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999))
  .map(([h, m, s, ms]) => `${two(h)}:${two(m)}:${two(s)}.${String(ms).padStart(3, '0')}`);
const inside = (from: number, to: number) =>
  fc.oneof(
    fc.integer({ min: from, max: to }),
    fc.integer({ min: -1, max: 1 }).map((edge) => (from < 0 ? edge : from)),
  );
const moment = inside(client === 'sqlite' ? -62_167_219_200_000 : Date.UTC(1000, 0, 1), 253_402_300_799_999);
const stamp = client === 'mysql' ? inside(1000, 2_147_483_647_000) : moment;

/** MariaDB takes no JSON that is deeper. */
const deep = client === 'mysql' ? 31 : 800;

/** Escapes that PostgreSQL or MariaDB takes for no JSON. */
const unusable = client === 'postgres' ? /\\u(0000|d[89a-f])/i : /\\ud[89a-f]/i;

/** JSON as others write it: blanks, odd numbers, escapes, keys twice. */
const jsonText = fc
  .oneof(
    fc.json({ maxDepth: 4 }),
    fc.constantFrom(
      '{"a":1,"a":{"b":2},"__proto__":[1],"":null}',
      ' { "b" : [ 1.50 , -0 , 1E2 , 1e-7, 12345678901234567890 , 1e21 ] ,\n"a":true}',
      '"\\u00e9\\/\\b\\f"',
      '"text"',
      '"12"',
      'true',
      'false',
      'null',
      '12',
      '-0',
      '1.50',
      '1e21',
      '1e300',
      '123456789012345678',
      '[]',
      '{}',
      '{"10":1,"9":2,"a":3}',
      `${'['.repeat(deep)}1${']'.repeat(deep)}`,
      ...(client === 'postgres' ? [] : ['"\\u0000"', '{"k\\u0001":"\\u0002"}', '[1e400]']),
      ...(client === 'sqlite' ? ['not json', '{bad', '', '"\\ud800"'] : []),
    ),
  )
  .filter((value) => !isServer || !unusable.test(value));

const spelt = (time: number): unknown =>
  isServer ? new Date(time).toISOString().replace('T', ' ').replace('Z', '') : time;
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 12 });

const row = fc.record({
  word: maybe(text),
  body: maybe(text),
  mail: maybe(text),
  slug: maybe(text),
  line: maybe(text),
  whole: maybe(whole),
  big: maybe(big.map((value) => (isServer ? String(value) : value))),
  ratio: maybe(float),
  money: maybe(money),
  flag: maybe(fc.boolean().map((value) => (client === 'postgres' ? value : Number(value)))),
  day: maybe(day),
  hour: maybe(hour),
  moment: maybe(moment.map(spelt)),
  stamp: maybe(stamp.map(spelt)),
  extra: maybe(jsonText),
  story: maybe(jsonText),
  created_at: maybe(moment.map(spelt)),
  updated_at: maybe(moment.map(spelt)),
  published_at: fc.constant(spelt(0)),
});

const all = () => ({ start: 0, limit: 1000, total: false });
const read = async (): Promise<string> =>
  String(
    (await app.documents.read({ action: 'find', type: app.type, rights: 'public', query: { sort: 'id', window: all } }))
      .json,
  );

test('the text made by the database is that of JSON.stringify, whatever others wrote into the table', async () => {
  let next = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 60 }), async (rows) => {
      await foreign('things').delete();
      await foreign('things').insert(rows.map((values) => ({ document_id: `d${++next}`, ...values })));
      const json = await read();
      expect(json).toBe(rendered(await rawRows(foreign, place), columns));
      expect(json).toBe(JSON.stringify(JSON.parse(json)));
    }),
    { numRuns: isServer ? 25 : 40 },
  );
});

test('what was accepted comes back as it was given', async () => {
  await foreign('things').delete();
  const clean = text.map(wellFormed);
  const given = fc.record({
    word: clean,
    body: clean,
    whole: fc.integer(),
    big: big.map(String),
    ratio: float,
    money,
    flag: fc.boolean(),
    day,
    hour,
    moment: moment.map((time) => new Date(time).toISOString()),
    extra: fc
      .jsonValue({ maxDepth: 3 })
      .filter((value) => typeof value !== 'string' && (!isServer || !unusable.test(JSON.stringify(value)))),
  });
  await fc.assert(
    fc.asyncProperty(given, async (data) => {
      const made = await app.things.create(data);
      expect(made).toMatchObject(JSON.parse(JSON.stringify(data)) as object);
      expect(await app.things.findOne(String(made['documentId']))).toEqual(made);
    }),
    { numRuns: 60 },
  );
});

test('JSON of all forms comes back, truths as truths', async () => {
  const values = [true, false, 0, 1, 12, 1.5, [], {}, [true, [false]], { a: { b: null } }, '"', 'text', [1e21, 5e-324]];
  for (const extra of values) {
    const { documentId } = await app.things.create({ extra });
    expect((await app.things.findOne(String(documentId)))!['extra']).toEqual(extra);
  }
});

test('JSON that a database does not take is the fault of the caller', async () => {
  const deep = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  for (const extra of [deep(40), deep(900), ['\ud800'], ['\udc00\ud800'], ['\u0000'], { '\u0000': 1 }]) {
    const outcome = await app.things.create({ extra }).then(
      async ({ documentId }) => (await app.things.findOne(String(documentId)))!['extra'],
      (error) => error.status,
    );
    expect([400, extra]).toContainEqual(outcome);
  }
});

// The others keep it out of every table, or have it among the values of above.
(client === 'mysql' ? test : test.skip)('what is no JSON is text, where a table lets it in', async () => {
  await foreign.raw('alter table things modify extra longtext');
  const texts = ['not json', '', '1\u0002,"more":2', '\u0002', '\u0001"x"\u0002', '\u0003', '\\u001F', '{"a":1'];
  await foreign('things').delete();
  const published_at = spelt(0);
  await foreign('things').insert(texts.map((extra, at) => ({ document_id: `t${at}`, extra, published_at })));
  const found = JSON.parse(await read()) as { extra: unknown }[];
  expect(found.map(({ extra }) => extra)).toEqual(texts);
});
