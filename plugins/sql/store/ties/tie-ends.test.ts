import { client, watchStatements } from '../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../linked-app.fixture';

let app: LinkedApp;
beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

const analyze = { sqlite: 'analyze', postgres: 'analyze', mysql: 'analyze table items_tags_lnk' };

/** How the ends of lists are looked up. */
const lookup = { sqlite: 'select (select', mysql: 'select @heddle_end', postgres: 'select set_config(' }[client];

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
  const ends = asked.filter((sql) => sql.startsWith(lookup));
  expect(ends).toHaveLength(1);
  // Others hold the places of all lists in one order, or ties in another.
  expect(await planOf(ends[0]!, short)).toContain('h_items_tags_lnk_tag_id_idx');

  const listed = await app.documents.of(tag.uid).findOne('tag 0', { populate: { items: true } });
  expect(listed).toMatchObject({ items: [{}, {}, {}, { name: 'one more' }] });
});

test('others are kept from lists that are added to once all other ties are there', async () => {
  const tag = String((await app.documents.of('api::tag.tag').create({ name: 'tag' }))['documentId']);
  const asked: string[] = [];
  const unwatch = watchStatements(app.database, (sql) => void asked.push(sql));
  await app.documents
    .of('api::item.item')
    .create({ tags: [tag], cover: { title: 'cover' }, pages: [{ text: 'page' }] });
  unwatch();
  const steps = asked.flatMap((sql) => {
    if (sql.startsWith(lookup)) return 'ends';
    return /heddle_locks|advisory/.test(sql)
      ? 'lock'
      : (/^insert into .(items_(?:cmps|tags_lnk))\b/.exec(sql)?.[1] ?? []);
  });
  const locks = client === 'sqlite' ? [] : ['lock'];
  expect(steps.slice(steps.indexOf('items_cmps'))).toEqual(['items_cmps', ...locks, 'ends', 'items_tags_lnk']);
});

let documents = 0;
const bare = () => ({ documentId: `document ${++documents}` });

/** A tag in whose list one item stands, at a place; or none. */
async function makeList(place: number | null | undefined): Promise<number> {
  const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
  const list = await app.store.transaction(async (transaction) => {
    const [owner] = (await transaction.insert(item, [bare()])) as [number];
    const [target] = (await transaction.insert(tag, [bare()])) as [number];
    await transaction.tie(item, item.nested.get('tags')!, [
      { owner, targets: [{ target, uid: tag.uid }], current: [] },
    ]);
    return target;
  });
  const ties = app.database.knex()('items_tags_lnk').where({ tag_id: list });
  await (place === undefined ? ties.delete() : ties.update({ item_ord: place }));
  return list;
}

test.each([
  ['nothing', undefined],
  ['what has no number', null],
  // Added to one by one, or by two or three at once, these come to something else.
  ['a number far from whole', 0.11258889632586767],
  ['another', 0.7743507208262296],
  ['a large number', 4503599627370495.5],
])('what is added behind %s is told the places that it has', async (_, place) => {
  const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
  const nested = item.nested.get('tags')!;
  const list = await makeList(place);
  const [items, told] = await app.store.transaction(async (transaction) => {
    const added = (await transaction.insert(item, [bare(), bare(), bare(), bare()])) as number[];
    const targets = [{ target: list, uid: tag.uid }];
    await transaction.tie(
      item,
      nested,
      added.map((owner) => ({ owner, targets, current: [] })),
    );
    // By then it has been found where they stand.
    await transaction.before(tag, tag.nested.get('items')!, [list], added[0]!, 1);
    return [added, await transaction.ties(item, nested, added)];
  });
  const sql = `select item_id,item_ord from items_tags_lnk where tag_id=${list} order by coalesce(item_ord,-1),id`;
  const stored = (await app.database.rows({ sql }, [])).slice(place === undefined ? 0 : 1);
  expect(stored.map((row) => row.map(Number))).toEqual(told.map(({ owner, back }) => [owner, back]));
  expect(told.map(({ owner }) => owner)).toEqual(items);
  expect(told[0]!.back).toBe((place ?? 0) + 1);
});

test('of very many ties to many lists, added in several goes, each has the place that it is told', async () => {
  const [item, tag] = [app.registry.get('api::item.item'), app.registry.get('api::tag.tag')];
  const nested = item.nested.get('tags')!;
  const lists = { 3: 2, 40: 2, 70: 1, 2: 60, 5: 150 };
  for (const [count, each] of Object.entries(lists)) {
    const { told, tags } = await app.store.transaction(async (transaction) => {
      const tags = await transaction.insert(tag, Array.from({ length: Number(count) }, bare));
      const owners: number[] = [];
      for (let go = 0; go < 2; go++) {
        const items = await transaction.insert(item, Array.from({ length: each }, bare));
        const targets = (go === 0 ? tags : [...tags].reverse()).map((target) => ({ target, uid: tag.uid }));
        await transaction.tie(
          item,
          nested,
          items.map((owner) => ({ owner, targets, current: [] })),
        );
        owners.push(...items);
        await transaction.before(tag, tag.nested.get('items')!, [tags[0]!], items[0]!, 1);
      }
      return { tags, told: await transaction.ties(item, nested, owners) };
    });
    const sql = `select item_id,tag_id,item_ord from items_tags_lnk where tag_id in (${tags.join()})`;
    const stored = (await app.database.rows({ sql }, [])).map((row) => row.map(Number).join(' '));
    expect(stored.sort()).toEqual(told.map(({ owner, target, back }) => `${owner} ${target} ${back}`).sort());
    expect(Math.max(...told.map(({ back }) => back!))).toBe(2 * each);
  }
});

// SQLite has one writer.
(client === 'sqlite' ? test.skip : test)(
  'who adds to a list waits for nobody who takes something from its end',
  async () => {
    const list = await makeList(1);
    const [tag] = await app.database.rows({ sql: `select document_id from tags where id=${list}` }, []);
    const make = () => app.documents.of('api::item.item').create({ name: 'behind', tags: [String(tag![0])] });
    await app.database.transaction(async (connection) => {
      await connection.run({ sql: `delete from items_tags_lnk where tag_id=${list}` }, []);
      await make();
    });
    const sql = `select item_ord from items_tags_lnk where tag_id=${list}`;
    expect((await app.database.rows({ sql }, [])).map(([place]) => Number(place))).toEqual([2]);
  },
);
