import fc from 'fast-check';
import { linkedInMemory } from '../../../core/content/structure/in-memory.fixture';
import { heldBy } from '../../../core/content/structure/structure.fixture';
import { player, steps } from '../../../core/content/structure/writes.fixture';
import { watchStatements } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

let app: LinkedApp;

beforeAll(async () => {
  app = await openLinkedApp();
});
afterAll(() => app.remove());

async function clear(): Promise<void> {
  for (const type of app.registry.documents) {
    if (!type.uid.startsWith('api::')) continue;
    const documents = app.documents.of(type.uid);
    for (const { documentId } of await documents.find()) await documents.delete(String(documentId));
  }
}

test('whatever is written, the tables hold what memory holds, and no component is left behind', async () => {
  await fc.assert(
    fc
      .asyncProperty(steps(12), async (sequence) => {
        const memory = linkedInMemory();
        const inTables = player(app.documents);
        const inMemory = player(memory.documents);
        await inTables.start();
        await inMemory.start();
        for (const step of sequence) {
          expect(await inTables.play(step)).toBe(await inMemory.play(step));
          const held = await heldBy(app.store, app.registry);
          expect(held).toEqual(await heldBy(memory.store, memory.registry));
          expect(held.orphans).toEqual({ 'part.cover': 0, 'part.page': 0 });
        }
      })
      .beforeEach(clear),
    { numRuns: 60 },
  );
}, 120_000);

describe('fifty at once', () => {
  test('connects to one document end in some order, without duplicates', async () => {
    await clear();
    const items = app.documents.of('api::item.item');
    const tags = app.documents.of('api::tag.tag');
    const ids = await Promise.all(
      Array.from({ length: 10 }, async (_, at) => String((await tags.create({ name: `t${at}` }))['documentId'])),
    );
    const documentId = String((await items.create({ name: 'a' }))['documentId']);
    await Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        if (at % 3 === 0) return tags.update(ids[at % 10]!, { items: { connect: [documentId] } });
        return items.update(documentId, {
          tags: { connect: [ids[at % 10]!, ids[(at + 3) % 10]!] },
          pages: [{ text: `${at}` }],
        });
      }),
    );
    const { documents, orphans } = await heldBy(app.store, app.registry);
    const { tags: linked, pages } = documents['item a'] as { tags: string[]; pages: unknown[] };
    expect([...linked].sort()).toEqual(ids.map((_, at) => `t${at}`).sort());
    expect(pages).toHaveLength(1);
    expect(orphans).toEqual({ 'part.cover': 0, 'part.page': 0 });
  }, 60_000);

  test('targets that can have one owner end with one', async () => {
    await clear();
    const items = app.documents.of('api::item.item');
    const passports = app.documents.of('api::passport.passport');
    const passport = String((await passports.create({ name: 'x' }))['documentId']);
    const ids = await Promise.all(
      Array.from({ length: 5 }, async (_, at) => String((await items.create({ name: `i${at}` }))['documentId'])),
    );
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        at % 2 === 0 ? items.update(ids[at % 5]!, { passport }) : passports.update(passport, { item: ids[at % 5]! }),
      ),
    );
    const { documents } = await heldBy(app.store, app.registry);
    const holders = ids.filter((_, at) => (documents[`item i${at}`] as { passport: string[] }).passport.length > 0);
    expect(holders).toHaveLength(1);
    expect((documents['passport x'] as { item: string[] }).item).toHaveLength(1);
  }, 60_000);
});

test('a write costs as many statements for many things as for few', async () => {
  await clear();
  const tags = app.documents.of('api::tag.tag');
  const ids: string[] = [];
  for (let at = 0; at < 60; at++) ids.push(String((await tags.create({ name: `t${at}` }))['documentId']));
  const items = app.documents.of('api::item.item');

  async function statementsFor(count: number): Promise<number> {
    const parts = (text: string) => ids.slice(0, count).map((tag) => ({ text, tags: [tag], size: 1 }));
    const zone = parts('zone').map((part) => ({ __component: 'part.page', ...part }));
    const body = {
      tags: ids.slice(0, count),
      pages: parts('page'),
      cover: { title: 'c', pages: parts('inner') },
      zone,
    };
    let statements = 0;
    const unwatch = watchStatements(app.database, () => {
      statements += 1;
    });
    await items.create({ name: `of ${count}`, ...body });
    unwatch();
    return statements;
  }
  expect(await statementsFor(60)).toBe(await statementsFor(3));
});

test('a thousand links to one document, and one more at their start', async () => {
  await clear();
  const tags = app.documents.of('api::tag.tag');
  const ids: string[] = [];
  for (let at = 0; at < 1001; at++) ids.push(String((await tags.create({ name: `t${at}` }))['documentId']));
  const items = app.documents.of('api::item.item');
  const documentId = String((await items.create({ name: 'a', tags: ids.slice(0, 1000) }))['documentId']);
  await items.update(documentId, { tags: { connect: [{ documentId: ids[1000], position: { start: true } }] } });
  const type = app.registry.get('api::item.item');
  const names = await app.store.transaction(async (transaction) => {
    const [row] = await transaction.rows(type, { documentId });
    const ties = await transaction.ties(type, type.nested.get('tags')!, [Number(row!['id'])]);
    const rows = await transaction.rows(app.registry.get('api::tag.tag'), { id: ties.map(({ target }) => target) });
    const byId = new Map(rows.map(({ id, name }) => [id, name]));
    return ties.map(({ target }) => byId.get(target));
  });
  expect(names).toEqual(['t1000', ...ids.slice(0, 1000).map((_, at) => `t${at}`)]);
}, 60_000);

test('a write killed before any of its statements leaves the links and components as they were', async () => {
  await clear();
  const owner = String((await app.documents.of('api::owner.owner').create({ name: 'o' }))['documentId']);
  const items = app.documents.of('api::item.item');
  const page = { text: 'x', by: owner };
  const body = {
    owner,
    pages: [page, page],
    cover: { title: 'c', pages: [page] },
    zone: [{ __component: 'part.page', ...page }],
  };
  const documentId = String((await items.create({ name: 'a', ...body }))['documentId']);
  const before = await heldBy(app.store, app.registry);
  const writes = [
    () => items.create({ name: 'b', ...body }),
    () =>
      items.update(documentId, {
        owner: null,
        pages: [page],
        cover: null,
        zone: [{ __component: 'part.cover', title: 'd' }],
      }),
    () => items.delete(documentId),
  ];
  for (const write of writes) {
    for (let fatal = 1; ; fatal++) {
      let statement = 0;
      const unwatch = watchStatements(app.database, () => {
        statement += 1;
        if (statement === fatal) throw new Error('killed');
      });
      const error = await write().then(
        () => undefined,
        (thrown: Error) => thrown,
      );
      unwatch();
      if (error === undefined) break;
      expect(error.message).toBe('killed');
      expect(await heldBy(app.store, app.registry)).toEqual(before);
    }
    if (write === writes[0]) {
      const { documentId: made } = (await items.find()).find(({ name }) => name === 'b')!;
      await items.delete(String(made));
    }
    if (write === writes[1]) await items.update(documentId, body);
    if (write !== writes[2]) expect(await heldBy(app.store, app.registry)).toEqual(before);
  }
}, 60_000);
