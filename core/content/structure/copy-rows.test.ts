import type { Dimension } from '../dimension';
import type { StoreTransaction } from '../store';
import type { TargetsOf } from './copied-links';
import { copyRows } from './copy-rows';
import { linkedInMemory } from './in-memory.fixture';
import { removeRows } from './remove-rows';
import { heldBy } from './structure.fixture';

// Items and tags have a row per market; owners and passports have one for all.

const market: Dimension = {
  name: 'market',
  attribute: { name: 'market', definition: { type: 'string' } },
  appliesTo: ({ info }) => info.singularName === 'item' || info.singularName === 'tag',
  choose: (given) => ({ is: String(given ?? 'north') }),
  tie: (given, source) => {
    const wanted = source ?? given;
    return wanted === undefined || wanted === null ? { any: true } : { is: String(wanted) };
  },
  describe: (choice) => (choice && 'is' in choice ? `market "${choice.is}"` : undefined),
};

const app = linkedInMemory([market]);
const { registry, store, documents } = app;
const item = registry.get('api::item.item');
const inMarket = (name: string) => ({ where: [{ attribute: item.attributes.get('market')!, choice: { is: name } }] });

const rowOf = async (transaction: StoreTransaction, documentId: string, where: string): Promise<number | undefined> => {
  const [row] = await transaction.rows(item, { documentId, ...inMarket(where) });
  return row && Number(row['id']);
};

/** Copies a document's row from one market to another, as far as its targets are there. */
async function copyTo(documentId: string, to: string, from = 'north'): Promise<void> {
  await store.transaction(async (transaction) => {
    const targets: TargetsOf = async (type, rows) => {
      if (type.dimensions.length === 0) return new Map(rows.map((row) => [row, row]));
      const found = new Map<number, number | undefined>();
      for (const row of await transaction.rows(type, { id: rows })) {
        const [there] = await transaction.rows(type, {
          documentId: String(row['documentId']),
          where: [{ attribute: type.attributes.get('market')!, choice: { is: to } }],
        });
        found.set(Number(row['id']), there && Number(there['id']));
      }
      return found;
    };
    const row = (await rowOf(transaction, documentId, from))!;
    const into = await rowOf(transaction, documentId, to);
    await copyRows(item, [{ from: row, into, values: { market: to } }], { transaction, registry, targets });
  });
}

const tiesIn = (documentId: string, name: string, where: string): Promise<unknown[]> =>
  store.transaction(async (transaction) => {
    const nested = item.nested.get(name)!;
    const ties = await transaction.ties(item, nested, [(await rowOf(transaction, documentId, where))!]);
    const names: unknown[] = [];
    for (const { target, uid } of ties) {
      const [row] = await transaction.rows(registry.get(uid), { id: target });
      names.push(row?.['market'] ? `${row['name']} ${row['market']}` : (row?.['name'] ?? row?.['text']));
    }
    return names;
  });

const of = (type: string) => documents.of(`api::${type}.${type}`);
const make = async (type: string, name: string, data: object = {}, where?: string): Promise<string> =>
  String((await of(type).create({ name, ...data }, { parameters: { market: where } }))['documentId']);

test('links lead to the counterparts of their targets, in their order; what has none is left out', async () => {
  const [r, s] = [await make('tag', 'r'), await make('tag', 's')];
  const o = await make('owner', 'o');
  const b = await make('item', 'b');
  const a = await make('item', 'a', {
    owner: o,
    next: [b],
    tags: [s, r],
    pages: [{ text: 'one', by: o }, { text: 'two' }],
  });
  await copyTo(b, 'south');
  await copyTo(a, 'south');
  expect(await tiesIn(a, 'next', 'south')).toEqual(['b south']);
  expect(await tiesIn(a, 'owner', 'south')).toEqual(['o']);
  expect(await tiesIn(a, 'pages', 'south')).toEqual(['one', 'two']);
  expect(await tiesIn(a, 'tags', 'south')).toEqual([]);
  expect(await tiesIn(a, 'tags', 'north')).toEqual(['s north', 'r north']);
});

