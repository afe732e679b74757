import { makePlace, openApp } from './database-app.fixture';

const kinds = [
  'string',
  'text',
  'integer',
  'biginteger',
  'float',
  'decimal',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
  'blocks',
];
const values: Readonly<Record<string, unknown>> = {
  string: 'a',
  text: 'b',
  integer: 1,
  biginteger: '2',
  float: 0.5,
  decimal: 1.5,
  boolean: true,
  date: '2024-01-01',
  time: '10:00:00.000',
  datetime: '2024-01-01T00:00:00.000Z',
  json: { a: [1] },
  blocks: [],
};

test('a type of 200 attributes is made, written, listed, filtered and searched', async () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [`attribute${index}`, { type: kinds[index % kinds.length]! }]),
  );
  const data = Object.fromEntries(Object.entries(attributes).map(([name, { type }]) => [name, values[type]]));
  const place = await makePlace(attributes);
  const app = await openApp(place);
  const made = await app.things.create(data);
  expect(made).toMatchObject(data);
  expect(await app.things.update(String(made['documentId']), { attribute0: 'c' })).toMatchObject({
    ...data,
    attribute0: 'c',
  });
  const every = Object.entries(attributes)
    .filter(([, { type }]) => type !== 'json' && type !== 'blocks')
    .map(([name]) => ({ [name]: { $notNull: 'true' } }));
  expect(await app.things.find({ filters: { $and: every }, search: 'c', sort: Object.keys(attributes) })).toHaveLength(
    1,
  );
  await app.close();
  await place.remove();
});
