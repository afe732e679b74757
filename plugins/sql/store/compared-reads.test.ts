import fc from 'fast-check';
import { createMemoryStore, DOCUMENTS, type DocumentQuery, type Documents, STORE } from '../../../core';
import { pluginOf, type TestApplication, testApplication } from '../../../core/testing/test-application';
import { client, makePlace, type Opened, openApp, type Place, uid } from './database-app.fixture';
import { attributes } from './reads.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let place: Place;
let app: Opened;

beforeAll(async () => {
  place = await makePlace(attributes);
  app = await openApp(place);
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

describe('the database finds what the store in memory finds', () => {
  let memory: TestApplication;
  let documents: Documents;

  beforeAll(async () => {
    const info = { singularName: 'thing', pluralName: 'things' };
    memory = await testApplication({
      files: { 'src/api/thing/content-types/thing/schema.json': { info, attributes } },
      plugins: [
        pluginOf('memory', ({ hooks }) =>
          hooks.lifecycle.provide.tap('memory', (services) => services.add(STORE, createMemoryStore)),
        ),
      ],
    });
    await memory.start();
    documents = memory.kernel.services.get(DOCUMENTS);
  });
  afterAll(() => memory.remove());

  const names = ['a', 'A', 'ab', 'b%', '_', '', 'a ', "o'b", 'é', '1'];
  const numbers = [0, 1, -1, 2.5, 10, 1000000];
  const days = ['1999-12-31', '2024-02-29', '2024-03-01'];
  const hours = ['00:00:00.000', '10:11:12.500', '23:59:59.999'];
  const moments = ['1999-12-31T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '1960-01-01T00:00:00.001Z'];
  const flags = [true, false];
  const bigs = ['0', '-5', '9007199254740993'];
  const pick = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 5 });
  const thing = fc.record({
    name: pick(names),
    price: pick(numbers),
    ratio: pick(numbers),
    views: pick(bigs),
    flag: pick(flags),
    day: pick(days),
    hour: pick(hours),
    moment: pick(moments),
  });

  const textual = fc
    .tuple(
      fc.constantFrom(
        '$eqi',
        '$nei',
        '$contains',
        '$notContains',
        '$containsi',
        '$notContainsi',
        '$startsWith',
        '$startsWithi',
        '$endsWith',
        '$endsWithi',
      ),
      fc.constantFrom(...names, 'B', '%'),
    )
    .map(([operator, value]) => ({ name: { [operator]: value } }));
  const valuesOf: Record<string, readonly unknown[]> = {
    price: numbers,
    ratio: numbers,
    views: bigs,
    day: days,
    hour: hours,
    moment: moments,
  };
  const ordered = fc
    .constantFrom(...Object.keys(valuesOf))
    .chain((field) =>
      fc.tuple(
        fc.constant(field),
        fc.constantFrom('$eq', '$ne', '$lt', '$lte', '$gt', '$gte'),
        fc.constantFrom(...valuesOf[field]!),
      ),
    )
    .map(([field, operator, value]) => ({ [field]: { [operator]: String(value) } }));
  const listed = fc
    .constantFrom('name', 'price', 'views', 'day', 'moment')
    .chain((field) =>
      fc.tuple(
        fc.constant(field),
        fc.constantFrom('$in', '$notIn', '$eq', '$ne'),
        fc.array(fc.constantFrom(...(valuesOf[field] ?? names), null), { maxLength: 3 }),
      ),
    )
    .map(([field, operator, values]) => ({
      [field]: { [operator]: values.map((value) => (value === null ? null : String(value))) },
    }));
  const between = fc
    .constantFrom('price', 'views', 'day', 'hour', 'moment')
    .chain((field) =>
      fc.tuple(
        fc.constant(field),
        fc.tuple(fc.constantFrom(...valuesOf[field]!), fc.constantFrom(...valuesOf[field]!)),
      ),
    )
    .map(([field, values]) => ({ [field]: { $between: values.map(String) } }));
  const empty = fc
    .tuple(
      fc.constantFrom(...Object.keys(attributes)),
      fc.constantFrom('$null', '$notNull'),
      fc.constantFrom('true', 'false'),
    )
    .map(([field, operator, value]) => ({ [field]: { [operator]: value } }));
  const flagged = fc
    .tuple(fc.constantFrom('$eq', '$ne'), fc.constantFrom('true', '0'))
    .map(([operator, value]) => ({ flag: { [operator]: value } }));
  const leaf = fc.oneof(textual, ordered, listed, between, empty, flagged);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc
        .tuple(fc.constantFrom('$and', '$or', '$not'), fc.array(tie('tree'), { maxLength: 3 }))
        .map(([key, items]) => ({ [key]: items })),
    ),
  }));
  const sort = fc.constantFrom('id', 'price', 'ratio:desc', 'day,moment:desc', 'flag', 'views:desc', 'hour');

  test('by any filter, in any order', async () => {
    const things = fc.sample(thing, { numRuns: 40, seed: 7 });
    for (const [n, data] of things.entries()) {
      await app.things.create({ ...data, n });
      await documents.of(uid).create({ ...data, n });
    }
    await fc.assert(
      fc.asyncProperty(tree, sort, async (filters, order) => {
        const query: DocumentQuery = { filters, sort: order, fields: 'n' };
        const ours = (await app.things.find(query)).map(({ n }) => n);
        expect(ours).toEqual((await documents.of(uid).find(query)).map(({ n }) => n));
      }),
      { numRuns: client === 'sqlite' ? 300 : 150 },
    );
  });
});
