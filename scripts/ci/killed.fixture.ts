import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { projectFiles } from '../../plugins/draft-publish/linked-project.fixture';
import type { Step, ToldNode } from '../../plugins/draft-publish/told-steps.fixture';
import { createPlayer, type Player } from '../../plugins/draft-publish/version-player.fixture';
import {
  makeVersionsPlace,
  openVersionsApp,
  type VersionsPlace,
} from '../../plugins/draft-publish/versions-app.fixture';
import { shipped } from '../../plugins/shipped';
import { client } from '../../plugins/sql/store/database-app.fixture';
import { openDatabase, rowsIn } from '../../plugins/sql/sync/databases.fixture';
import { type Running, running } from './running';

// For tests: a service that is killed by the system in the middle of a write, as by a power cut, at whatever statement.

/** Ends its process where CUT says: before that statement of a transaction, before its commit, or behind it. */
const killer = `
const { writeFileSync } = require('node:fs');
const { CUT, COUNT_FILE } = process.env;

module.exports = {
  name: 'killer',
  requires: ['sql'],
  apply({ hooks, service }) {
    hooks.http.authorize.tap('killer', () => true);
    hooks.lifecycle.ready.tap('killer', () => {
      if (!CUT) return;
      const database = service({ name: 'sql.database' });
      const { transaction } = database;
      let count = 0;
      const die = () => process.kill(process.pid, 'SIGKILL');
      const counted = (run) => (statement, values) => {
        count += 1;
        if (String(count) === CUT) die();
        return run(statement, values);
      };
      database.transaction = async (work) => {
        const answer = await transaction.call(database, async (connection) => {
          const { rows, run, post } = connection;
          const done = await work({ rows: counted(rows), run: counted(run), post: counted(post) });
          if (CUT === 'before commit') die();
          if (CUT !== 'count') return done;
          writeFileSync(COUNT_FILE, String(count));
          throw new Error('counted');
        });
        if (CUT === 'behind commit') die();
        return answer;
      };
    });
  },
};
`;

export interface WriteCase {
  readonly name: string;
  request(idOf: Player['idOf']): { readonly method: string; readonly path: string; readonly data?: object };
}

const to = (...names: string[]) => ({ set: names.map((name) => ({ name, locale: undefined })) });
const body = (parts: Partial<ToldNode>): ToldNode => ({ values: {}, links: {}, parts: {}, ...parts });
const write = (type: string, name: string, told: Partial<ToldNode>, draft = false, locale = '-'): Step => ({
  does: 'write',
  type,
  name,
  locale,
  draft,
  body: body({ values: { title: name }, ...told }),
});
const card = (text: string, ...sources: string[]) => ({
  uid: 'part.card',
  ...body({ values: { text }, links: { sources: to(...sources) } }),
});

const prepared: readonly Step[] = [
  write('person', 'x', {}),
  write('topic', 's', {}, false, 'en'),
  write('paper', 'p', {}),
  write('paper', 'q', {}),
  write('paper', 'r', {}, true),
  write('paper', 'p', {
    links: { author: to('x'), next: to('p', 'q', 'r'), cites: to('r', 'q'), pair: to('q'), topics: to('s') },
    parts: { card: [card('c', 'q', 'r')], zone: [card('z', 'p')] },
  }),
  write('paper', 'q', { links: { next: to('p', 'r'), cites: to('p') } }),
  write('note', 'n', { links: { topics: to('s') } }, false, 'en'),
  write(
    'paper',
    'p',
    { values: { title: 'draft' }, links: { cites: to('q') }, parts: { card: [card('d', 'q')] } },
    true,
  ),
];

const paper = (idOf: Player['idOf'], title: string): object => ({
  title,
  author: idOf('person', 'x'),
  next: [idOf('paper', 'p'), idOf('paper', 'q')],
  cites: { connect: [idOf('paper', 'r')], disconnect: [idOf('paper', 'q')] },
  card: { text: title, about: idOf('paper', 'q'), sources: [idOf('paper', 'q'), idOf('paper', 'r')] },
  zone: [
    { __component: 'part.deck', cards: [{ text: '1', about: idOf('paper', 'q') }, { text: '2' }] },
    { __component: 'part.card', text: 'z', sources: [idOf('paper', 'p')] },
  ],
});

