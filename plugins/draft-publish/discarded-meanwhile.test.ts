import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreTransaction } from '../../core';
import { client } from '../sql/store/database-app.fixture';
import type { Step, ToldNode } from './told-steps.fixture';
import { body, connect, set, write } from './told-writes.fixture';
import { createPlayer } from './version-player.fixture';
import { versionsApp } from './versions-app.fixture';

// What others do to what is linked while a draft is discarded. DATABASE_CLIENT=postgres or mysql runs these tests on a server at
// 127.0.0.1.

jest.setTimeout(120_000);

const app = versionsApp();

/** Has somebody begin before one of the looks of another's transaction, or before its commit, and waits for him a while. */
async function beforeLook(when: number, first: () => Promise<string>, second: () => Promise<string>) {
  const { store } = app();
  const { transaction } = store;
  let looks = 0;
  let other: Promise<string> | undefined;
  async function begin(): Promise<void> {
    other ??= second();
    await Promise.race([other, sleep(150)]);
  }
  async function look(): Promise<void> {
    looks += 1;
    if (!other && looks >= when) await begin();
  }
  const watched = (inside: StoreTransaction): StoreTransaction => ({
    ...inside,
    rows: (...all) => look().then(() => inside.rows(...all)),
    tiesOf: (...all) => look().then(() => inside.tiesOf(...all)),
    ties: (...all) => look().then(() => inside.ties(...all)),
    delete: (...all) => look().then(() => inside.delete(...all)),
  });
  const watching: typeof transaction = (work) =>
    looks > 0
      ? transaction(work)
      : transaction(async (inside) => {
          const result = await work(watched(inside));
          await begin();
          return result;
        });
  Object.assign(store, { transaction: watching });
  try {
    const outcome = await first();
    return [outcome, await other];
  } finally {
    Object.assign(store, { transaction });
  }
}

const onServers = client === 'sqlite' ? describe.skip : describe;

const card = (links: ToldNode['links']) => [{ uid: 'part.card', ...body({ values: { text: 'c' }, links }) }];
const linkings: readonly (readonly [string, Partial<ToldNode>, string])[] = [
  ['by itself', { links: { next: set('t') } }, 'next'],
  ['by a link that both sides show', { links: { cites: set('t') } }, 'cites'],
  ['in a component', { parts: { card: card({ about: set('t') }) } }, 'about'],
];
// The last has them begin before the commit.
const looks = [1, 2, 3, 4, 6, 8, 10, 14, 18, 99];

onServers.each(linkings)('a draft that links another document %s', (_, told, name) => {
  const change = (does: 'discardDraft' | 'unpublish', which: string): Step => ({
    does,
    type: 'paper',
    name: which,
    locale: '-',
  });

  test.each(
    looks.flatMap((when) => [
      ['it is discarded', 'the other is unpublished', when, 's', 't'] as const,
      ['the other is discarded', 'it is unpublished', when, 't', 's'] as const,
    ]),
  )('links it after %s while %s: look %i', async (_discarded, _unpublished, when, discarded, unpublished) => {
    const player = createPlayer(app());
    await player.clear();
    await player.play(write('paper', 't', { values: { title: 't' } }));
    await player.play(write('paper', 's', { ...told, values: { title: 's' } }));
    const outcomes = await beforeLook(
      when,
      () => player.play(change('discardDraft', discarded)),
      () => player.play(change('unpublish', unpublished)),
    );
    expect(outcomes).toEqual(['done', 'done']);
    const { state, faults } = await player.stored();
    expect(faults).toEqual([]);
    expect(state.has(`paper ${unpublished} - published`)).toBe(false);
    const { lists, parts } = state.get('paper s - draft')!;
    const shown = name === 'about' ? parts['card']![0]!.lists['about'] : lists[name];
    expect(shown).toEqual(['paper t - draft']);
  });
});

// Both have the same link to add.
(client === 'sqlite' ? test.skip : test).each(looks)(
  'drafts of both sides of a link are discarded at once: look %i',
  async (when) => {
    const player = createPlayer(app());
    await player.clear();
    await player.play(write('paper', 't', { values: { title: 't' } }));
    await player.play(write('paper', 's', { values: { title: 's' }, links: { cites: connect('t') } }));
    await player.play(write('paper', 's', { links: { cites: { set: [] } } }, true));
    const discard = (name: string) => player.play({ does: 'discardDraft', type: 'paper', name, locale: '-' });
    const outcomes = await beforeLook(
      when,
      () => discard('s'),
      () => discard('t'),
    );
    expect(outcomes).toEqual(['done', 'done']);
    const { state, faults } = await player.stored();
    expect(faults).toEqual([]);
    expect(state.get('paper s - draft')!.lists['cites']).toEqual(['paper t - draft']);
  },
);
