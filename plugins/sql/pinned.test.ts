import type { ShownDocument, TypeDocuments } from '../../core';
import {
  makeVersionsPlace,
  openVersionsApp,
  type VersionsApp,
  type VersionsPlace,
} from '../draft-publish/versions-app.fixture';
import { client } from './store/database-app.fixture';
import { rowsIn } from './sync/databases.fixture';

// Plugins switched off: types behave as if the option were unset, and rows of other versions and locales stay as they are.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

let place: VersionsPlace;
let app: VersionsApp;
const ids: Record<string, string> = {};

const docs = (type: string): TypeDocuments => app.documents.of(`api::${type}.${type}`);
const idOf = ({ documentId }: ShownDocument): string => String(documentId);
const draft = { parameters: { status: 'draft' } };
const french = { parameters: { locale: 'fr' } };

beforeEach(async () => {
  place = await makeVersionsPlace();
  app = await openVersionsApp(place);
  ids['s'] = idOf(await docs('topic').create({ title: 's', code: 'x' }));
  await docs('topic').update(ids['s'], { title: 's fr' }, french);
  ids['u'] = idOf(await docs('topic').create({ title: 'u' }, french));
  ids['q'] = idOf(await docs('paper').create({ title: 'q' }));
  ids['r'] = idOf(await docs('paper').create({ title: 'r' }, draft));
  const card = { text: 'published', sources: [ids['q'], ids['r']] };
  ids['p'] = idOf(await docs('paper').create({ title: 'p', cites: [ids['q'], ids['r']], main: ids['s'], card }));
  await docs('paper').update(
    ids['p'],
    { title: 'p draft', next: [ids['r']], card: { text: 'draft', sources: [ids['r']] } },
    draft,
  );
  ids['n'] = idOf(await docs('note').create({ title: 'n', code: 'c', topics: [ids['s']], facts: [{ text: 'f' }] }));
  await docs('note').update(ids['n'], { title: 'n fr', topics: [ids['s']] }, french);
});
afterEach(async () => {
  await app.close();
  await place.remove();
});

async function switchedOff(...names: string[]): Promise<void> {
  await app.close();
  app = await openVersionsApp(place, names);
}

/** The rows that a pinned application must leave alone, with the links and components that are theirs. */
async function rowsWhere(type: string, isTheirs: (row: Record<string, unknown>) => boolean): Promise<string[]> {
  const tables = await rowsIn(app.database.knex(), client);
  const parsed = (name: string) => (tables[name] ?? []).map((text) => JSON.parse(text) as Record<string, unknown>);
  const own = parsed(`${type}s`).filter(isTheirs);
  const rows = new Set(own.map(({ id }) => id));
  const joining = Object.keys(tables).filter((name) => name.startsWith(`${type}s_`) && /_(lnk|cmps)$/.test(name));
  const joined = joining.flatMap((name) =>
    parsed(name).filter((row) => rows.has(row[`${type}_id`] ?? row['entity_id'])),
  );
  return [...own, ...joined].map((row) => JSON.stringify(row));
}

const isDraft = (row: Record<string, unknown>): boolean => row['published_at'] === null;
const titles = (documents: readonly ShownDocument[]): unknown[] => documents.map(({ title }) => title);

