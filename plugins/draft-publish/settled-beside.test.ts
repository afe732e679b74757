import type { Written } from '../../core';
import { client, watchStatements } from '../sql/store/database-app.fixture';
import { countTurns } from './turns.fixture';
import { makeVersionsPlace, openVersionsApp, type VersionsApp, versionsApp } from './versions-app.fixture';

// What is published gets its place in the lists of what it links.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const app = versionsApp();
const people = () => app().documents.of('api::person.person');
const papers = () => app().documents.of('api::paper.paper');

/** How often work goes on beside the reading of an answer. */
let besides = 0;
beforeAll(() => {
  const count = (written: Written): void => {
    const { beside } = written;
    if (!beside) return;
    Object.assign(written, {
      beside(work: Promise<unknown>) {
        besides += 1;
        beside(work);
      },
    });
  };
  app().app.kernel.hooks.document.written.tap({ name: 'draft-publish:test', stage: -1 }, count);
});
beforeEach(() => {
  besides = 0;
});

/** The author of a paper, as the body of others names it. */
const makeAuthor = async (): Promise<string> => {
  const author = String((await people().create({ title: 'author' }))['documentId']);
  await papers().create({ title: 'first', author });
  besides = 0;
  return author;
};

const titlesOf = async (author: string): Promise<unknown> => {
  const found = await people().findOne(author, { populate: { papers: { fields: 'title' } } });
  return (found!['papers'] as { title: string }[]).map(({ title }) => title);
};

test('an answer that shows no links is read beside that', async () => {
  const author = await makeAuthor();
  const { documentId } = await papers().create({ title: 'second', author });
  expect(besides).toBe(1);
  await papers().update(String(documentId), { title: 'third' });
  expect(besides).toBe(2);
  expect(await titlesOf(author)).toEqual(['first', 'third']);
});

test('an answer that may show such a list is read behind it', async () => {
  const author = await makeAuthor();
  const populate = { author: { populate: { papers: { fields: 'title' } } } };
  const made = await papers().create({ title: 'second', author }, { populate });
  expect(besides).toBe(0);
  expect(made).toMatchObject({ author: { papers: [{ title: 'first' }, { title: 'second' }] } });
});

test('nothing goes on beside what is done with other variants', async () => {
  await app().documents.of('api::note.note').create({ title: 'note' });
  expect(besides).toBe(0);
});

/** In which turns a server was asked for what a new paper has to do with a list. */
async function turnsOf(
  { database, documents }: VersionsApp,
  cited: string,
): Promise<{ ends: number; neighbours: number[]; answer: number; last: number }> {
  const asked = { ends: 0, neighbours: [] as number[], answer: 0, last: 0 };
  const turns = countTurns();
  const unwatch = watchStatements(database, (sql) => {
    asked.last = turns.now();
    if (/^select @heddle_end|^select set_config/.test(sql)) asked.ends = turns.now();
    else if (/^select .* from .papers. where .document_id. in \(select/.test(sql)) asked.neighbours.push(turns.now());
    else if (/^select .*documentId.*publishedAt/.test(sql)) asked.answer = turns.now();
  });
  try {
    await documents.of('api::paper.paper').create({ title: 'another', cites: [cited] });
  } finally {
    unwatch();
    turns.stop();
  }
  return asked;
}

// SQLite answers each statement at once.
const onServers = client === 'sqlite' ? test.skip : test;

onServers(
  'what ends the lists is looked up with the answer, and who that is need not be asked of what was published here',
  async () => {
    const cited = String((await papers().create({ title: 'cited' }))['documentId']);
    await papers().create({ title: 'first', cites: [cited] });
    const { ends, neighbours, answer, last } = await turnsOf(app(), cited);
    expect(ends).toBeGreaterThan(0);
    expect([answer, last]).toEqual([ends, ends]);
    // The published version of what is cited.
    expect(neighbours).toHaveLength(1);
    expect(neighbours[0]).toBeLessThan(ends);
  },
);

test('what another process published is asked for', async () => {
  const place = await makeVersionsPlace();
  const [here, there] = [await openVersionsApp(place), await openVersionsApp(place)];
  try {
    const papersOf = ({ documents }: VersionsApp) => documents.of('api::paper.paper');
    const cited = String((await papersOf(here).create({ title: 'cited' }))['documentId']);
    const make = (app: VersionsApp, title: string, status = 'published') =>
      papersOf(app).create({ title, cites: [cited] }, { parameters: { status } });
    await make(here, '1');
    await make(there, '2');
    const draft = await make(here, '3', 'draft');
    await make(there, '4');
    const { neighbours } = await turnsOf(here, cited);
    expect(neighbours).toHaveLength(2);
    await papersOf(there).update(String(draft['documentId']), {}, { parameters: { status: 'published' } });
    await make(here, '5');
    for (const status of ['draft', 'published']) {
      const populate = { citedBy: { fields: 'title' } };
      const found = await papersOf(here).findOne(cited, { populate, parameters: { status } });
      const titles = (found!['citedBy'] as { title: string }[]).map(({ title }) => title);
      expect(titles).toEqual(['1', '2', '3', '4', 'another', '5']);
    }
  } finally {
    await here.close();
    await there.close();
    await place.remove();
  }
});
