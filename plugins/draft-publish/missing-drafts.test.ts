import type { ShownDocument } from '../../core';
import { client } from '../sql/store/database-app.fixture';
import { changingApp, draft, filesWithout, idOf } from './changing-app.fixture';
import { projectFiles } from './linked-project.fixture';
import { addMissingDrafts } from './missing-drafts';
import { storedState } from './stored-state.fixture';
import { openVersionsApp } from './versions-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const { app, opened, closed, use, removed, docs, rowsOf } = changingApp();
const french = { parameters: { locale: 'fr' } };

/** Documents that link each other in every way, each made behind what it links. */
async function fill(without: readonly string[]): Promise<Map<string, string>> {
  const ids: Record<string, string> = {};
  const make = async (type: string, title: string, data: object = {}, query: object = {}): Promise<void> => {
    ids[title] = idOf(await docs(type).create({ title, ...data }, query));
  };
  await make('topic', 't1', { code: 'one' });
  await make('topic', 't2');
  await docs('topic').update(ids['t1']!, { title: 't1 fr' }, french);
  await make('label', 'l1');
  await make('label', 'l2', { kin: [ids['l1']], mentions: [{ topic: ids['t2'] }, { topic: ids['t1'] }] });
  await make('person', 'a');
  await make('paper', 'p1', { author: ids['a'] });
  const card = { text: 'c', about: ids['p1'], sources: [ids['p1']] };
  const zone = [
    { __component: 'part.deck', text: 'd', cards: [card, { text: 'e' }] },
    { __component: 'part.card', ...card },
  ];
  const linked = { next: [ids['p1']], pair: ids['p1'], cites: [ids['p1']], topics: [ids['t2'], ids['t1']] };
  await make('paper', 'p2', { author: ids['a'], ...linked, main: ids['t1'], card, zone });
  await make('paper', 'p3', { cites: [ids['p2'], ids['p1']], card });
  const cards = [{ text: 'of b', about: ids['p2'], sources: [ids['p3'], ids['p1'], ids['p2']] }];
  await make('person', 'b', { favourites: [ids['p2'], ids['p1']], cards, zone, papers: [ids['p3']] });
  const mentions = [
    { text: 'm', topic: ids['t2'] },
    { text: 'm1', topic: ids['t1'] },
  ];
  const noted = { topics: [ids['t2'], ids['t1']], lead: ids['t1'], mentions, facts: mentions, labels: [ids['l2']] };
  await make('note', 'n1', { code: 'n', ...noted });
  await docs('note').update(ids['n1']!, { title: 'n1 fr', topics: [ids['t1']], lead: ids['t1'] }, french);
  if (!without.includes('note')) {
    await make('note', 'n2', noted, draft);
    await docs('note').update(ids['n1']!, { topics: [ids['t1']], lead: null, mentions: [mentions[1]!] }, draft);
  }
  if (!without.includes('topic')) await docs('topic').update(ids['t2']!, { title: 't2 draft' }, draft);
  if (!without.includes('paper')) await docs('paper').update(ids['p3']!, { cites: [], author: ids['a'] }, draft);
  return new Map(Object.entries(ids).map(([title, id]) => [id, title]));
}

/** A list of both versions, which are seen one at a time. */
const byVersion = (_key: string, value: unknown): unknown => {
  if (!Array.isArray(value) || typeof value[0] !== 'string') return value;
  const isDraft = (each: string): boolean => each.endsWith(' draft');
  return [...value.filter(isDraft), ...value.filter((each) => !isDraft(each))];
};

/** Line by line, in an order that says nothing of ids. */
async function stored(names: ReadonlyMap<string, string>): Promise<{ faults: string[]; rows: string[] }> {
  const { state, faults } = await storedState(app().store, app().registry, (id) => names.get(id) ?? id);
  const rows = [...state].map(([key, row]) => `${key} ${JSON.stringify(row, byVersion)}`);
  return { faults, rows: rows.sort() };
}

test.each([
  [['paper']],
  [['topic']],
  [['note']],
  [['paper', 'topic']],
  [['topic', 'note']],
  [['paper', 'topic', 'note']],
])('documents that were made while %j had no drafts are as if these had had drafts', async (without) => {
  await opened(projectFiles());
  const expected = await stored(await fill(without));
  await removed();

  await opened(filesWithout(without));
  const names = await fill(without);
  await opened(projectFiles());
  expect(await stored(names)).toEqual(expected);
  expect(expected.faults).toEqual([]);
});

