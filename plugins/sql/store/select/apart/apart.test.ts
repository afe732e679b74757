import { flattened } from '../../../../../core';
import type { Rows } from '../../../database/database';
import { client } from '../../database-app.fixture';
import { type LinkedApp, openLinkedApp } from '../../linked-app.fixture';
import { relation, schema } from '../../schemas.fixture';

// What is tied to a page's documents is read apart on servers; what is tied to one document, in its own text.

/** A list, and what is populated in its documents. */
interface Query {
  readonly populate: unknown;
  readonly [key: string]: unknown;
}

const onServers = client === 'sqlite' ? describe.skip : describe;

/** How a statement begins that reads apart. */
const beginning = client === 'postgres' ? 'select * from (with' : 'select null,null,';

const to = (name: string, rest: object = {}) => ({ target: `api::${name}.${name}`, ...rest });

const files = {
  'src/components/part/box.json': {
    collectionName: 'components_part_boxes',
    info: { displayName: 'box' },
    attributes: { text: { type: 'string' }, near: relation('oneToOne', to('note')), about: relation('morphToOne') },
  },
  'src/components/part/shelf.json': {
    // A name that a statement could give to something of its own.
    collectionName: 'n1',
    info: { displayName: 'shelf' },
    attributes: { text: { type: 'string' }, boxes: { type: 'component', component: 'part.box', repeatable: true } },
  },
  ...schema('note', {
    notes: relation('manyToMany', to('note', { inversedBy: 'others' })),
    others: relation('manyToMany', to('note', { mappedBy: 'notes' })),
    first: relation('oneToOne', to('note')),
    parent: relation('manyToOne', to('note', { inversedBy: 'children' })),
    children: relation('oneToMany', to('note', { mappedBy: 'parent' })),
    rank: { type: 'integer' },
    flag: { type: 'boolean' },
    about: relation('morphToOne'),
    things: relation('morphToMany'),
    seenBy: relation('morphMany', to('note', { morphBy: 'things' })),
    box: { type: 'component', component: 'part.box' },
    shelves: { type: 'component', component: 'part.shelf', repeatable: true },
    zone: { type: 'dynamiczone', components: ['part.box', 'part.shelf'] },
  }),
};

