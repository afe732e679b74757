import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreTransaction } from '../../core';
import { client } from '../sql/store/database-app.fixture';
import type { Node } from './stored-state.fixture';
import type { Step, ToldNode } from './told-steps.fixture';
import { createPlayer } from './version-player.fixture';
import { versionsApp } from './versions-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const app = versionsApp();

const body = (parts: Partial<ToldNode>): ToldNode => ({ values: {}, links: {}, parts: {}, ...parts });
const write = (type: string, name: string, told: Partial<ToldNode>, draft = false, locale = '-'): Step => ({
  does: 'write',
  type,
  name,
  locale,
  draft,
  body: body(told),
});
const connect = (name: string) => ({
  connect: [{ target: { name, locale: undefined }, position: { at: 'end' as const } }],
  disconnect: [],
});
const set = (name: string) => ({ set: [{ name, locale: undefined }] });

/** A write's values and its component say the same: two writes that ran into each other would show. */
const marked = (mark: string): Partial<ToldNode> => ({
  values: { title: mark, code: mark },
  parts: { card: [{ uid: 'part.card', ...body({ values: { text: mark } }) }] },
});
const isWhole = ({ values, parts }: Node): boolean =>
  parts['card']!.length === 1 &&
  parts['card']![0]!.values['text'] === values['title'] &&
  values['code'] === values['title'];

async function fifty(player: ReturnType<typeof createPlayer>, one: (at: number) => Step): Promise<void> {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => player.play(one(at))));
  expect([...new Set(answers)]).toEqual(['done']);
  expect((await player.stored()).faults).toEqual([]);
}

test('publishes, connects and updates of one document end as some order of them would', async () => {
  const player = createPlayer(app());
  await player.clear();
  const others = ['q', 'r', 'q2', 'r2', 'q3'];
  for (const name of ['p', ...others]) await player.play(write('paper', name, marked(name), name !== 'p'));
  await player.play(write('person', 'x', { values: { title: 'x' } }));

  const kinds: readonly ((at: number) => Step)[] = [
    () => ({ does: 'publish', type: 'paper', name: 'p', locale: '-' }),
    (at) =>
      write('paper', 'p', { links: { cites: connect(others[at % 5]!), next: connect(others[(at + 1) % 5]!) } }, true),
    (at) => write('paper', 'p', marked(`m${at}`), at % 2 === 0),
    (at) => write('paper', others[at % 5]!, { links: { citedBy: connect('p') } }, at % 2 === 0),
    () => write('person', 'x', { links: { papers: connect('p'), favourites: set('p') } }),
    (at) => ({ does: 'publish', type: 'paper', name: others[at % 5]!, locale: '-' }),
    () => ({ does: 'discardDraft', type: 'paper', name: 'q', locale: '-' }),
  ];
  await fifty(player, (at) => kinds[at % kinds.length]!(at));

  await player.play({ does: 'publish', type: 'paper', name: 'p', locale: '-' });
  const { state } = await player.stored();
  const [draft, published] = [state.get('paper p - draft')!, state.get('paper p - published')!];
  expect(isWhole(draft) && isWhole(published)).toBe(true);
  expect(published.values).toEqual(draft.values);
  expect([...draft.lists['cites']!].sort()).toEqual(others.map((name) => `paper ${name} - draft`).sort());
  const visible = draft.lists['cites']!.map((key) => key.replace('draft', 'published')).filter((key) => state.has(key));
  expect(published.lists['cites']).toEqual(visible);
  expect(draft.lists['author']).toEqual(['person x - published']);
});

test('documents that link each other are published at once, and soon', async () => {
  const player = createPlayer(app());
  await player.clear();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const [at, name] of names.entries())
    await player.play(
      write('paper', name, at === 0 ? marked(name) : { ...marked(name), links: { cites: set(names[at - 1]!) } }),
    );
  await fifty(player, (at) => ({ does: 'publish', type: 'paper', name: names[at % names.length]!, locale: '-' }));
  const { state } = await player.stored();
  const cited = names.slice(1).map((name) => state.get(`paper ${name} - published`)!.lists['cites']);
  expect(cited).toEqual(names.slice(0, -1).map((name) => [`paper ${name} - published`]));
  // A server finds writers that wait for each other in a circle after a second: there would be dozens.
}, 30_000);

