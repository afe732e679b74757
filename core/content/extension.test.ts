import { z } from 'zod';
import {
  type AttributeKind,
  createMemoryStore,
  type Dimension,
  DOCUMENTS,
  type Documents,
  definePlugin,
  type ReadPlan,
  STORE,
  validationError,
} from '../index';
import { type TestApplication, testApplication } from '../testing/test-application';
import { refusal } from './content.fixture';

// A plugin with an attribute kind and a dimension of its own, on the store that needs no database.

const color: AttributeKind = {
  name: 'color',
  storage: 'string',
  typeName: 'string',
  options: z.object({ alpha: z.boolean().optional() }),
  check:
    ({ alpha }) =>
    (given, label) => {
      const form = alpha === true ? /^#[0-9a-f]{8}$/i : /^#[0-9a-f]{6}$/i;
      return form.test(String(given))
        ? { value: String(given).toLowerCase() }
        : { refusals: [{ message: `${label} must be a color`, value: given }] };
    },
  toFilter: (given) => String(given).toLowerCase(),
};

const markets = ['eu', 'us'];

const market: Dimension = {
  name: 'market',
  attribute: { name: 'market', definition: { type: 'string' } },
  appliesTo: ({ pluginOptions }) => pluginOptions['market'] === true,
  choose(given) {
    if (given === undefined) return { is: 'eu' };
    if (given === 'any') return { any: true };
    if (Array.isArray(given)) return { oneOf: given };
    if (!markets.includes(given as string)) throw validationError(`there is no market "${given}"`);
    return { is: given as string };
  },
  show: (given) => (given === undefined ? { is: 'eu' } : { any: true }),
};

const shop = definePlugin({
  name: 'shop',
  apply({ hooks }) {
    hooks.content.kinds.tap('shop', (kinds) => kinds.add('color', color));
    hooks.content.dimensions.tap('shop', (dimensions) => dimensions.add('market', market));
    hooks.lifecycle.provide.tap('shop', (services) => services.add(STORE, createMemoryStore));
  },
});

const schema = (name: string, pluginOptions: object, attributes: object = {}) => ({
  info: { singularName: name, pluralName: `${name}s` },
  pluginOptions,
  attributes: { name: { type: 'string', unique: true }, paint: { type: 'color' }, ...attributes },
});

const carrier = { type: 'relation', relation: 'oneToOne', target: 'api::car.car' };

const files = {
  'src/api/car/content-types/car/schema.json': schema('car', { market: true }),
  'src/api/bike/content-types/bike/schema.json': schema('bike', {}, { carrier }),
};

let app: TestApplication;
let documents: Documents;

beforeEach(async () => {
  app = await testApplication({ files, plugins: [shop] });
  await app.start();
  documents = app.kernel.services.get(DOCUMENTS);
});
afterEach(() => app.remove());

test('a kind checks, keeps and filters its values', async () => {
  const bikes = documents.of('api::bike.bike');
  expect(await bikes.create({ name: 'a', paint: '#FFaa00' })).toMatchObject({ paint: '#ffaa00' });
  expect(await refusal(bikes.create({ paint: 'red' }))).toMatchObject({
    message: 'paint must be a color',
    status: 400,
  });
  expect(await bikes.find({ filters: { paint: '#FFAA00' } })).toHaveLength(1);
});

test('the options of a kind are checked', async () => {
  const wrong = { ...schema('car', {}), attributes: { paint: { type: 'color', alpha: 'yes' } } };
  const error = await refusal(
    testApplication({ files: { 'src/api/car/content-types/car/schema.json': wrong }, plugins: [shop] }),
  );
  expect(error.message).toContain('car/schema.json /attributes/paint/alpha');
});

test('a dimension gives documents a row each, which its parameter selects', async () => {
  const cars = documents.of('api::car.car');
  const us = { parameters: { market: 'us' } };
  expect(await cars.create({ name: 'a' })).toMatchObject({ market: 'eu' });
  const american = await cars.create({ name: 'b' }, us);
  expect(american).toMatchObject({ market: 'us' });
  const names = async (parameters: object) =>
    (await cars.find({ parameters, sort: 'id' } as never)).map(({ name }) => name);
  expect(await names({})).toEqual(['a']);
  expect(await names({ market: 'us' })).toEqual(['b']);
  expect(await names({ market: ['eu', 'us'] })).toEqual(['a', 'b']);
  expect(await names({ market: 'any' })).toEqual(['a', 'b']);
  expect(await refusal(names({ market: 'mars' }))).toMatchObject({ message: 'there is no market "mars"', status: 400 });

  const id = String(american['documentId']);
  expect(await refusal(cars.update(id, { name: 'c' }))).toMatchObject({ status: 404 });
  expect(await cars.update(id, { name: 'c' }, us)).toMatchObject({ name: 'c', market: 'us' });
  await cars.delete(id);
  expect(await names({ market: 'us' })).toEqual(['c']);
  await cars.delete(id, us);
  expect(await names({ market: 'any' })).toEqual(['a']);
});

test('values are unique per variant, and the variant is not written by bodies', async () => {
  const cars = documents.of('api::car.car');
  await cars.create({ name: 'a' });
  await cars.create({ name: 'a' }, { parameters: { market: 'us' } });
  expect((await refusal(cars.create({ name: 'a' }))).message).toBe('This attribute must be unique');
  expect((await refusal(cars.create({ market: 'us' }))).message).toBe('Invalid key market');
});

test('a type to which the dimension does not apply knows nothing of it', async () => {
  const bikes = documents.of('api::bike.bike');
  expect(await bikes.create({ name: 'a' }, { parameters: { market: 'mars' } })).not.toHaveProperty('market');
  expect((await refusal(bikes.find({ filters: { market: 'eu' } }))).message).toBe('Invalid key market');
});

test('a parameter that is null is not taken for one that is not said', async () => {
  const plans: ReadPlan[] = [];
  const watching = definePlugin({
    name: 'watching',
    apply: ({ hooks }) =>
      hooks.document.plan.tap('watching', (plan) => {
        plans.push(plan);
        return plan;
      }),
  });
  const watched = await testApplication({ files, plugins: [shop, watching] });
  await watched.start();
  const bikes = watched.kernel.services.get(DOCUMENTS).of('api::bike.bike');
  for (const parameters of [{}, { market: null }, {}, { market: null }])
    await bikes.find({ parameters, populate: 'carrier' });
  await watched.remove();
  const conditions = plans.map(({ populate }) => populate[0]?.selections[0]?.where?.op);
  expect(conditions).toStrictEqual(['compare', undefined]);
});

test('two plugins over one kind are both named', async () => {
  const other = definePlugin({
    name: 'paint',
    apply: ({ hooks }) => hooks.content.kinds.tap('paint', (kinds) => kinds.add('color', color)),
  });
  const error = await refusal(testApplication({ files: {}, plugins: [shop, other] }));
  expect(error.message).toContain('attribute kind "color": is registered by plugin "shop" and by plugin "paint".');
});