const of =
  (method: string, type: string, name: string, rest = '') =>
  (idOf: Player['idOf']) => ({ method, path: `/api/${type}s/${idOf(type, name)}${rest}` });

export const writeCases: readonly WriteCase[] = [
  {
    name: 'an update with relations, components and a zone',
    request: (idOf) => ({ ...of('PUT', 'paper', 'p')(idOf), data: paper(idOf, 'after') }),
  },
  { name: 'publishing', request: of('POST', 'paper', 'p', '/publish') },
  { name: 'a deletion', request: of('DELETE', 'paper', 'p') },
  { name: 'a creation', request: (idOf) => ({ method: 'POST', path: '/api/papers', data: paper(idOf, 'new') }) },
  { name: 'unpublishing', request: of('POST', 'paper', 'p', '/unpublish') },
  { name: 'discarding a draft', request: of('POST', 'paper', 'p', '/discard-draft') },
  {
    name: 'adding a locale',
    request: (idOf) => ({ ...of('PUT', 'note', 'n', '?locale=fr')(idOf), data: { title: 'n' } }),
  },
];

/** The service on a prepared database, to be started and killed over and over. */
export interface Killable {
  /** Sends the write to a service that ends at the cut; answers the status, or undefined where no answer came. */
  send(write: WriteCase, cut?: string): Promise<number | undefined>;
  /** How many statements the write makes. */
  statements(write: WriteCase): Promise<number>;
  /** Every row of every table. */
  rows(): Promise<object>;
  /** What must not be: rows that are there twice, or belong to nothing. */
  faults(): Promise<string[]>;
  remove(): Promise<void>;
}

export async function makeKillable(): Promise<Killable> {
  const place: VersionsPlace = await makeVersionsPlace();
  const app = await openVersionsApp(place);
  const player = createPlayer(app);
  for (const step of prepared) expect([step, await player.play(step)]).toEqual([step, 'done']);
  await app.close();
  const folder: AppFolder = appFolder({
    ...projectFiles(),
    'src/plugins/killer/index.js': killer,
    'config/database.json': { connection: { client, connection: place.connection } },
    'config/plugins.json': {
      killer: { resolve: './src/plugins/killer' },
      // The killer lets everyone in.
      ...('users-permissions' in shipped.plugins && { 'users-permissions': false }),
      i18n: { config: { locales: ['en', 'fr', 'de'] } },
    },
  });
  const countFile = join(folder.appDir, 'count');

  const start = (cut = ''): Promise<Running> =>
    running(folder.appDir, folder.dataDir, 'start', { env: { CUT: cut, COUNT_FILE: countFile } });
  // Adds what its other plugins need.
  await (await start()).stop();

  async function answerOf({ url }: Running, write: WriteCase): Promise<number | Error> {
    const { method, path, data } = write.request(player.idOf);
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const request = fetch(url + path, { method, headers, ...(data && { body: JSON.stringify({ data }) }) });
    return request.then(
      ({ status }) => status,
      (error: Error) => error,
    );
  }

  async function send(write: WriteCase, cut = ''): Promise<number | undefined> {
    const service = await start(cut);
    const answer = await answerOf(service, write);
    if (typeof answer === 'number') {
      await service.stop();
      return answer;
    }
    const { signal, output } = await service.ended();
    if (signal !== 'SIGKILL') throw new Error(`No answer, and no end at ${cut}: ${answer.cause}\n${output}`);
    return undefined;
  }

  return {
    send,
    async statements(write) {
      expect(await send(write, 'count')).toBe(500);
      return Number(readFileSync(countFile, 'utf8'));
    },
    async rows() {
      const name = client === 'sqlite' ? 'filename' : 'database';
      const knex = openDatabase(client, (place.connection as Record<string, string>)[name]!);
      try {
        return await rowsIn(knex, client);
      } finally {
        await knex.destroy();
      }
    },
    async faults() {
      const reopened = await openVersionsApp(place);
      try {
        return (await createPlayer(reopened).stored()).faults;
      } finally {
        await reopened.close();
      }
    },
    async remove() {
      await place.remove();
      folder.remove();
    },
  };
}
