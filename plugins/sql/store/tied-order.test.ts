import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// A list of what is tied to a document, whole, in an order that leads through a relation: of what it leads to, one locale.

const typeFile = (singular: string, attributes: object, more: object = {}) =>
  [
    `src/api/${singular}/content-types/${singular}/schema.json`,
    { kind: 'collectionType', info: { singularName: singular, pluralName: `${singular}s` }, attributes, ...more },
  ] as const;
const link = (relation: string, target: string) => ({ type: 'relation', relation, target: `api::${target}.${target}` });
const localized = { pluginOptions: { i18n: { localized: true } } };
const name = { type: 'string' };
const good = { name, price: { type: 'integer' }, maker: link('manyToOne', 'owner') };
const files = Object.fromEntries([
  typeFile('shop', { name, goods: link('manyToMany', 'good') }),
  typeFile('good', good, localized),
  typeFile('owner', { name }, localized),
]);

let app: LinkedApp;

beforeAll(async () => {
  app = await openLinkedApp(files);
  const make = async (uid: string, data: Record<string, unknown>): Promise<string> =>
    String((await app.documents.of(uid).create(data))['documentId']);
  const owners = [await make('api::owner.owner', { name: 'Zoe' }), await make('api::owner.owner', { name: 'Abe' })];
  const goods: string[] = [];
  for (let at = 0; at < 8; at += 1)
    goods.push(await make('api::good.good', { name: `g${at}`, price: 100 - at, maker: owners[at % 2] }));
  await make('api::shop.shop', { name: 'A', goods });
}, 60_000);
afterAll(() => app.remove());

test.each([true, false])('is sorted and filtered, as a page: %s', async (isPaged) => {
  const given = {
    filters: { price: { $lt: 97 } },
    sort: 'maker.name',
    ...(isPaged && { window: { start: 0, limit: 20 } }),
  };
  const of = { 'api::good.good': [{ key: 'n', attribute: 'name' }] };
  const entries = [{ key: 'goods', nested: 'goods', given: 0, of }];
  const shown = { shape: JSON.stringify([entries, isPaged]), entries, given: [given] };
  const query = { shown, window: () => ({ start: 0, limit: 10, total: false }) };
  const type = app.registry.get('api::shop.shop');
  const answer = await app.documents.read({ action: 'find', type, query, rights: 'system' });
  const [{ goods }] = JSON.parse(answer.json.toString());
  expect(goods.map(({ n }: { n: string }) => n)).toEqual(['g5', 'g7', 'g4', 'g6']);
});
