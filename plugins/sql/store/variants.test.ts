import type { Heddle } from '../../../core';
import { makePlace, type Opened, openApp, openForeign, type Place } from './database-app.fixture';
import { regions } from './regions.fixture';

// A dimension that this plugin has never heard of. DATABASE_CLIENT=postgres or mysql runs these tests on a server.

const south = { parameters: { region: 'south' } };
let place: Place;
let app: Opened | undefined;

beforeEach(async () => {
  place = await makePlace({ name: { type: 'string' } });
});
afterEach(async () => {
  await app?.close();
  app = undefined;
  await place.remove();
});

async function open(apply?: (heddle: Heddle) => void): Promise<Opened> {
  await app?.close();
  app = await openApp(place, apply);
  return app;
}

const namesOf = async ({ things }: Opened, documentId: string): Promise<unknown[]> => [
  (await things.findOne(documentId))?.['name'],
  (await things.findOne(documentId, south))?.['name'],
];

async function inBoth({ things }: Opened): Promise<string> {
  const documentId = String((await things.create({ name: 'n' }))['documentId']);
  await things.update(documentId, { name: 's' }, south);
  return documentId;
}

test('a document has one row for each variant, and the database lets no other in', async () => {
  const opened = await open(regions);
  const documentId = await inBoth(opened);
  expect(await namesOf(opened, documentId)).toEqual(['n', 's']);
  const knex = openForeign(place);
  try {
    const { id: _id, h_live: _live, h_loc: _locale, ...row } = await knex('things').first();
    const outcome = await knex('things')
      .insert(row)
      .then(
        () => 'it was let in',
        (error: Error) => error.message,
      );
    expect(outcome).toMatch(/unique|duplicate/i);
  } finally {
    await knex.destroy();
  }
});

test('a dimension may come later, go, and come again', async () => {
  const before = await open();
  await before.things.create({ name: 'old' });
  const documentId = await inBoth(await open(regions));
  const without = await open();
  expect((await without.things.find()).length).toBeGreaterThan(0);
  expect(await namesOf(await open(regions), documentId)).toEqual(['n', 's']);
});
