import { client, watchStatements } from '../sql/store/database-app.fixture';
import { versionsApp } from './versions-app.fixture';

// A new document gets its place in the lists of what it links.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const app = versionsApp();

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

/** In which turns a new note on a topic that lists another already asks for its neighbours there, and for its answer. */
async function turnsOf(populate?: object): Promise<{ readonly neighbours: number; readonly answer: number }> {
  const { documents, database } = app();
  const topic = (await documents.of('api::topic.topic').create({ title: 'topic' }))['documentId'];
  const note = (title: string) =>
    documents.of('api::note.note').create({ title, topics: [topic] }, populate && { populate });
  await note('first');
  const found = { neighbours: 0, answer: 0 };
  const turns = countTurns();
  const unwatch = watchStatements(database, (sql) => {
    if (/^select .* from .notes. where .document_id. in \(select/.test(sql)) found.neighbours = turns.now();
    else if (/^select .*documentId.*publishedAt/.test(sql)) found.answer = turns.now();
  });
  await note('second');
  unwatch();
  turns.stop();
  expect(Math.min(found.neighbours, found.answer)).toBeGreaterThan(0);
  return found;
}

// SQLite answers each statement at once.
const onServers = client === 'sqlite' ? test.skip : test;

onServers('an answer is read beside what that takes', async () => {
  const { neighbours, answer } = await turnsOf();
  // PostgreSQL's statements wait for a turn of their own behind what they go ahead of.
  expect(answer - neighbours).toBeLessThanOrEqual(1);
});

onServers('an answer that may show such a list is read behind it', async () => {
  const { neighbours, answer } = await turnsOf({ topics: { populate: { notes: true } } });
  expect(answer).toBeGreaterThan(neighbours);
});
