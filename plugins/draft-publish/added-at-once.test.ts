import { removeRows, type StoreTransaction, type Written } from '../../core';
import { client, watchStatements } from '../sql/store/database-app.fixture';
import { countTurns } from './turns.fixture';
import { versionsApp } from './versions-app.fixture';

// The published version of a new document is added with its draft.
// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

const app = versionsApp();
const papers = () => app().documents.of('api::paper.paper');
const published = { parameters: { status: 'published' } };

/** The statements of some work, each with the turn of the event loop in which it was asked for. */
async function statementsOf(work: () => Promise<unknown>): Promise<{ sql: string; turn: number }[]> {
  const turns = countTurns();
  const found: { sql: string; turn: number }[] = [];
  const unwatch = watchStatements(app().database, (sql) => void found.push({ sql, turn: turns.now() }));
  try {
    await work();
  } finally {
    unwatch();
    turns.stop();
  }
  return found;
}

// SQLite answers each statement at once, and has one writer.
const onServers = client === 'sqlite' ? test.skip : test;

const deck = (cited: string) => ({
  title: 'whole',
  cites: [cited],
  card: { text: 'card' },
  zone: [
    { __component: 'part.deck', text: 'deck', cards: [{ text: 'one' }, { text: 'two' }] },
    { __component: 'part.card', text: 'three' },
  ],
});

const populate = { cites: true, card: true, zone: { populate: '*' } };
const withoutIds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each) => (['id', 'publishedAt'].includes(key) ? undefined : each)));

test('with one statement for each table, in which both hold the same', async () => {
  const cited = String((await papers().create({ title: 'cited' }))['documentId']);
  let documentId = '';
  const statements = await statementsOf(async () => {
    documentId = String((await papers().create(deck(cited)))['documentId']);
  });
  const inserts = statements.flatMap(
    ({ sql }) => /^insert into .(papers|components_part_[a-z]+). /.exec(sql)?.[1] ?? [],
  );
  expect(inserts.sort()).toEqual(['components_part_cards', 'components_part_decks', 'papers']);
  const draft = await papers().findOne(documentId, { populate, parameters: { status: 'draft' } });
  const shown = await papers().findOne(documentId, { populate, ...published });
  expect(shown).toMatchObject({ title: 'whole', cites: [{ title: 'cited' }], zone: [{ cards: [{}, {}] }, {}] });
  expect(withoutIds(shown)).toEqual(withoutIds(draft));
  expect(Number(shown!['id'])).toBeGreaterThan(Number(draft!['id']));
});

onServers('while it is looked up which versions it will link', async () => {
  const cited = String((await papers().create({ title: 'cited' }))['documentId']);
  const statements = await statementsOf(() => papers().create(deck(cited)));
  const added = statements.find(({ sql }) => /^insert into .papers. /.test(sql))!;
  const sought = statements.filter(({ sql }) => /^select .* from .papers. where .document_id. in \(select/.test(sql));
  expect(sought.map(({ turn }) => turn)).toEqual([added.turn]);
});

test('only the draft where only that is wanted', async () => {
  const made = await papers().create({ title: 'draft', card: { text: 'a' } }, { parameters: { status: 'draft' } });
  expect(await papers().findOne(String(made['documentId']), published)).toBeUndefined();
  const { store, registry } = app();
  const rows = await store.transaction(async (transaction) =>
    transaction.rows(registry.get('api::paper.paper'), { documentId: String(made['documentId']) }),
  );
  expect(rows).toHaveLength(1);
});

onServers('what is linked is looked up again once it is waited for who may be publishing that', async () => {
  const drafts = { parameters: { status: 'draft' } };
  const linked = String((await papers().create({ title: 'linked' }, drafts))['documentId']);
  const inside = String((await papers().create({ title: 'inside' }, drafts))['documentId']);
  let isPublished = false;
  // The lookup is on its way by then.
  const unwatch = watchStatements(app().database, async (sql) => {
    if (isPublished || !/^insert into .papers. /.test(sql)) return;
    isPublished = true;
    for (const each of [linked, inside]) await papers().update(each, {}, published);
  });
  const body = { title: 'linking', next: [linked], card: { about: inside } };
  const made = await papers().create(body).finally(unwatch);
  expect(isPublished).toBe(true);
  const links = { next: { fields: 'title' }, card: { populate: { about: { fields: 'title' } } } };
  expect(await papers().findOne(String(made['documentId']), { populate: links, ...published })).toMatchObject({
    next: [{ title: 'linked' }],
    card: { about: { title: 'inside' } },
  });
});

/** How many papers there are in all versions, and how many cards. */
const counted = (): Promise<number[]> => {
  const { store, registry } = app();
  return store.transaction(async (transaction) => [
    (await transaction.rows(registry.get('api::paper.paper'), {})).length,
    (await transaction.rows(registry.get('part.card'), {})).length,
  ]);
};

test('neither where the draft may not be published as it is', async () => {
  const was = await counted();
  await expect(papers().create({ card: { text: 'of nothing' } })).rejects.toThrow('title must be');
  expect(await counted()).toEqual(was);
});

type Work = (written: Written, transaction: StoreTransaction) => Promise<void>;
let before: Work | undefined;

/** Lets another plugin do something to new documents before they are published. */
function doBefore(work: Work): void {
  const tap = { name: 'draft-publish:test', stage: -1 };
  if (!before)
    app().app.kernel.hooks.document.written.tapPromise(tap, async (written, transaction) => {
      if (written.created) await before!(written, transaction);
    });
  before = work;
}

test('what another plugin changes before it is published is published', async () => {
  const { registry } = app();
  const leaf = String((await papers().create({ title: 'leaf' }, { parameters: { status: 'draft' } }))['documentId']);
  doBefore(async ({ created, operation: { type } }, transaction) => {
    await transaction.update(type, { id: created![0]! }, { title: 'numbered 1' });
    const [card] = await transaction.ties(type, type.nested.get('card')!, created!);
    await transaction.update(registry.get('part.card'), { id: card!.target }, { text: 'changed' });
    // A link that is looked up before leads nowhere.
    const [draft] = await transaction.rows(type, { documentId: leaf });
    const { id: _id, ...values } = draft!;
    await transaction.insert(type, [{ ...values, publishedAt: new Date().toISOString() }]);
  });
  const made = await papers().create({ title: 'unnumbered', card: { text: 'given' }, cites: [leaf] });
  const shown = await papers().findOne(String(made['documentId']), { populate, ...published });
  expect(shown).toMatchObject({ title: 'numbered 1', card: { text: 'changed' }, cites: [{ title: 'leaf' }] });
});

test('nothing is left of it where another plugin takes the draft away', async () => {
  const { registry } = app();
  const was = await counted();
  doBefore(({ created, operation: { type } }, transaction) => removeRows(type, created!, { transaction, registry }));
  expect(await papers().create({ title: 'gone', card: { text: 'one' } })).toBeUndefined();
  expect(await counted()).toEqual(was);
});
