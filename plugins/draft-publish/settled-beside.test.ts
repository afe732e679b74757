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
  // What is new is in its place.
  expect(besides).toBe(0);
  await papers().update(String(documentId), { title: 'third' });
  expect(besides).toBe(1);
  expect(await titlesOf(author)).toEqual(['first', 'third']);
});

test('an answer that may show such a list is read behind it', async () => {
  const author = await makeAuthor();
  const populate = { author: { populate: { papers: { fields: 'title' } } } };
  const { documentId } = await papers().create({ title: 'another' });
  const linked = await papers().update(String(documentId), { title: 'second', author }, { populate });
  expect(besides).toBe(0);
  expect(linked).toMatchObject({ author: { papers: [{ title: 'first' }, { title: 'second' }] } });
});

test('nothing goes on beside what is done with other variants', async () => {
  const notes = app().documents.of('api::note.note');
  const { documentId } = await notes.create({ title: 'note' });
  await notes.update(String(documentId), { title: 'another' });
  expect(besides).toBe(0);
});

/** In which turns a server was asked for what a write has to do with a list. */
async function turnsOf(
  { database }: VersionsApp,
  write: () => Promise<unknown>,
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
    await write();
  } finally {
    unwatch();
    turns.stop();
  }
  return asked;
}

// SQLite answers each statement at once.
const onServers = client === 'sqlite' ? test.skip : test;

onServers('what ends the lists that a new document comes to is looked up with the answer', async () => {
  const cited = String((await papers().create({ title: 'cited' }))['documentId']);
  await papers().create({ title: 'first', cites: [cited] });
  const { ends, neighbours, answer, last } = await turnsOf(app(), () =>
    papers().create({ title: 'another', cites: [cited] }),
  );
  expect(ends).toBeGreaterThan(0);
  expect([answer, last]).toEqual([ends, ends]);
  // The published version of what is cited.
  expect(neighbours).toHaveLength(1);
  expect(neighbours[0]).toBeLessThan(ends);
});

test('whose versions stand at the ends of lists is asked of what another process published only', async () => {
  const place = await makeVersionsPlace();
  const [here, there] = [await openVersionsApp(place), await openVersionsApp(place)];
  try {
    const papersOf = ({ documents }: VersionsApp) => documents.of('api::paper.paper');
    const cited = String((await papersOf(here).create({ title: 'cited' }))['documentId']);
    const make = (app: VersionsApp, title: string, status = 'published') =>
      papersOf(app).create({ title, cites: [cited] }, { parameters: { status } });
    /** How often rows were asked for their versions by a paper that cites another from now on. */
    const askedBy = async (title: string): Promise<number> => {
      const { documentId } = await papersOf(here).create({ title });
      const { neighbours } = await turnsOf(here, () =>
        papersOf(here).update(String(documentId), { cites: [cited] }, { parameters: { status: 'published' } }),
      );
      return neighbours.length;
    };
    await make(here, '1');
    const known = await askedBy('2');
    const draft = await make(here, '3', 'draft');
    await make(there, '4');
    expect(await askedBy('5')).toBe(known + 1);
    await papersOf(there).update(String(draft['documentId']), {}, { parameters: { status: 'published' } });
    await make(here, '6');
    for (const status of ['draft', 'published']) {
      const populate = { citedBy: { fields: 'title' } };
      const found = await papersOf(here).findOne(cited, { populate, parameters: { status } });
      const titles = (found!['citedBy'] as { title: string }[]).map(({ title }) => title);
      expect(titles).toEqual(['1', '2', '3', '4', '5', '6']);
    }
  } finally {
    await here.close();
    await there.close();
    await place.remove();
  }
});
