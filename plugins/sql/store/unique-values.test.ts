import { makePlace, type Opened, openApp, type Place } from './database-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

/** Values that databases spell in their own way when they are read. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  string: ['text'],
  text: ['text'],
  integer: [7],
  biginteger: ['9007199254740993'],
  float: [0.1],
  decimal: [1.5, 1],
  date: ['2020-02-29'],
  time: ['10:20:30.000', '10:20:30.120'],
  datetime: ['2020-01-01T00:00:00.000Z', '2020-01-01T10:20:30.120Z'],
  timestamp: ['2020-01-01T00:00:00.000Z'],
};

let place: Place;
let app: Opened;

beforeAll(async () => {
  place = await makePlace(Object.fromEntries(Object.keys(values).map((type) => [`${type}s`, { type, unique: true }])));
  app = await openApp(place);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

const cases = Object.entries(values).flatMap(([type, some]) => some.map((value) => [type, value] as const));

test.each(cases)('a value of type %s is unique: %s', async (type, value) => {
  await app.things.create({ [`${type}s`]: value });
  await expect(app.things.create({ [`${type}s`]: value })).rejects.toThrow('This attribute must be unique');
});
