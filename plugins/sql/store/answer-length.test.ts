import type { TypeDocuments } from '../../../core';
import { client } from './database-app.fixture';
import { type LinkedApp, openLinkedApp } from './linked-app.fixture';
import { relation, schema } from './schemas.fixture';

// Twenty documents that all link each other, of a kilobyte each: with what is linked a list has 400 kB, and twenty times as much
// with what that links.

const uid = 'api::note.note';
const target = { target: uid };
const files = {
  'src/components/note/part.json': {
    collectionName: 'note_parts',
    info: { displayName: 'part' },
    attributes: { text: { type: 'text' }, links: relation('oneToMany', target) },
  },
  ...schema('note', {
    text: { type: 'text' },
    links: relation('manyToMany', { ...target, inversedBy: 'linked' }),
    linked: relation('manyToMany', { ...target, mappedBy: 'links' }),
    some: relation('morphToMany'),
    one: relation('oneToOne', target),
    parts: { type: 'component', component: 'note.part', repeatable: true },
  }),
};
const count = 20;
const most = 1_048_576;
const tooLong = {
  status: 413,
  message: `An answer may have ${most} bytes, and this one would have more: ask for less of it`,
};
/** So many levels of links inside each other. */
const populated = (levels: number): object => ({ links: levels > 1 ? { populate: populated(levels - 1) } : true });

let app: LinkedApp;
let notes: TypeDocuments;
const ids: string[] = [];

beforeAll(async () => {
  app = await openLinkedApp(files, [], { maxAnswerBytes: most });
  notes = app.documents.of(uid);
  for (let at = 0; at < count; at++) {
    const typed = ids.map((documentId) => ({ __type: uid, documentId }));
    const { documentId } = await notes.create({ title: `n${at}`, text: 'x'.repeat(1_000), some: typed });
    ids.push(String(documentId));
  }
  for (const id of ids) await notes.update(id, { links: ids });
});
afterAll(() => app.remove());

test('what is long, and not too long, is answered', async () => {
  const found = await notes.find({ populate: populated(1) });
  expect(found.map(({ links }) => (links as unknown[]).length)).toEqual(Array(count).fill(count));
});

test('what is too long is refused, and then others are answered as before', async () => {
  for (let time = 0; time < 5; time++) {
    await expect(notes.find({ populate: populated(2) })).rejects.toMatchObject(tooLong);
    expect(await notes.find({ fields: 'title', sort: 'title' })).toHaveLength(count);
  }
});

test('of several at once those are answered that are not too long', async () => {
  const asked = Array.from({ length: 8 }, (_, at) => notes.find({ populate: populated(at % 2 === 0 ? 1 : 2) }));
  const outcomes = (await Promise.allSettled(asked)).map(({ status }) => status);
  expect(outcomes).toEqual(Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? 'fulfilled' : 'rejected')));
});

test('lists that are not inside of each other are too long together', async () => {
  await expect(notes.find({ populate: '*' })).rejects.toMatchObject(tooLong);
});

test('things of several types are counted, too', async () => {
  const populate = { links: { populate: { links: { fields: 'title' }, some: true } } };
  await expect(notes.find({ populate })).rejects.toMatchObject(tooLong);
});

test('a write whose answer is too long is not done', async () => {
  const before = await notes.find({ fields: 'title' });
  await expect(notes.create({ title: 'new', links: ids }, { populate: populated(3) })).rejects.toMatchObject({
    status: 413,
  });
  expect(await notes.find({ fields: 'title' })).toEqual(before);
});

if (client === 'sqlite')
  test('a statement ends once its lists are too long', async () => {
    const begun = performance.now();
    // All of it would be more than the disks of the world hold.
    await expect(notes.find({ populate: populated(14) })).rejects.toMatchObject(tooLong);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

/** Whether a read is taken for one whose lists multiply. */
async function isBounded(populate: unknown): Promise<boolean | undefined> {
  const asked = jest.spyOn(app.database, 'rows');
  await notes.find({ populate, filters: { title: 'none' } });
  const [[statement] = []] = asked.mock.calls;
  asked.mockRestore();
  return statement?.multiplies;
}

test.each<[string, unknown, boolean]>([
  ['one level of lists', '*', false],
  ['a list of relations inside of relations', populated(2), true],
  ['a list of things of several types inside of relations', { links: { populate: 'some' } }, true],
  ['numbers inside of relations', { links: { populate: { links: { count: true } } } }, true],
  ['lists of parts inside of relations', { links: { populate: 'parts' } }, false],
  ['a list of relations inside of parts', { parts: { populate: 'links' } }, false],
  [
    'a list of relations inside of relations inside of parts',
    { parts: { populate: { links: { populate: 'links' } } } },
    true,
  ],
  ['a list of relations inside of one', { one: { populate: 'links' } }, true],
  ['one inside of a list', { links: { populate: 'one' } }, false],
])('%s', async (_, populate, expected) => {
  expect(await isBounded(populate)).toBe(expected);
});

test('what is read for other ends may be longer', async () => {
  const statement = { sql: client === 'sqlite' ? 'select zeroblob(2000000)' : "select repeat('x', 2000000)" };
  const [[text] = []] = await app.database.rows(statement, []);
  expect(text).toHaveLength(2_000_000);
  const answered = async () => app.database.rows({ ...statement, isAnswered: true }, []);
  await expect(answered()).rejects.toMatchObject(tooLong);
});

if (client === 'mysql')
  test('a read whose lists multiply has so much time, and others as much as they take', async () => {
    const statement = { sql: 'select @@max_statement_time * 1' };
    for (let time = 0; time < 3; time++) {
      expect(await app.database.rows({ ...statement, multiplies: true }, [])).toEqual([[20]]);
      expect(await app.database.rows(statement, [])).toEqual([[0]]);
    }
    const settings = { sql: 'select @@max_statement_time * 1, @@join_cache_level', settings: 'join_cache_level=0' };
    expect(await app.database.rows({ ...settings, multiplies: true }, [])).toEqual([[20, '0']]);
    expect(await app.database.rows(settings, [])).toEqual([[0, '0']]);
    expect(await app.database.rows({ sql: settings.sql }, [])).not.toEqual([[0, '0']]);
    // Several times, for what often comes together becomes one statement.
    for (let time = 0; time < 20; time++)
      await app.database.transaction(async ({ rows }) => {
        const both = await Promise.all([rows(settings, []), rows({ sql: settings.sql }, [])]);
        expect(both.map(([first]) => first![1] === '0')).toEqual([true, false]);
      });
  });

test('parts of what several documents show are counted with each, though a server sends them once', async () => {
  const parts = [{ text: 'x'.repeat(most / 5) }];
  const { documentId } = await notes.create({ title: 'shared', parts });
  const showing = (...titles: string[]) => ({
    filters: { title: { $in: titles } },
    fields: 'title',
    populate: { links: { fields: 'title', populate: 'parts', filters: { title: 'shared' } } },
  });
  for (const id of ids.slice(0, 5)) await notes.update(id, { links: [documentId] });
  const titles = ids.slice(0, 5).map((_, at) => `n${at}`);
  const shown = await notes.find(showing(...titles.slice(1)));
  expect(shown.map(({ links }) => links)).toEqual(
    Array(4).fill([expect.objectContaining({ parts: [expect.objectContaining(parts[0]!)] })]),
  );
  await expect(notes.find(showing(...titles))).rejects.toMatchObject(tooLong);
});