describe('without draft-publish', () => {
  beforeEach(() => switchedOff('draft-publish'));

  test('what is published is all there is, whatever the parameters', async () => {
    for (const parameters of [{}, { status: 'draft' }, { publicationFilter: 'never-published' }]) {
      expect(titles(await docs('paper').find({ parameters, sort: 'title' }))).toEqual(['p', 'q']);
      expect(await docs('paper').findOne(ids['r']!, { parameters })).toBeUndefined();
    }
    const [p] = await docs('paper').find({
      filters: { title: 'p' },
      populate: { cites: true, next: true, card: { populate: { sources: true } } },
    });
    expect(titles(p!['cites'] as ShownDocument[])).toEqual(['q']);
    expect(p!['next']).toEqual([]);
    expect(p!['card']).toMatchObject({ text: 'published', sources: [{ title: 'q' }] });
    expect(titles(await docs('paper').find({ filters: { cites: { title: { $notNull: true } } } }))).toEqual(['p']);
    expect(app.actions.size).toBe(0);
  });

  test('writes change what is published in place, and no draft', async () => {
    const before = await rowsWhere('paper', isDraft);
    const [{ id }] = (await docs('paper').find({ filters: { title: 'p' } })) as [ShownDocument];
    const changed = await docs('paper').update(
      ids['p']!,
      { title: 'changed', next: [ids['q']], card: { text: 'new', sources: [ids['q']] } },
      { ...draft, populate: ['next', 'card'] },
    );
    expect(changed).toMatchObject({ id, title: 'changed', next: [{ title: 'q' }], card: { text: 'new' } });
    expect(changed['publishedAt']).not.toBeNull();
    await expect(docs('paper').update(ids['p']!, { next: [ids['r']] })).rejects.toThrow(
      `Document with id "${ids['r']}"`,
    );
    await expect(docs('paper').update(ids['r']!, { title: 'r' })).rejects.toThrow('Not Found');
    await expect(docs('paper').create({ code: 'x' })).rejects.toThrow('title must be defined.');
    expect(await rowsWhere('paper', isDraft)).toEqual(before);
  });

  test('a deletion takes what is published, and drafts are there again with the plugin, also of what had none', async () => {
    const before = await rowsWhere('paper', isDraft);
    await docs('paper').delete(ids['p']!);
    await docs('paper').delete(ids['r']!);
    const created = await docs('paper').create({ title: 'only published' });
    expect(await rowsWhere('paper', isDraft)).toEqual(before);
    await switchedOff();
    expect(titles(await docs('paper').find({ sort: 'title', ...draft }))).toEqual([
      'only published',
      'p draft',
      'q',
      'r',
    ]);
    expect(titles(await docs('paper').find({ sort: 'title' }))).toEqual(['only published', 'q']);
    expect(await docs('paper').findOne(idOf(created), draft)).toMatchObject({ publishedAt: null });
  });
});

describe('without i18n', () => {
  const isFrench = (row: Record<string, unknown>): boolean => row['locale'] === 'fr';

  beforeEach(() => switchedOff('i18n'));

  test('the default locale is all there is, and no key says so', async () => {
    for (const parameters of [{}, { locale: 'fr' }, { locale: '*' }]) {
      const topics = await docs('topic').find({ parameters, populate: '*' });
      expect(titles(topics)).toEqual(['s']);
      expect(Object.keys(topics[0]!)).not.toEqual(expect.arrayContaining(['locale']));
      expect(Object.keys(topics[0]!)).not.toEqual(expect.arrayContaining(['localizations']));
      expect(await docs('topic').findOne(ids['u']!, { parameters })).toBeUndefined();
    }
    await expect(docs('topic').find({ populate: 'localizations' })).rejects.toThrow('Invalid key localizations');
  });

  test('writes touch no other locale', async () => {
    const before = [await rowsWhere('note', isFrench), await rowsWhere('topic', isFrench)];
    const changed = await docs('note').update(
      ids['n']!,
      { title: 'changed', code: 'other', topics: [ids['s']], facts: [{ text: 'g' }] },
      { ...french, populate: ['topics', 'facts'] },
    );
    expect(changed).toMatchObject({
      title: 'changed',
      code: 'other',
      topics: [{ title: 's' }],
      facts: [{ text: 'g' }],
    });
    await expect(docs('note').update(ids['n']!, { topics: [ids['u']] })).rejects.toThrow(
      `Document with id "${ids['u']}"`,
    );
    await docs('topic').create({ title: 'new' });
    expect([await rowsWhere('note', isFrench), await rowsWhere('topic', isFrench)]).toEqual(before);
    await docs('note').delete(ids['n']!, french);
    await docs('topic').delete(ids['u']!);
    expect([await rowsWhere('note', isFrench), await rowsWhere('topic', isFrench)]).toEqual(before);
    await switchedOff();
    expect(titles(await docs('note').find({ parameters: { locale: '*' } }))).toEqual(['n fr']);
    expect(titles(await docs('topic').find({ parameters: { locale: 'en' }, sort: 'title' }))).toEqual(['new', 's']);
  });
});

test('without both, published documents of the default locale can be written and linked', async () => {
  await switchedOff('draft-publish', 'i18n');
  const before = await rowsWhere('note', (row) => isDraft(row) || row['locale'] === 'fr');
  const changed = await docs('note').update(ids['n']!, { title: 'changed', lead: ids['s'] }, { populate: '*' });
  expect(changed).toMatchObject({ title: 'changed', lead: { title: 's' }, topics: [{ title: 's' }] });
  expect(await rowsWhere('note', (row) => isDraft(row) || row['locale'] === 'fr')).toEqual(before);
});
