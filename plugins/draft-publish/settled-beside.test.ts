import type { Written } from '../../core';
import { client, watchStatements } from '../sql/store/database-app.fixture';
import { versionsApp } from './versions-app.fixture';

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

/** Counts turns of the event loop; no answer of a server comes within one. */
function countTurns(): { now(): number; stop(): void } {
  let count = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    count += 1;
    next = setImmediate(turn);
  };
  turn();
  return { now: () => count, stop: () => clearImmediate(next) };
}

// SQLite answers each statement at once.
(client === 'sqlite' ? test.skip : test)('a server is asked for both at once', async () => {
  const cited = String((await papers().create({ title: 'cited' }))['documentId']);
  await papers().create({ title: 'first', cites: [cited] });
  const asked = { neighbours: 0, answer: 0 };
  const turns = countTurns();
  const unwatch = watchStatements(app().database, (sql) => {
    if (/^select .* from .papers. where .document_id. in \(select/.test(sql)) asked.neighbours = turns.now();
    else if (/^select .*documentId.*publishedAt/.test(sql)) asked.answer = turns.now();
  });
  try {
    await papers().create({ title: 'second', cites: [cited] });
  } finally {
    unwatch();
    turns.stop();
  }
  expect(Math.min(asked.neighbours, asked.answer)).toBeGreaterThan(0);
  // PostgreSQL's statements wait for a turn of their own behind what they go ahead of.
  expect(asked.answer - asked.neighbours).toBeLessThanOrEqual(1);
});