test('a draft is as old as what is published, which stays the row that it was', async () => {
  await opened(filesWithout(['paper']));
  await docs('paper').create({ title: 'old', code: 'x' });
  const [before] = await rowsOf('paper');
  await opened(projectFiles());
  const [published, added] = await rowsOf('paper');
  expect(published).toEqual(before);
  expect(added).toEqual({ ...before, id: expect.any(Number), publishedAt: null });
});

test('what was made while nobody served versions gets a draft when somebody does, and can be changed and published', async () => {
  await opened(projectFiles());
  await docs('paper').create({ title: 'before' });
  await opened(projectFiles(), ['draft-publish']);
  const { documentId } = await docs('paper').create({ title: 'plain' });
  await opened(projectFiles());
  await docs('paper').update(String(documentId), { title: 'changed' }, draft);
  expect(await docs('paper').find(draft)).toMatchObject([{ title: 'before' }, { title: 'changed' }]);
  expect(await docs('paper').find()).toMatchObject([{ title: 'before' }, { title: 'plain' }]);
  await docs('paper').update(String(documentId), { title: 'published' });
  expect(await docs('paper').find({ sort: 'title' })).toMatchObject([{ title: 'before' }, { title: 'published' }]);
  expect(await rowsOf('paper')).toHaveLength(4);
});

test('more documents than are looked at or copied at once', async () => {
  await opened(filesWithout(['paper']));
  const paper = app().registry.get('api::paper.paper');
  const publishedAt = new Date().toISOString();
  const rows = Array.from({ length: 1_201 }, (_, at) => ({ documentId: `d${at}`, title: `t${at}`, publishedAt }));
  await app().store.transaction(async (transaction) => transaction.insert(paper, rows));
  await opened(projectFiles());
  const all = await rowsOf('paper');
  const drafts = all.filter((row) => row['publishedAt'] === null);
  expect(all).toHaveLength(2_402);
  expect(drafts.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
});

test('what was looked at once is not looked at again at each start', async () => {
  await opened(projectFiles());
  await docs('paper').create({ title: 'p' });
  const drafts = (): Promise<ShownDocument[]> => docs('paper').find(draft);
  const paper = app().registry.get('api::paper.paper');
  const unpublished = { attribute: paper.attributes.get('publishedAt')!, choice: { present: false } };
  await app().store.transaction(async (transaction) => transaction.delete(paper, { where: [unpublished] }));
  await opened(projectFiles());
  expect(await drafts()).toEqual([]);
  await opened(projectFiles(), ['draft-publish']);
  await opened(projectFiles());
  expect(await drafts()).toHaveLength(1);
});

// Of a SQLite file's writers within one process, one would not let the other go on.
(client === 'sqlite' ? test.skip : test)('of two processes that start at once, one adds the drafts', async () => {
  await opened(filesWithout(['paper']));
  await docs('paper').create({ title: 'p' });
  const place = await closed(projectFiles());
  const both = await Promise.all([openVersionsApp(place), openVersionsApp(place)]);
  use(both[0]);
  await both[1].close();
  expect(await rowsOf('paper')).toHaveLength(2);
});

test('what is deleted while drafts are added gets none', async () => {
  await opened(projectFiles());
  const kept = idOf(await docs('paper').create({ title: 'kept' }));
  await docs('paper').create({ title: 'gone', next: [kept], card: { text: 'c', about: kept } });
  const gone = (await rowsOf('paper')).find(({ title, publishedAt }) => title === 'gone' && publishedAt !== null);
  const { store, registry } = app();
  const paper = registry.get('api::paper.paper');
  const unpublished = { attribute: paper.attributes.get('publishedAt')!, choice: { present: false } };
  await store.transaction(async (transaction) => transaction.delete(paper, { where: [unpublished] }));
  const losing: typeof store = {
    ...store,
    transaction: (work) =>
      store.transaction((on) =>
        work({
          ...on,
          async insert(type, rows) {
            const ids = await on.insert(type, rows);
            if (type === paper) await on.delete(paper, { id: Number(gone!['id']) });
            return ids;
          },
        }),
      ),
  };
  const made = await addMissingDrafts({ types: [paper], hadNoVersions: true }, losing, registry);
  expect(made.get(paper)?.size).toBe(1);
  expect((await rowsOf('paper')).map(({ title, publishedAt }) => [title, publishedAt === null])).toEqual([
    ['kept', false],
    ['kept', true],
  ]);
});
