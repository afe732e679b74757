import { refusal } from '../content.fixture';
import { linkedInMemory } from './in-memory.fixture';
import { heldBy } from './structure.fixture';

const app = linkedInMemory();
const items = app.documents.of('api::item.item');
const item = app.registry.get('api::item.item');
const page = app.registry.get('part.page');

/** What the only item holds, without what is empty. */
async function held(): Promise<Record<string, unknown>> {
  const { documents, orphans } = await heldBy(app.store, app.registry);
  expect(orphans).toEqual({ 'part.cover': 0, 'part.page': 0 });
  return documents['item a'] as Record<string, unknown>;
}

const textsOf = (parts: unknown) =>
  (parts as { label: string; size: number }[]).map(({ label, size }) => [label, size]);

const idsOf = (name: string, documentId: string): Promise<number[]> =>
  app.store.transaction(async (transaction) => {
    const [row] = await transaction.rows(item, { documentId });
    const ties = await transaction.ties(item, item.nested.get(name)!, [Number(row!['id'])]);
    return ties.map(({ target }) => target);
  });

let id: string;

beforeEach(async () => {
  for (const { documentId } of await items.find()) await items.delete(String(documentId));
  ({ documentId: id } = (await items.create({ name: 'a', pages: [{ text: '1' }, { text: '2', size: 2 }] })) as {
    documentId: string;
  });
});

test('a component with its id is merged, one without is new', async () => {
  const [first, second] = await idsOf('pages', id);
  await items.update(id, { pages: [{ text: 'new' }, { id: second, text: 'two' }, { id: String(first) }] });
  expect(textsOf((await held())['pages'])).toEqual([
    ['new', 1],
    ['two', 2],
    ['1', 1],
  ]);
  expect((await idsOf('pages', id)).slice(1)).toEqual([second, first]);
});

test('components of a new document have no ids yet', async () => {
  const [first] = await idsOf('pages', id);
  await items.create({ name: 'b', pages: [{ id: first, text: 'copy' }] });
  expect(textsOf((await held())['pages'])).toEqual([
    ['1', 1],
    ['2', 2],
  ]);
});

test('components of others are refused', async () => {
  const [first] = await idsOf('pages', id);
  const other = await items.create({ name: 'b' });
  const foreign = {
    name: 'ApplicationError',
    status: 400,
    message: 'Some of the provided components in pages are not related to the entity',
  };
  expect(await refusal(items.update(String(other['documentId']), { pages: [{ id: first, text: 'x' }] }))).toMatchObject(
    foreign,
  );
  expect(await refusal(items.update(id, { pages: [{ id: 999 }] }))).toMatchObject(foreign);
  for (const none of [null, '', 'x', 0, true, {}])
    expect(await refusal(items.update(id, { pages: [{ id: none }] }))).toMatchObject(foreign);
  const inZone = await refusal(items.update(id, { zone: [{ __component: 'part.page', id: first }] }));
  expect(inZone.message).toBe('Some of the provided components in zone are not related to the entity');
});

test('a component that is named twice is there once, with what was said last', async () => {
  const [first] = await idsOf('pages', id);
  await items.update(id, { pages: [{ id: first, size: 7 }, { text: 'new' }, { id: first, text: 'twice' }] });
  expect(textsOf((await held())['pages'])).toEqual([
    ['twice', 7],
    ['new', 1],
  ]);
});

test('a zone merges by type and id', async () => {
  await items.update(id, { zone: [{ __component: 'part.cover', title: 'c', pages: [{ text: 'inner', size: 5 }] }] });
  const [cover] = await idsOf('zone', id);
  expect((await refusal(items.update(id, { zone: [{ __component: 'part.page', id: cover, text: 'x' }] }))).status).toBe(
    400,
  );
  await items.update(id, {
    zone: [
      { __component: 'part.page', text: 'p' },
      { __component: 'part.cover', id: cover, title: 'd' },
    ],
  });
  const zone = (await held())['zone'] as Record<string, unknown>[];
  expect(zone.map(({ label }) => label)).toEqual(['p', 'd']);
  expect(textsOf(zone[1]!['pages'])).toEqual([['inner', 5]]);
});

test('null and an empty list clear, but lists of one component refuse null', async () => {
  await items.update(id, { cover: { title: 'c', pages: [{ text: 'x' }] } });
  await items.update(id, { zone: [{ __component: 'part.page', text: 'z' }] });
  await items.update(id, { cover: null, pages: [], zone: null });
  expect(await held()).toMatchObject({ cover: [], pages: [], zone: [] });
  const error = await refusal(items.update(id, { pages: null }));
  expect(error.message).toBe('pages must be a `array` type, but the final value was: `null`.');
  expect(await app.store.transaction(async (transaction) => transaction.rows(page, {}))).toEqual([]);
});

test('mistakes inside are told with where they are, in the order of the schema', async () => {
  const error = await refusal(
    items.create({
      name: 5,
      zone: [{ __component: 'part.page', text: 5 }, { text: 'x' }, 'x'],
      pages: [{ size: 'x' }],
      cover: { pages: [{ text: 'fine' }, {}] },
    }),
  );
  expect(
    (error.details as { errors: { path: string[]; message: string }[] }).errors.map(({ path, message }) => [
      path.join('.'),
      message,
    ]),
  ).toEqual([
    ['name', 'name must be a `string` type, but the final value was: `5`.'],
    ['cover.title', 'cover.title must be defined.'],
    ['cover.pages.1.text', 'cover.pages[1].text must be defined.'],
    ['pages.0.text', 'pages[0].text must be defined.'],
    [
      'pages.0.size',
      'pages[0].size must be a `number` type, but the final value was: `NaN` (cast from the value `"x"`).',
    ],
    ['zone.0.text', 'zone[0].text must be a `string` type, but the final value was: `5`.'],
    ['zone.1.__component', 'zone[1].__component is a required field'],
    ['zone.2', 'zone[2] must be a `object` type, but the final value was: `null` (cast from the value `"x"`).'],
    ['', 'Cannot build relations store from dynamiczone, component identifier is undefined'],
  ]);
});

test('keys that are not there are refused, wherever they stand', async () => {
  const wrong = await refusal(items.create({ name: 'b', cover: { title: 'x', pages: [{ text: 'x', nope: 1 }] } }));
  expect(wrong).toMatchObject({
    message: 'Invalid key nope at cover.pages',
    details: { key: 'nope', path: 'cover.pages', source: 'body' },
  });
});

test('a zone takes only its own components', async () => {
  const errorsOf = async (uid: unknown) => {
    const { details } = await refusal(items.create({ name: 'b', zone: [{ __component: uid }] }));
    return (details as { errors: { message: string }[] }).errors.map(({ message }) => message);
  };
  expect(await errorsOf('part.none')).toEqual([
    'zone[0].__component must be one of the following values: part.page, part.cover',
    'Invalid relations',
  ]);
  expect((await errorsOf(null))[0]).toBe(
    'zone[0].__component must be a `string` type, but the final value was: `null`.',
  );
  const type = await refusal(items.create({ name: 'b', zone: [{ __component: 'api::tag.tag' }] }));
  expect(type.message).toBe('Invalid key __component at zone');
});

test('what is refused leaves everything as it was', async () => {
  const before = await held();
  await refusal(
    items.update(id, {
      pages: [{ text: 'x' }],
      cover: { title: 'y' },
      tags: { connect: [{ documentId: id, position: { before: id } }] },
    }),
  );
  expect(await held()).toEqual(before);
});