test.each([
  ['are new', false],
  ['are drafts that others saved in another order', true],
])(
  'documents that are linked with the same at once come to stand in one order in all of its lists: they %s',
  async (_, areThere) => {
    const player = createPlayer(app());
    await player.clear();
    for (const name of ['p', 'q']) await player.play(write('paper', name, marked(name)));
    await player.play(write('person', 'x', { values: { title: 'x' } }));
    const links = { cites: { set: ['p', 'q'].map((name) => ({ name, locale: undefined })) }, author: set('x') };
    const linked = (at: number, isDraft = false): Step =>
      write('paper', `c${at}`, { ...marked(`c${at}`), links }, isDraft);
    if (areThere) {
      // So that numbers differ between the lists of both versions.
      await player.play(write('paper', 'other', { ...marked('other'), links }));
      for (let at = 49; at >= 0; at -= 1) await player.play(linked(at, true));
      await player.play(linked(100));
    }
    const again = (at: number): Step =>
      areThere && at % 20 === 19
        ? write('paper', at === 19 ? 'other' : 'c100', { links })
        : { does: 'publish', type: 'paper', name: 'p', locale: '-' };
    await fifty(player, (at) => (at % 10 === 9 ? again(at) : linked(at)));
    const { state } = await player.stored();
    for (const name of ['p', 'q']) {
      const drafts = state.get(`paper ${name} - draft`)!.lists['citedBy']!;
      expect(new Set(drafts).size).toBe(areThere ? 52 : 45);
      const published = drafts.map((each) => each.replace('draft', 'published')).filter((each) => state.has(each));
      expect(published.length).toBe(areThere ? 47 : 45);
      expect(state.get(`paper ${name} - published`)!.lists['citedBy']).toEqual(published);
    }
  },
);

// SQLite has one writer at a time.
(client === 'sqlite' ? test.skip : test)('what joins a list leaves there what has joined it just then', async () => {
  const player = createPlayer(app());
  await player.clear();
  for (const name of ['p', 'q']) await player.play(write('paper', name, marked(name), true));
  const next = { set: ['p', 'q'].map((name) => ({ name, locale: undefined })) };
  await player.play(write('paper', 'a', { ...marked('a'), links: { next } }));
  const publish = (name: string) => player.play({ does: 'publish', type: 'paper', name, locale: '-' });
  const { store } = app();
  const { transaction } = store;
  let other: Promise<string> | undefined;
  const beaten = (inside: StoreTransaction): StoreTransaction => ({
    ...inside,
    async tie(type, nested, tyings) {
      if (nested.name === 'next' && !other) {
        other = publish('q');
        await other;
      }
      return inside.tie(type, nested, tyings);
    },
  });
  Object.assign(store, { transaction: (work: typeof beaten) => transaction(async (inside) => work(beaten(inside))) });
  expect(await publish('p')).toBe('done');
  Object.assign(store, { transaction });
  expect(await other).toBe('done');
  const { state } = await player.stored();
  const joined = state.get('paper a - published')!.lists['next']!;
  expect([...joined].sort()).toEqual(['paper p - published', 'paper q - published']);
});

/** Does something when a publication ties its copies, and again before its commit. */
function watchPublication(tied: () => Promise<void>, done: () => Promise<void>): () => void {
  const { store } = app();
  const { transaction } = store;
  const watched = (inside: StoreTransaction): StoreTransaction => ({
    ...inside,
    async tieAll(all) {
      await inside.tieAll(all);
      await tied();
    },
  });
  const watching: typeof transaction = (work) =>
    transaction(async (inside) => {
      const result = await work(watched(inside));
      await done();
      return result;
    });
  Object.assign(store, { transaction: watching });
  return () => void Object.assign(store, { transaction });
}

const linkings: readonly (readonly [string, Partial<ToldNode>])[] = [
  ['by itself', { links: { next: set('t') } }],
  ['by a link that both sides show', { links: { cites: set('t') } }],
  [
    'in a component',
    { parts: { card: [{ uid: 'part.card', ...body({ values: { text: 's' }, links: { about: set('t') } }) }] } },
  ],
];