test('the other side keeps the order of the originals, in whatever order they are copied', async () => {
  const o = await make('owner', 'keeper');
  const items: string[] = [];
  for (const name of ['first', 'second', 'third']) items.push(await make('item', name, { owner: o }));
  for (const at of [2, 0, 1]) await copyTo(items[at]!, 'south');
  const owner = registry.get('api::owner.owner');
  const markets = await store.transaction(async (transaction) => {
    const [row] = await transaction.rows(owner, { documentId: o });
    const ties = await transaction.ties(owner, owner.nested.get('items')!, [Number(row!['id'])]);
    const rows = await transaction.rows(item, { id: ties.map(({ target }) => target) });
    return ties
      .map(({ target }) => rows.find(({ id }) => id === target)!)
      .filter((each) => each['market'] === 'south')
      .map((each) => each['name']);
  });
  expect(markets).toEqual(['first', 'second', 'third']);
});

test('copying again replaces what the copy held, and leaves no component behind', async () => {
  const a = await make('item', 'again', { cover: { title: 'c', pages: [{ text: '1' }, { text: '2' }] } });
  await copyTo(a, 'south');
  await of('item').update(a, {
    cover: { title: 'd', pages: [{ text: '3' }] },
    zone: [{ __component: 'part.cover', title: 'z', pages: [{ text: '4' }] }],
  });
  await copyTo(a, 'south');
  const { orphans } = await heldBy(store, registry);
  expect(orphans).toEqual({ 'part.cover': 0, 'part.page': 0 });
  const parts = await store.transaction(async (transaction) =>
    (await transaction.rows(registry.get('part.page'), {})).map(({ text }) => text),
  );
  expect(parts.filter((text) => text === '3' || text === '4')).toHaveLength(4);
});

test('a target that can have one owner is taken within the variant only', async () => {
  const x = await make('passport', 'x');
  const a = await make('item', 'holder', { passport: x });
  const b = await make('item', 'taker');
  await copyTo(a, 'south');
  expect(await tiesIn(a, 'passport', 'north')).toEqual(['x']);
  await of('item').update(b, { passport: x });
  expect(await tiesIn(a, 'passport', 'north')).toEqual([]);
  expect(await tiesIn(a, 'passport', 'south')).toEqual(['x']);
  await copyTo(b, 'south');
  expect(await tiesIn(a, 'passport', 'south')).toEqual([]);
  expect(await tiesIn(b, 'passport', 'south')).toEqual(['x']);
});

test('a source without variants is tied to all of a document, or to those that the link names', async () => {
  const b = await make('item', 'both');
  await copyTo(b, 'south');
  const o = await make('owner', 'all', { items: [b] });
  const marketsAt = (documentId: string) =>
    store.transaction(async (transaction) => {
      const owner = registry.get('api::owner.owner');
      const [row] = await transaction.rows(owner, { documentId });
      const ties = await transaction.ties(owner, owner.nested.get('items')!, [Number(row!['id'])]);
      return (await transaction.rows(item, { id: ties.map(({ target }) => target) })).map((each) => each['market']);
    });
  expect(await marketsAt(o)).toEqual(['north', 'south']);
  const only = await make('owner', 'one', { items: { connect: [{ documentId: b, market: 'south' }] } });
  expect(await marketsAt(only)).toEqual(['south']);
  await expect(make('owner', 'none', { items: { connect: [{ documentId: b, market: 'east' }] } })).rejects.toThrow(
    `Document with id "${b}", market "east" not found`,
  );
});

test('removed rows take all their components along', async () => {
  const a = await make('item', 'gone', { cover: { title: 'c', pages: [{ text: 'gone' }] }, pages: [{ text: 'gone' }] });
  await store.transaction(async (transaction) => {
    await removeRows(item, [(await rowOf(transaction, a, 'north'))!], { transaction, registry });
  });
  const pages = await store.transaction(async (transaction) => transaction.rows(registry.get('part.page'), {}));
  expect(pages.map(({ text }) => text)).not.toContain('gone');
});