onServers('a list that is read apart', () => {
  const type = 'api::note.note';
  let app: LinkedApp;
  beforeAll(async () => {
    app = await openLinkedApp(files);
    const ids: string[] = [];
    const some = (at: number, ...steps: number[]): string[] =>
      steps.flatMap((step) => (at >= step ? [ids[at - step]!] : []));
    for (let at = 0; at < 12; at++) {
      const box = (text: string, near?: string) => ({ text: `${text}${at}`, ...(near && { near }) });
      const shelf = { text: `s${at}`, boxes: [box('a', ids[at - 1]), box('b', ids[at - 3])] };
      const typed = (documentId: string) => ({ __type: type, documentId });
      const { documentId } = await app.documents.of(type).create({
        title: `n${at % 3} ${at}`,
        rank: [0, null, -5, 7][at % 4]!,
        flag: [false, null, true][at % 3]!,
        notes: some(at, 3, 1, 2),
        parent: some(at, 2)[0] ?? null,
        ...(at % 4 === 1 && { first: ids[at - 1] }),
        ...(at > 1 && { about: typed(ids[at - 2]!), things: some(at, 2, 1).map(typed) }),
        ...(at % 2 === 0 && { box: box('x', ids[at - 2]), shelves: [shelf, { text: 'none' }, shelf] }),
        zone:
          at % 3 === 0
            ? []
            : [
                { __component: 'part.shelf', ...shelf },
                { __component: 'part.box', ...box('z') },
              ],
      });
      ids.push(String(documentId));
    }
  });
  afterAll(() => app.remove());

  /** What reads show, and how many of their statements read apart. */
  async function looked<T>(read: () => Promise<T>): Promise<{ shown: T; apart: number; statements: number }> {
    const asked = jest.spyOn(app.database, 'rows');
    const shown = await read();
    const sent = asked.mock.calls.map(([{ sql }]) => sql);
    asked.mockRestore();
    return {
      shown,
      apart: sent.filter((sql) => sql.startsWith(beginning)).length,
      statements: sent.length,
    };
  }

  const titled = { filters: { title: { $startsWith: 'n1' } } };
  test.each<[string, Query]>([
    ['all', { populate: '*' }],
    ['another page, in another order', { populate: '*', sort: ['title:desc'], start: 3, limit: 5 }],
    [
      'several levels',
      {
        populate: {
          notes: { populate: { notes: { populate: '*' }, parent: { populate: { children: true } } } },
          shelves: { populate: { boxes: { populate: { near: { populate: { box: true, first: true } } } } } },
          zone: { on: { 'part.shelf': { populate: { boxes: { populate: '*' } } }, 'part.box': true } },
          about: { populate: '*' },
        },
      },
    ],
    [
      'some of it, of a part of the list, on several levels',
      {
        filters: { title: { $notIn: ['n0 0', 'n1 10'] } },
        sort: 'title',
        start: 1,
        limit: 7,
        populate: {
          notes: {
            filters: { title: { $ne: 'n2 8' } },
            populate: { others: { filters: { rank: { $gte: 0 } }, populate: 'first' } },
          },
          zone: {
            on: {
              'part.box': { populate: { near: { filters: { title: { $contains: '3' } } } } },
              'part.shelf': { populate: { boxes: { filters: { text: { $startsWith: 'a' } }, populate: 'near' } } },
            },
          },
          things: true,
          seenBy: titled,
        },
      },
    ],
    ['some of it', { populate: { notes: titled, others: titled, first: titled, parent: titled, seenBy: titled } }],
    ['of a zone, one type', { populate: { zone: { on: { 'part.box': { populate: { near: titled } } } } } }],
    [
      'numbers, and lists in an order of their own',
      { populate: { notes: { count: true }, others: { sort: 'title' }, parent: true, things: true } },
    ],
  ])('shows what each of its documents does: %s', async (_, { populate, ...list }: Query) => {
    const documents = app.documents.of(type);
    const { shown, ...apart } = await looked(() => documents.find({ ...list, populate }));
    expect(shown.length).toBeGreaterThan(4);
    expect(apart).toEqual({ apart: 1, statements: 1 });
    const alone = await looked(async () => {
      const found: unknown[] = [];
      for (const { documentId } of shown) found.push(await documents.findOne(String(documentId), { populate }));
      return found;
    });
    expect(alone).toEqual({ shown, apart: 0, statements: shown.length });
  });

  test.each(['rank', 'flag', 'first.rank', 'first.flag'])('is in the order of %s, which some lack', async (name) => {
    const documents = app.documents.of(type);
    for (const sort of [`${name}:asc`, `${name}:desc`])
      for (const page of [{}, { start: 2, limit: 5 }]) {
        const { shown, apart } = await looked(() => documents.find({ ...page, sort, populate: '*' }));
        expect(apart).toBe(1);
        const titles = (await documents.find({ ...page, sort })).map(({ title }) => title);
        expect(shown.map(({ title }) => title)).toEqual(titles);
      }
  });

  test('shows nothing where a tie leads to nothing', async () => {
    const documents = app.documents.of(type);
    const box = { __component: 'part.box', text: 'gone' };
    const { documentId } = await documents.create({ title: 'gone', zone: [box, { ...box, text: 'here' }] });
    await app.database.knex()('components_part_boxes').where({ text: 'gone' }).delete();
    const { shown, apart } = await looked(() =>
      documents.find({ filters: { title: 'gone' }, populate: { zone: { populate: '*' } } }),
    );
    expect(apart).toBe(1);
    expect(shown).toMatchObject([{ documentId, zone: [{ text: 'here', near: null }] }]);
    await documents.delete(String(documentId));
  });

  if (client === 'mysql')
    test.each<[string, unknown, number]>([
      ['one thing', 'parent', 0],
      ['two things', ['parent', 'first'], 0],
      ['more things', ['parent', 'first', 'box'], 1],
      ['a list', 'notes', 1],
    ])('is so where rows of their own are worth it: %s', async (_, populate, expected) => {
      const { apart } = await looked(() => app.documents.of(type).find({ populate }));
      expect(apart).toBe(expected);
    });

  if (client === 'mysql')
    test('reads what is tied to what is shown, and nothing else', async () => {
      const asked = jest.spyOn(app.database, 'rows');
      const one = { filters: { title: 'n0 9' }, populate: { shelves: true, box: true } };
      const shown = await app.documents.of(type).find({ fields: 'title', populate: { notes: one, others: true } });
      const answered = flattened(await Promise.all(asked.mock.results.map(({ value }) => value as Rows)));
      asked.mockRestore();
      const listed = (name: string) => flattened(shown.map((each) => each[name] as { shelves?: object[] }[]));
      const [notes, others] = [listed('notes'), listed('others')];
      expect(notes.length).toBeGreaterThan(0);
      // The documents, what is shown with each, the shelves and the box of the one note, and two notes of ids.
      const most = shown.length + notes.length + others.length + notes[0]!.shelves!.length + 1 + 2;
      expect(answered.length).toBeLessThanOrEqual(most);
    });

  if (client === 'mysql')
    test('shows texts of several character sets and collations', async () => {
      const documents = app.documents.of(type);
      const texts = ['Ærø', 'ß'];
      const text = (of: string): object => ({ text: of });
      await documents.create({ title: 'several', box: text('Ærø'), shelves: [text('ß')], parent: null });
      await app.database.knex().raw('alter table components_part_boxes modify text varchar(255) character set latin1');
      await app.database
        .knex()
        .raw('alter table n1 modify text varchar(255) character set utf8mb4 collate utf8mb4_bin');
      await app.database.knex().raw('alter table notes convert to character set utf8mb4 collate utf8mb4_danish_ci');
      const populate = { box: true, shelves: true, zone: { populate: '*' }, notes: { populate: 'box' } };
      const { shown, apart } = await looked(() => documents.find({ populate, sort: 'id' }));
      expect(apart).toBe(1);
      const last = shown.at(-1) as { box: object; shelves: object[] };
      expect([last.box, ...last.shelves]).toMatchObject(texts.map(text));
    });
});
