import { setTimeout as sleep } from 'node:timers/promises';
import { documentKey, type StoreTransaction } from '../../core';
import type { Connection } from '../sql/database/database';
import { client } from '../sql/store/database-app.fixture';
import { locksOn } from '../sql/store/locks/locks';
import type { Node } from './stored-state.fixture';
import type { Step, ToldNode } from './told-steps.fixture';
import { body, marked, set, write } from './told-writes.fixture';
import { createPlayer, type Player } from './version-player.fixture';
import { versionsApp } from './versions-app.fixture';

// What others do in the middle of a publication. DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const app = versionsApp();

/** What a writer of the document locks. */
function lockOf(player: Player, { type, name }: Step): string {
  const { database, registry } = app();
  const key = documentKey(registry.get(`api::${type}.${type}`), player.idOf(type, name));
  const taken: unknown[] = [];
  locksOn(database).lock({ post: (_, bound) => void taken.push(bound) } as Connection, [key]);
  return JSON.stringify(taken);
}

/**
 * On a server, has nothing there but the documents that steps make, of which each has a lock of its own. On MariaDB one in some
 * thousand has that of another: who holds the one's and waits until the other is written would wait for himself.
 */
async function playApart(player: Player, steps: readonly Step[]): Promise<void> {
  const locks = new Set<string>();
  do {
    await player.clear();
    locks.clear();
    for (const step of steps) {
      expect(await player.play(step)).toBe('done');
      locks.add(lockOf(player, step));
    }
  } while (locks.size < steps.length);
}

// SQLite has one writer at a time.
(client === 'sqlite' ? test.skip : test)('what joins a list leaves there what has joined it just then', async () => {
  const player = createPlayer(app());
  await playApart(
    player,
    ['p', 'q'].map((name) => write('paper', name, marked(name), true)),
  );
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
  try {
    expect(await publish('p')).toBe('done');
  } finally {
    Object.assign(store, { transaction });
  }
  expect(await other).toBe('done');
  const { state } = await player.stored();
  const joined = state.get('paper a - published')!.lists['next']!;
  expect([...joined].sort()).toEqual(['paper p - published', 'paper q - published']);
});

// The number is that of the look at links before which the component is replaced.
(client === 'sqlite' ? test.skip : test).each(
  [1, 2, 3, 4, 5, 6, 7, 8].flatMap((when) => [['for the first time', when] as const, ['again', when] as const]),
)(
  'a document that is published %s joins components that are replaced meanwhile, in its place: before look %i',
  async (time, when) => {
    const player = createPlayer(app());
    const isFirst = time === 'for the first time';
    const linked = ['a', 't', 'b'].map((name) => write('paper', name, marked(name), isFirst && name === 't'));
    const sources = { set: ['a', 't', 'b'].map((name) => ({ name, locale: undefined })) };
    const card = [{ uid: 'part.card', ...body({ values: { text: 's' }, links: { sources } }) }];
    await playApart(player, [...linked, write('paper', 's', { values: { title: 's' }, parts: { card } })]);
    const { store } = app();
    const { transaction } = store;
    let looks = 0;
    let isReplaced = false;
    const beaten = (inside: StoreTransaction): StoreTransaction => {
      const look = async (): Promise<void> => {
        if (isReplaced || ++looks < when) return;
        isReplaced = true;
        expect(await player.play(write('paper', 's', { parts: { card } }, true))).toBe('done');
      };
      return {
        ...inside,
        tiesOf: (...all) => look().then(() => inside.tiesOf(...all)),
        ties: (...all) => look().then(() => inside.ties(...all)),
      };
    };
    const beating: typeof transaction = (work) =>
      looks > 0 ? transaction(work) : transaction(async (inside) => work(beaten(inside)));
    Object.assign(store, { transaction: beating });
    try {
      expect(await player.play({ does: 'publish', type: 'paper', name: 't', locale: '-' })).toBe('done');
    } finally {
      Object.assign(store, { transaction });
    }
    expect(isReplaced).toBe(true);
    const { state, faults } = await player.stored();
    expect(faults).toEqual([]);
    const shown = ['a', 't', 'b'].map((name) => `paper ${name} - published`);
    expect(state.get('paper s - published')!.parts['card']![0]!.lists['sources']).toEqual(shown);
  },
);

// Whoever saves what has one version waits for who publishes what it links.
(client === 'sqlite' ? test.skip : test).each<[string, Partial<ToldNode>, (node: Node) => unknown]>([
  ['by itself', { links: { favourites: set('t') } }, ({ lists }) => lists['favourites']],
  [
    'in a component',
    { parts: { cards: [{ uid: 'part.card', ...body({ links: { sources: set('t') } }) }] } },
    ({ parts }) => parts['cards']![0]!.lists['sources'],
  ],
])('a document shows what is published again while it comes to link it %s', async (_, told, linkedIn) => {
  const player = createPlayer(app());
  await player.clear();
  await player.play(write('paper', 't', { values: { title: 't' } }));
  await player.play(write('person', 'x', { values: { title: 'x' } }));
  const { store } = app();
  const { transaction } = store;
  let other: Promise<string> | undefined;
  const beaten = (inside: StoreTransaction): StoreTransaction => ({
    ...inside,
    async delete(type, ...which) {
      if (!other && type.uid === 'api::paper.paper') {
        other = player.play(write('person', 'x', told));
        await Promise.race([other, sleep(150)]);
      }
      return inside.delete(type, ...which);
    },
  });
  const beating: typeof transaction = (work) =>
    other ? transaction(work) : transaction(async (inside) => work(beaten(inside)));
  Object.assign(store, { transaction: beating });
  try {
    expect(await player.play({ does: 'publish', type: 'paper', name: 't', locale: '-' })).toBe('done');
  } finally {
    Object.assign(store, { transaction });
  }
  expect(await other).toBe('done');
  const { state, faults } = await player.stored();
  expect(faults).toEqual([]);
  const people = [...state].filter(([name]) => name.startsWith('person x'));
  expect(people.map(([, node]) => linkedIn(node))).toEqual([['paper t - draft', 'paper t - published']]);
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
    try {
      expect(await publish(first)).toBe('done');
    } finally {
      unwatch();
    }
    expect(await second).toBe('done');
    const { state, faults } = await player.stored();
    expect(faults).toEqual([]);
    const text = JSON.stringify(state.get('paper s - published'));
    expect(text).toContain('paper t - published');
  });
});
