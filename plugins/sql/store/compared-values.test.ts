import type { Knex } from 'knex';
import { makePlace, type Opened, openApp, openForeign, type Place } from './database-app.fixture';
import { attributes } from './reads.fixture';

// How filters compare values. DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let place: Place;
let app: Opened;
let foreign: Knex;

beforeAll(async () => {
  place = await makePlace(attributes);
  app = await openApp(place);
  foreign = openForeign(place);
});
afterAll(async () => {
  await app.close();
  await foreign.destroy();
  await place.remove();
});
beforeEach(() => foreign('things').delete());

test('wildcards, quotes and escapes are literal', async () => {
  const names = ['a%b', 'a_b', 'a\\b', "a'b", 'a"b', 'aXb', 'a?b', 'a$1b', 'A%B', '%', '_', '\\', '100%'];
  for (const name of names) await app.things.create({ name });
  const found = async (operator: string, value: string): Promise<unknown[]> =>
    (await app.things.find({ filters: { name: { [operator]: value } }, sort: 'id' })).map(({ name }) => name);
  for (const sign of ['%', '_', '\\', "'", '"', '?', '$1']) {
    const folded = (name: string): string => name.toLowerCase();
    expect(await found('$contains', sign)).toEqual(names.filter((name) => name.includes(sign)));
    expect(await found('$startsWith', `a${sign}`)).toEqual(names.filter((name) => name.startsWith(`a${sign}`)));
    expect(await found('$startsWithi', `a${sign}`)).toEqual(
      names.filter((name) => folded(name).startsWith(`a${sign}`)),
    );
    expect(await found('$endsWith', `${sign}b`)).toEqual(names.filter((name) => name.endsWith(`${sign}b`)));
    expect(await found('$containsi', `${sign}B`)).toEqual(names.filter((name) => folded(name).includes(`${sign}b`)));
    expect(await found('$notContains', sign)).toEqual(names.filter((name) => !name.includes(sign)));
    expect(await found('$eqi', sign)).toEqual(names.filter((name) => name === sign));
  }
});

test('the text of a time is its milliseconds, in any year', async () => {
  const moments = [
    '1000-01-01T00:00:00.000Z',
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T12:00:00.120Z',
    '2200-01-01T00:00:00.001Z',
  ];
  for (const moment of moments) await app.things.create({ moment });
  for (const moment of moments) {
    const found = await app.things.find({ filters: { moment: { $endsWith: String(Date.parse(moment)) } } });
    expect(found.map((each) => each['moment'])).toEqual([moment]);
  }
});

test('a filter may name any year from 0 on', async () => {
  await app.things.create({ name: 'old', day: '0001-01-01', moment: '1000-01-01T00:00:00.000Z' });
  const found = async (filters: unknown): Promise<unknown[]> =>
    (await app.things.find({ filters })).map(({ name }) => name);
  for (const [attribute, first] of Object.entries({ day: '0000-01-01', moment: '0000-01-01T00:00:00.000Z' })) {
    expect(await found({ [attribute]: { $gt: first } })).toEqual(['old']);
    expect(await found({ [attribute]: { $lte: first } })).toEqual([]);
    expect(await found({ [attribute]: { $notIn: [first, '0000-02-29'] } })).toEqual(['old']);
    expect(await found({ [attribute]: { $between: [first, '9999-12-31'] } })).toEqual(['old']);
  }
});

test('texts are compared exactly, blanks at their end and accents included', async () => {
  const names = ['e', 'E', 'é', 'e ', ' e', 'ß', 'ss', '🙂', ''];
  for (const name of names) await app.things.create({ name });
  const found = async (filter: unknown): Promise<unknown[]> =>
    (await app.things.find({ filters: { name: filter }, sort: 'id' })).map(({ name }) => name);
  for (const name of names) {
    expect(await found(name)).toEqual([name]);
    expect(await found({ $in: [name] })).toEqual([name]);
    expect(await found({ $ne: name })).toEqual(names.filter((other) => other !== name));
    expect(await found({ $notIn: [name] })).toEqual(names.filter((other) => other !== name));
  }
  expect(await found({ $eqi: 'E' })).toEqual(['e', 'E']);
  expect(await found({ $contains: 'é' })).toEqual(['é']);
  expect(await found({ $containsi: 'É' })).toEqual([]);
});

test('whatever the case, a text is found by itself, also with letters that have another form in small', async () => {
  const names = ['ΟΔΟΣ', 'İstanbul', 'GROẞ', 'Ǆ', 'Ⅷ', 'Ꭰ', 'K'];
  for (const name of names) await app.things.create({ name });
  const found = async (operator: string, value: string): Promise<unknown[]> =>
    (await app.things.find({ filters: { name: { [operator]: value } }, sort: 'id' })).map(({ name }) => name);
  for (const name of names) {
    const asked = async (...operators: string[]): Promise<unknown[]> =>
      Promise.all(operators.map((operator) => found(operator, name)));
    expect(await asked('$eqi', '$containsi', '$startsWithi', '$endsWithi')).toEqual(Array(4).fill([name]));
    const others = names.filter((other) => other !== name);
    expect(await asked('$nei', '$notContainsi')).toEqual([others, others]);
  }
  expect(await found('$containsi', 'STANB')).toEqual(['İstanbul']);
});

test('big integers are compared digit by digit', async () => {
  for (const views of ['9007199254740992', '9007199254740993', '-9223372036854775808', '9223372036854775807'])
    await app.things.create({ views });
  const found = async (filter: unknown): Promise<unknown[]> =>
    (await app.things.find({ filters: { views: filter }, sort: 'views' })).map(({ views }) => views);
  expect(await found('9007199254740993')).toEqual(['9007199254740993']);
  expect(await found({ $gt: '9007199254740992', $lt: '9223372036854775807' })).toEqual(['9007199254740993']);
  expect(await found({ $in: ['-9223372036854775808', '9223372036854775807'] })).toEqual([
    '-9223372036854775808',
    '9223372036854775807',
  ]);
  const beyond = '99999999999999999999';
  expect(await found({ $lt: beyond, $gt: `-${beyond}` })).toHaveLength(4);
  expect(await found({ $between: [`-${beyond}`, beyond] })).toHaveLength(4);
  expect(await found({ $ne: `-${beyond}` })).toHaveLength(4);
  expect(await found({ $gt: beyond })).toEqual([]);
  expect(await found({ $lt: `-${beyond}` })).toEqual([]);
});

test('numbers of filters may have fractions and any size where columns have not', async () => {
  for (const n of [1, 2, 3]) await app.things.create({ n });
  const found = async (filter: unknown): Promise<unknown[]> =>
    (await app.things.find({ filters: { n: filter }, sort: 'n' })).map(({ n }) => n);
  expect(await found({ $gt: '1.5' })).toEqual([2, 3]);
  expect(await found({ $lt: '2.5' })).toEqual([1, 2]);
  expect(await found({ $between: ['1.5', '2.5'] })).toEqual([2]);
  expect(await found('2.0')).toEqual([2]);
  expect(await found('2.5')).toEqual([]);
  expect(await found({ $ne: '2.5' })).toEqual([1, 2, 3]);
  expect(await found({ $lt: '1e300' })).toEqual([1, 2, 3]);
  expect(await found({ $gt: '-99999999999999999999' })).toEqual([1, 2, 3]);
});
