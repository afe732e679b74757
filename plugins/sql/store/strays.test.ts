import { definitions, projectFiles } from '../../../core/content/structure/structure.fixture';
import { layoutOf } from '../layout/tables';
import { modelsOf } from '../models';
import { client } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';
import { findStrays } from './strays';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;

/** The project whose items no longer take covers in their zone, and have another zone. */
function narrowed(): Record<string, object> {
  const item = definitions().find(({ uid }) => uid === 'api::item.item')!;
  const zone = { type: 'dynamiczone', components: ['part.page'] };
  const { info, collectionName } = item;
  const area = { type: 'dynamiczone', components: ['part.cover'] };
  const attributes = { ...item.attributes, zone, area };
  return { ...projectFiles(), [item.file]: { kind: 'collectionType', collectionName, info, attributes } };
}

beforeAll(async () => {
  app = await openLinkedApp();
  const entry = { __component: 'part.cover', title: 'stray', pages: [{ text: 'inside' }] };
  await app.documents
    .of('api::item.item')
    .create({ name: 'a', zone: [entry, { __component: 'part.page', text: 'p' }] });
  app = await app.restart(narrowed());
});
afterAll(() => app.remove());

const page = { text: 'p', size: 1, __component: 'part.page' };
const pages = [{ text: 'inside', size: 1 }];
const cover = { title: 'stray', __component: 'part.cover' };
const whole = { title: 'stray', pages, __component: 'part.cover' };

const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'id' ? undefined : inner)));

test.each<[unknown, readonly object[]]>([
  ['*', [cover, page]],
  ['zone', [cover, page]],
  [{ zone: true }, [cover, page]],
  [{ zone: { populate: '*' } }, [whole, { ...page, by: null, tags: [] }]],
  [{ zone: { on: { 'part.cover': true } } }, [cover]],
  [{ zone: { on: { 'part.cover': { populate: 'pages' } } } }, [whole]],
  [{ zone: { on: { 'part.page': true } } }, [page]],
  [['zone.by'], [cover, { ...page, by: null }]],
])('populate %j shows what a zone holds, though the schema no longer lists it', async (populate, zone) => {
  const [item] = await app.documents.of('api::item.item').find({ populate });
  const ordered = (entries: readonly object[]): string[] =>
    (withoutIds(entries) as object[]).map((entry) => JSON.stringify(Object.entries(entry).sort()));
  expect(ordered(item!['zone'] as object[])).toEqual(ordered(zone));
});

/**
 * Many rows of two components, each in an attribute of its own: planners expect them in the other, too. And rows of an
 * attribute that is gone, of another zone, and of nothing.
 */
async function fillAttributes(): Promise<void> {
  const knex = app.database.knex();
  const [{ id: entity_id }] = await knex('items').select('id');
  const row = (field: string, component_type: string | null, cmp_id: number) => ({
    entity_id,
    cmp_id,
    field,
    component_type,
    order: cmp_id,
  });
  const numbers = Array.from({ length: 20_000 }, (_, at) => 1_000 + at);
  const rows = [
    ...numbers.map((number) => row('cover', 'part.cover', number)),
    ...numbers.map((number) => row('zone', 'part.page', number)),
    ...['zoo', 'area'].map((field) => row(field, 'part.page', 1)),
    row('zone', null, 1),
  ];
  await knex.batchInsert('items_cmps', rows, 150);
  await knex.raw(client === 'mysql' ? 'analyze table items_cmps' : 'analyze');
}

/** What tells in a plan that a row is looked up in the index of zones and their components. */
const lookedUp = {
  sqlite: /SEARCH items_cmps USING COVERING INDEX h_items_cmps_field_idx \(\(field,component_type\)>\(\?,\?\)\)/,
  postgres: /Index Only Scan using h_items_cmps_field_idx[^"]*"\],\["\s+Index Cond: \(ROW/,
  mysql: /"items_cmps","range","[^"]*","h_items_cmps_field_idx"/,
};

// Last of all, for the rows that it adds show no components.
test('what a zone holds is looked up, however much there is of it', async () => {
  await fillAttributes();
  const { database, registry } = app;
  const plans: string[] = [];
  const explaining = {
    dialect: database.dialect,
    async rows({ sql }: { sql: string }, values: readonly unknown[]) {
      const explain = client === 'sqlite' ? 'explain query plan' : 'explain';
      plans.push(JSON.stringify(await database.rows({ sql: `${explain} ${sql}` }, values)));
      return database.rows({ sql }, values);
    },
  };
  const layout = layoutOf(modelsOf(registry, { indexes: {}, renderings: true }));
  const strays = await findStrays(explaining, registry, layout);
  const { nested } = registry.get('api::item.item');
  expect(strays).toEqual(
    new Map([
      [nested.get('area')!, [registry.get('part.page')]],
      [nested.get('zone')!, [registry.get('part.cover')]],
    ]),
  );
  // One for each component, and one behind the last.
  expect(plans).toHaveLength(3);
  for (const plan of plans) expect(plan).toMatch(lookedUp[client]);
});
