import { type FixtureApp, fixtureApp } from './fixture-app.fixture';

let app: FixtureApp;
const tags: string[] = [];
let article: string;

beforeAll(async () => {
  app = await fixtureApp();
  for (const label of ['a', 'b', 'c', 'd'])
    tags.push(String((await app.documents.of('api::tag.tag').create({ label }))['documentId']));
});
beforeEach(async () => {
  const made = await app.documents.of('api::article.article').create({ title: 'Linked', tags: tags.slice(0, 2) });
  article = String(made['documentId']);
});
afterAll(() => app.remove());

async function change(data: object): Promise<unknown> {
  const query =
    'mutation ($id: ID!, $data: ArticleInput!) { updateArticle(documentId: $id, data: $data) { tags { label } author { name } } }';
  const { body } = await app.ask(query, { id: article, data });
  if (body.errors) throw new Error(body.errors[0].message);
  return (body.data.updateArticle.tags as { label: string }[]).map(({ label }) => label).join('');
}

const entries = (...at: readonly number[]) => at.map((index) => ({ documentId: tags[index] }));

test('a list of ids is all that is linked', async () => {
  expect(await change({ tags: [tags[2], tags[0]] })).toBe('ca');
  expect(await change({ tags: [] })).toBe('');
});

test('links are added, removed and set beside the list of ids', async () => {
  expect(await change({ tags_relation: { connect: entries(2), disconnect: entries(0) } })).toBe('bc');
  expect(await change({ tags_relation: { set: entries(3, 0) } })).toBe('da');
  expect(await change({ tags_relation: null })).toBe('da');
  expect(await change({ title: 'Other' })).toBe('da');
});

test('a new link stands where it is put', async () => {
  const put = (index: number, position: object) => ({
    tags_relation: { connect: [{ documentId: tags[index], position }] },
  });
  expect(await change(put(2, { start: true }))).toBe('cab');
  expect(await change(put(3, { before: tags[0] }))).toBe('cdab');
  expect(await change(put(3, { after: tags[1] }))).toBe('cabd');
});

test('contradictions are refused', async () => {
  await expect(change({ tags: [], tags_relation: { connect: entries(2) } })).rejects.toThrow(
    'Invalid relation tags: "tags" and "tags_relation" can not stand beside each other',
  );
  await expect(change({ tags_relation: { set: entries(0), connect: entries(2) } })).rejects.toThrow(
    'Invalid relation tags',
  );
});

test('what is sorted by equal values is in the order in which it was made, not in that of its links', async () => {
  await change({ tags: [tags[2], tags[0]] });
  const { body } = await app.ask(
    'query ($id: ID!) { article(documentId: $id) { tags { label } sorted: tags(sort: "weight") { label } page: tags(sort: "weight", pagination: { limit: 1 }) { label } } }',
    { id: article },
  );
  const [a, c] = [{ label: 'a' }, { label: 'c' }];
  expect(body.data.article).toEqual({ tags: [c, a], sorted: [a, c], page: [a] });
});
