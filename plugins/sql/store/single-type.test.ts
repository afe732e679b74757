import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const uid = 'api::home.home';
const files = {
  'src/api/home/content-types/home/schema.json': {
    kind: 'singleType',
    info: { singularName: 'home', pluralName: 'homes', displayName: 'home' },
    attributes: { name: { type: 'string' } },
  },
};

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp(files);
});
afterAll(() => app.remove());

test('a single type that many make at once is one document', async () => {
  const homes = app.documents.of(uid);
  const made = await Promise.all(Array.from({ length: 20 }, (_, at) => homes.create({ name: `n${at}` })));
  expect(new Set(made.map(({ documentId }) => documentId)).size).toBe(1);
  expect(await homes.find()).toHaveLength(1);
});
