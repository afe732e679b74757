import { client, watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

const analyze = { sqlite: 'analyze', postgres: 'analyze', mysql: 'analyze table items_tags_lnk' };

/** The plan of a statement, whose values are rows' ids. */
async function planOf(sql: string, id: number): Promise<string> {
  const explain = client === 'sqlite' ? 'explain query plan' : 'explain';
  return JSON.stringify(await app.database.rows({ sql: `${explain} ${sql.replaceAll(/\$\d+|\?/g, String(id))}` }, []));
}

test('the end of a list is looked up by itself, however many ties others have behind it', async () => {
  const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
  const rows = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => ({ name, documentId: `${name} ${at}` }));
  const [short] = await app.store.transaction(async (transaction) => {
    const items = await transaction.insert(item, rows('item', 3_000));
    const tags = await transaction.insert(tag, rows('tag', 2));
    const tying = (owner: number, at: number) => ({ owner, targets: [{ target: tags[at]!, uid: tag.uid }] });
    const nested = item.nested.get('tags')!;
    await transaction.tie(
      item,
      nested,
      items.map((owner, at) => tying(owner, at < 3 ? 0 : 1)),
    );
    return tags as [number, number];
  });
  await app.database.transaction(async (connection) => connection.run({ sql: analyze[client] }, []));

  const asked: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void asked.push(sql));
  await app.documents.of(item.uid).create({ name: 'one more', tags: ['tag 0'] });
  unwatch();
  const ends = asked.filter((sql) => sql.startsWith('select (select'));
  expect(ends).toHaveLength(1);
  // Others hold the places of all lists in one order, or ties in another.
  expect(await planOf(ends[0]!, short)).toContain('h_items_tags_lnk_tag_id_idx');

  const listed = await app.documents.of(tag.uid).findOne('tag 0', { populate: { items: true } });
  expect(listed).toMatchObject({ items: [{}, {}, {}, { name: 'one more' }] });
});