describe.each(linkings)('a document that links another %s', (_, told) => {
  test.each([
    ['tied its copy', 's'],
    ['is done', 's'],
    ['tied its copy', 't'],
    ['is done', 't'],
  ])('shows it, if both are published for the first time, the other one when the one %s: %s', async (when, first) => {
    const player = createPlayer(app());
    await player.clear();
    await player.play(write('paper', 't', { values: { title: 't' } }, true));
    await player.play(write('paper', 's', { ...told, values: { title: 's' } }, true));
    const publish = (name: string) => player.play({ does: 'publish', type: 'paper', name, locale: '-' });
    let second: Promise<string> | undefined;
    const begin = async (at: string): Promise<void> => {
      if (second || at !== when) return;
      second = publish(first === 's' ? 't' : 's');
      await Promise.race([second, sleep(150)]);
    };
    const unwatch = watchPublication(
      () => begin('tied its copy'),
      () => begin('is done'),
    );
    expect(await publish(first)).toBe('done');
    unwatch();
    expect(await second).toBe('done');
    const { state, faults } = await player.stored();
    expect(faults).toEqual([]);
    const text = JSON.stringify(state.get('paper s - published'));
    expect(text).toContain('paper t - published');
  });
});

test('documents that link each other in circles are published for the first time at once, and soon', async () => {
  const player = createPlayer(app());
  await player.clear();
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  for (const name of names) await player.play(write('paper', name, marked(name), true));
  const after = (at: number): string => names[(at + 1) % names.length]!;
  for (const [at, name] of names.entries())
    await player.play(write('paper', name, { links: { next: set(after(at)), cites: set(after(at)) } }, true));
  await fifty(player, (at) => ({ does: 'publish', type: 'paper', name: names[at % names.length]!, locale: '-' }));
  const { state } = await player.stored();
  for (const [at, name] of names.entries())
    expect(state.get(`paper ${name} - published`)!.lists).toMatchObject({
      next: [`paper ${after(at)} - published`],
      cites: [`paper ${after(at)} - published`],
    });
}, 30_000);

test('writes of several locales of one document end with shared values that are equal', async () => {
  const player = createPlayer(app());
  await player.clear();
  await player.play(write('note', 'n', { values: { title: 'n' } }, false, 'en'));
  await player.play(write('topic', 's', { values: { title: 's' } }, false, 'en'));
  const locales = ['en', 'fr', 'de'];
  for (const locale of ['fr', 'de']) await player.play(write('note', 'n', { values: { title: 'n' } }, false, locale));

  await fifty(player, (at) =>
    at % 4 === 3
      ? write('note', 'n', { links: { topics: connect('s') } }, at % 8 === 3, 'en')
      : write(
          'note',
          'n',
          {
            values: { title: `t${at}`, code: `c${at}` },
            parts: { facts: [{ uid: 'part.mention', ...body({ values: { text: `c${at}` } }) }] },
          },
          at % 2 === 0,
          locales[at % 3]!,
        ),
  );

  const { state } = await player.stored();
  for (const version of ['draft', 'published']) {
    const shared = locales
      .map((locale) => state.get(`note n ${locale} ${version}`)!)
      .map(({ values, parts }) => [values['code'], parts['facts']![0]!.values['text']]);
    if (version === 'published') expect(new Set(shared.map((each) => JSON.stringify(each))).size).toBe(1);
    for (const [code, text] of shared) expect(text).toBe(code);
  }
});

test('one locale is added once', async () => {
  const player = createPlayer(app());
  await player.clear();
  await player.play(write('note', 'n', { values: { title: 'n' } }, false, 'en'));
  await fifty(player, (at) => write('note', 'n', { values: { title: `t${at}` } }, false, at % 2 === 0 ? 'fr' : 'de'));
  const { state } = await player.stored();
  expect([...state.keys()].sort()).toEqual(
    ['de', 'en', 'fr'].flatMap((locale) => [`note n ${locale} draft`, `note n ${locale} published`]),
  );
});
