import type { Dimension } from '../dimension';
import { linkedInMemory } from './in-memory.fixture';

/** Items have a row per market; a write that names none is about all of them. */
const market: Dimension = {
  name: 'market',
  attribute: { name: 'market', definition: { type: 'string' } },
  appliesTo: ({ info }) => info.singularName === 'item',
  choose: (given) => (given === undefined ? { any: true } : { is: String(given) }),
};

const { store, documents, registry } = linkedInMemory([market]);
const item = registry.get('api::item.item');
const cover = registry.get('part.cover');

test('several rows that one write changes hold components of their own, on each level', async () => {
  const items = documents.of('api::item.item');
  const { documentId } = await items.create({ name: 'a' }, { parameters: { market: 'north' } });
  await store.transaction(async (transaction) =>
    transaction.insert(item, [{ name: 'a', market: 'south', documentId: String(documentId) }]),
  );
  const body = { cover: { title: 'c', pages: [{ text: '1' }] } };
  for (let times = 0; times < 2; times++) await items.update(String(documentId), body);
  await store.transaction(async (transaction) => {
    const rows = (await transaction.rows(item, {})).map(({ id }) => Number(id));
    const covers = await transaction.ties(item, item.nested.get('cover')!, rows);
    expect(covers.map(({ owner }) => owner)).toEqual(rows);
    const owners = covers.map(({ target }) => target);
    const pages = await transaction.ties(cover, cover.nested.get('pages')!, owners);
    expect(pages.map(({ owner }) => owner)).toEqual(owners);
    expect(new Set(pages.map(({ target }) => target)).size).toBe(2);
    expect((await transaction.rows(cover, {})).map(({ id }) => id)).toEqual(owners);
  });
});
