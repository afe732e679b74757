import { client, watchStatements } from '../sql/store/database-app.fixture';
import { rowsIn } from '../sql/sync/databases.fixture';
import type { Step, ToldNode } from './told-steps.fixture';
import { createPlayer } from './version-player.fixture';
import { versionsApp } from './versions-app.fixture';

// DATABASE_CLIENT=postgres or mysql runs these tests on a server at 127.0.0.1.

jest.setTimeout(120_000);

const app = versionsApp();

const to = (...names: string[]) => ({ set: names.map((name) => ({ name, locale: undefined })) });
const body = (parts: Partial<ToldNode>): ToldNode => ({ values: {}, links: {}, parts: {}, ...parts });
const card = (text: string, ...sources: string[]) => ({
  uid: 'part.card',
  ...body({ values: { text }, links: { sources: to(...sources), about: to('q') } }),
});
const full = (title: string): ToldNode =>
  body({
    values: { title },
    links: { author: to('x'), next: to('p', 'q', 'r'), cites: to('r', 'q'), pair: to('q'), topics: to('s', 't') },
    parts: {
      card: [card(title, 'q', 'r')],
      zone: [card('z', 'p'), { uid: 'part.deck', ...body({ parts: { cards: [card('1', 'q'), card('2', 'r')] } }) }],
    },
  });

const write = (type: string, name: string, told: ToldNode, draft = false, locale = '-'): Step => ({
  does: 'write',
  type,
  name,
  locale,
  draft,
  body: told,
});
const titled = (type: string, name: string, draft = false, locale = '-'): Step =>
  write(type, name, body({ values: { title: name } }), draft, locale);

const prepared: readonly Step[] = [
  titled('person', 'x'),
  titled('person', 'y'),
  titled('topic', 's', false, 'en'),
  titled('topic', 't', true, 'en'),
  titled('paper', 'p'),
  titled('paper', 'q'),
  titled('paper', 'r', true),
  write('paper', 'p', full('before')),
  write('paper', 'q', body({ links: { next: to('p', 'r'), cites: to('p') }, parts: { card: [card('q', 'p')] } })),
  titled('note', 'n', false, 'en'),
  write(
    'note',
    'n',
    body({
      values: { title: 'n', code: 'x' },
      links: { topics: to('s') },
      parts: { facts: [{ uid: 'part.mention', ...body({ values: { text: 'f' }, links: { topic: to('s') } }) }] },
    }),
    false,
    'en',
  ),
  write('paper', 'p', full('draft'), true),
];

const cases: readonly (readonly [string, Step])[] = [
  ['publishing', { does: 'publish', type: 'paper', name: 'p', locale: '-' }],
  [
    'publishing for the first time, what others link already',
    { does: 'publish', type: 'paper', name: 'r', locale: '-' },
  ],
  ['unpublishing', { does: 'unpublish', type: 'paper', name: 'p', locale: '-' }],
  ['discarding a draft', { does: 'discardDraft', type: 'paper', name: 'p', locale: '-' }],
  ['an update with relations and components', write('paper', 'p', full('after'))],
  ['a deletion', { does: 'delete', type: 'paper', name: 'p', locale: '-' }],
  ['adding a locale', titled('note', 'n', false, 'fr')],
];

test.each(cases)(
  '%s that is cut off at any statement leaves everything as it was, and can be done again',
  async (_name, step) => {
    const player = createPlayer(app());
    await player.clear();
    for (const each of prepared) expect([each, await player.play(each)]).toEqual([each, 'done']);
    const everything = (): Promise<object> => rowsIn(app().database.knex(), client);
    const before = await everything();
    for (let cut = 1; ; cut++) {
      let statements = 0;
      const unwatch = watchStatements(app().database, () => {
        statements += 1;
        if (statements === cut) throw new Error('cut off');
      });
      const answer = await player.play(step).catch((error: Error) => error.message);
      unwatch();
      if (statements < cut) {
        expect(answer).toBe('done');
        expect(cut).toBeGreaterThan(5);
        break;
      }
      expect(answer).toMatch('cut off');
      expect(await everything()).toEqual(before);
    }
    expect((await player.stored()).faults).toEqual([]);
    expect(await everything()).not.toEqual(before);
  },
  60_000,
);
