import type { Operation } from '../../core';
import { watchStatements } from '../sql/store/database-app.fixture';
import { versionsApp } from './versions-app.fixture';

// What a draft still holds as it was published is not written again: the new published version takes it over from the former.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const app = versionsApp();
const of = (name: string) => app().documents.of(`api::${name}.${name}`);
const idOf = (document: Readonly<Record<string, unknown>>): string => String(document['documentId']);
const draft = { parameters: { status: 'draft' } };

function publish(name: string, documentId: string): Promise<unknown> {
  const type = app().registry.get(`api::${name}.${name}`);
  const operation: Operation = { action: 'publish', type, documentId, query: {}, rights: 'system' };
  return app().actions.get('publish')!.run(operation);
}

/** The tables that rows are added to, and removed from, by themselves. */
async function tablesOf(work: () => Promise<unknown>): Promise<string[]> {
  const tables: string[] = [];
  const unwatch = watchStatements(app().database, (sql) => {
    for (const [, table] of sql.matchAll(/(?:insert into|delete from)\s+["`](\w+)["`]/gi)) tables.push(table!);
  });
  try {
    await work();
  } finally {
    unwatch();
  }
  return [...new Set(tables)].sort();
}

const populate = {
  author: true,
  cites: true,
  topics: true,
  card: { populate: '*' },
  zone: { on: { 'part.card': { populate: '*' }, 'part.deck': { populate: { cards: { populate: '*' } } } } },
};

type Shown = Readonly<Record<string, unknown>>;
const shown = async (paper: string): Promise<Shown> => (await of('paper').findOne(paper, { populate }))!;
const idIn = (value: unknown): unknown => (value as { readonly id?: unknown }).id;
const idsIn = (list: unknown): unknown[] => (list as readonly unknown[]).map(idIn);

/** A paper that is published and holds something of each kind. */
async function made(): Promise<string> {
  const other = idOf(await of('paper').create({ title: 'other' }));
  const author = idOf(await of('person').create({ title: 'author' }));
  const topics = [idOf(await of('topic').create({ title: 's' })), idOf(await of('topic').create({ title: 't' }))];
  const card = { text: 'card', about: other, sources: [other] };
  const zone = [
    { __component: 'part.card', ...card },
    { __component: 'part.deck', text: 'deck', cards: [card, { text: 'second' }] },
  ];
  return idOf(await of('paper').create({ title: 'paper', author, cites: [other], topics, card, zone }));
}

test('of what is as it was published, the row is written, and no component', async () => {
  const paper = await made();
  const before = await shown(paper);
  // What leads to papers again is copied: either side of it may be another's list.
  const written = ['papers', 'papers_cites_lnk'];
  expect(await tablesOf(() => publish('paper', paper))).toEqual(written);
  expect(await tablesOf(() => of('paper').update(paper, {}))).toEqual(written);
  const now = await shown(paper);
  expect(idIn(now)).toBeGreaterThan(idIn(before) as number);
  const { id: _id, publishedAt: _p, updatedAt: _u, cites: _c, ...held } = now;
  expect(before).toMatchObject(held);
});

test.each<[string, Shown]>([
  ['a value', { card: { text: 'changed' } }],
  ['a link', { card: { text: 'card', about: null, sources: [] } }],
  ['nothing any more', { card: null }],
])('components of which %s has changed are copied, and the others stay', async (_name, change) => {
  const paper = await made();
  const before = await shown(paper);
  await of('paper').update(paper, change);
  const [now, own] = [await shown(paper), (await of('paper').findOne(paper, { populate, ...draft }))!];
  expect(now['zone']).toEqual(before['zone']);
  const { id: cardId, ...card } = (now['card'] ?? {}) as Shown;
  const { id: ownId, ...wanted } = (own['card'] ?? {}) as Shown;
  expect({ ...card, about: card['about'] && 'there' }).toEqual({ ...wanted, about: wanted['about'] && 'there' });
  if (now['card']) expect([ownId, idIn(before['card'])]).not.toContain(cardId);
});

test('a list in another order is copied in that', async () => {
  const paper = await made();
  const [before, { zone }] = [await shown(paper), (await of('paper').findOne(paper, { populate: '*', ...draft }))!];
  const turned = [...(zone as object[])].reverse();
  await of('paper').update(paper, { zone: turned }, draft);
  await publish('paper', paper);
  const now = await shown(paper);
  const texts = (list: unknown): unknown[] => (list as Shown[]).map(({ text }) => text);
  expect(texts(now['zone'])).toEqual(['deck', 'card']);
  expect(idsIn(now['zone'])).not.toEqual(expect.arrayContaining(idsIn(before['zone'])));
  expect(idIn(now['card'])).toBe(idIn(before['card']));
});

test('components of a link whose target was published since lead there', async () => {
  const target = idOf(await of('paper').create({ title: 'target' }, draft));
  const paper = idOf(await of('paper').create({ title: 'paper', card: { about: target } }));
  expect(((await shown(paper))['card'] as Shown)['about']).toBeNull();
  await of('paper').update(target, {});
  await of('paper').update(paper, {});
  expect(((await shown(paper))['card'] as Shown)['about']).toMatchObject({ documentId: target });
});

test('nothing of what is taken over goes with the former, and nothing that is not stays behind', async () => {
  const paper = await made();
  const { registry, store } = app();
  const parts = ['part.card', 'part.deck'].map((uid) => registry.get(uid));
  const count = (): Promise<number[]> =>
    store.transaction((on) => Promise.all(parts.map(async (type) => (await on.rows(type, {})).length)));
  const before = await count();
  for (let time = 0; time < 3; time++) await of('paper').update(paper, { title: `paper ${time}` });
  expect(await count()).toEqual(before);
  await of('paper').update(paper, { card: { text: 'changed' } });
  expect(await count()).toEqual(before);
  await of('paper').delete(paper, {});
  // Four cards and a deck, in the draft and in what was published.
  expect(await count()).toEqual([before[0]! - 8, before[1]! - 2]);
});
