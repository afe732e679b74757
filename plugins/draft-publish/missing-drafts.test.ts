import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row, ShownDocument, TypeDocuments } from '../../core';
import { client } from '../sql/store/database-app.fixture';
import { projectFiles } from './linked-project.fixture';
import { storedState } from './stored-state.fixture';
import { makeVersionsPlace, openVersionsApp, type VersionsApp, type VersionsPlace } from './versions-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

let place: VersionsPlace | undefined;
let app: VersionsApp | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
  await place?.remove();
  place = undefined;
});

const pathOf = (type: string): string => `src/api/${type}/content-types/${type}/schema.json`;

/** The project's files, some types of which have no drafts. */
function filesWithout(types: readonly string[]): Record<string, object> {
  const files = projectFiles();
  for (const type of types) files[pathOf(type)] = { ...files[pathOf(type)], options: { draftAndPublish: false } };
  return files;
}

async function opened(files: Record<string, object>, off: readonly string[] = []): Promise<void> {
  await app?.close();
  app = undefined;
  place ??= await makeVersionsPlace(files);
  for (const [path, file] of Object.entries(files))
    writeFileSync(join(place.folder.appDir, path), JSON.stringify(file));
  app = await openVersionsApp(place, off);
}

const docs = (type: string): TypeDocuments => app!.documents.of(`api::${type}.${type}`);
const idOf = ({ documentId }: ShownDocument): string => String(documentId);
const draft = { parameters: { status: 'draft' } };
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
  const { state, faults } = await storedState(app!.store, app!.registry, (id) => names.get(id) ?? id);
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
  await app!.close();
  app = undefined;
  await place!.remove();
  place = undefined;

  await opened(filesWithout(without));
  const names = await fill(without);
  await opened(projectFiles());
  expect(await stored(names)).toEqual(expected);
  expect(expected.faults).toEqual([]);
});

const rowsOf = (type: string): Promise<Row[]> =>
  app!.store.transaction(async (transaction) => transaction.rows(app!.registry.get(`api::${type}.${type}`), {}));

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
  const paper = app!.registry.get('api::paper.paper');
  const publishedAt = new Date().toISOString();
  const rows = Array.from({ length: 1_201 }, (_, at) => ({ documentId: `d${at}`, title: `t${at}`, publishedAt }));
  await app!.store.transaction(async (transaction) => transaction.insert(paper, rows));
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
  const paper = app!.registry.get('api::paper.paper');
  const unpublished = { attribute: paper.attributes.get('publishedAt')!, choice: { present: false } };
  await app!.store.transaction(async (transaction) => transaction.delete(paper, { where: [unpublished] }));
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
  await app!.close();
  app = undefined;
  writeFileSync(join(place!.folder.appDir, pathOf('paper')), JSON.stringify(projectFiles()[pathOf('paper')]));
  const both = await Promise.all([openVersionsApp(place!), openVersionsApp(place!)]);
  app = both[0];
  await both[1].close();
  expect(await rowsOf('paper')).toHaveLength(2);
});

test('what was linked while nobody served versions is linked in the draft, too', async () => {
  await opened(projectFiles());
  const topic = idOf(await docs('topic').create({ title: 't' }));
  const old = idOf(await docs('paper').create({ title: 'old' }));
  await opened(projectFiles(), ['draft-publish']);
  const card = { about: old, sources: [old] };
  await docs('paper').create({
    title: 'new',
    topics: [topic],
    main: topic,
    next: [old],
    cites: [old],
    pair: old,
    card,
  });
  await opened(projectFiles());
  const populate = { topics: true, main: true, next: true, cites: true, pair: true, card: { populate: '*' } };
  for (const status of ['draft', 'published']) {
    const [shown] = await docs('paper').find({ filters: { title: 'new' }, populate, parameters: { status } });
    const [linked, titled] = [[{ title: 'old' }], { title: 'old' }];
    expect(shown).toMatchObject({
      topics: [{ title: 't' }],
      main: { title: 't' },
      next: linked,
      cites: linked,
      pair: titled,
    });
    expect(shown).toMatchObject({ card: { about: titled, sources: linked } });
  }
});

const relation = (form: string, target: string, more: object): object => ({
  type: 'relation',
  relation: form,
  target: `api::${target}.${target}`,
  ...more,
});

/** Pages, which a column of theirs and columns of remarks link; what they must have has no default. */
const filesWithColumns = (draftAndPublish: boolean): Record<string, object> => ({
  ...projectFiles(),
  [pathOf('page')]: {
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
    options: { draftAndPublish },
    attributes: {
      title: { type: 'string', column: { notNullable: true } },
      seal: relation('oneToOne', 'paper', { useJoinTable: false }),
      notes: relation('oneToMany', 'remark', { mappedBy: 'page' }),
    },
  },
  [pathOf('remark')]: {
    kind: 'collectionType',
    collectionName: 'remarks',
    info: { singularName: 'remark', pluralName: 'remarks', displayName: 'remark' },
    options: { draftAndPublish: false },
    attributes: {
      title: { type: 'string' },
      page: relation('manyToOne', 'page', { inversedBy: 'notes', useJoinTable: false }),
      other: relation('oneToOne', 'page', { useJoinTable: false }),
    },
  },
});

test('a column of what has no versions goes on leading to what is published, and a new one leads there', async () => {
  await opened(filesWithColumns(false));
  const seal = idOf(await docs('paper').create({ title: 'seal' }));
  const page = idOf(await docs('page').create({ title: 'page', seal }));
  await docs('remark').create({ title: 'before', page, other: page });
  await opened(filesWithColumns(true));
  await docs('remark').create({ title: 'after', page, other: page });
  const titled = { title: 'page' };
  expect(await docs('remark').find({ sort: 'id', populate: '*' })).toMatchObject([
    { title: 'before', page: titled, other: titled },
    { title: 'after', page: titled, other: titled },
  ]);
  expect(await docs('page').findOne(page, { populate: '*' })).toMatchObject({
    notes: [{}, {}],
    seal: { title: 'seal' },
  });
  expect(await docs('page').findOne(page, { populate: 'seal', ...draft })).toMatchObject({ seal: { title: 'seal' } });
});

test('a type that is localized again gets its drafts once', async () => {
  const localized = projectFiles();
  const topic = localized[pathOf('topic')];
  await opened(localized);
  const id = idOf(await docs('topic').create({ title: 'one' }));
  await opened({ ...localized, [pathOf('topic')]: { ...topic, pluginOptions: {} } }, ['draft-publish']);
  await docs('topic').update(id, { title: 'two' });
  await docs('topic').create({ title: 'plain' });
  await opened(localized);
  expect(await docs('topic').find({ ...draft, sort: 'title' })).toMatchObject([{ title: 'one' }, { title: 'plain' }]);
  expect(await rowsOf('topic')).toHaveLength(4);
});

test('a single type gets its draft', async () => {
  const single = {
    kind: 'singleType',
    collectionName: 'homes',
    info: { singularName: 'home', pluralName: 'homes', displayName: 'home' },
  };
  const home = (draftAndPublish: boolean): Record<string, object> => ({
    ...projectFiles(),
    [pathOf('home')]: { ...single, options: { draftAndPublish }, attributes: { title: { type: 'string' } } },
  });
  await opened(home(false));
  await docs('home').create({ title: 'home' });
  await opened(home(true));
  expect(await rowsOf('home')).toMatchObject([{ title: 'home' }, { title: 'home', publishedAt: null }]);
});
