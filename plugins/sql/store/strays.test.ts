import { definitions, projectFiles } from '../../../core/content/structure/structure.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;

/** The project whose items no longer take covers in their zone. */
function narrowed(): Record<string, object> {
  const item = definitions().find(({ uid }) => uid === 'api::item.item')!;
  const zone = { type: 'dynamiczone', components: ['part.page'] };
  const { info, collectionName } = item;
  const attributes = { ...item.attributes, zone };
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
