import type { Window } from '../../../core';
import { makePlace, type Opened, openApp, type Place } from './database-app.fixture';

// Lists in an order that leads through a relation, where what is linked is of one locale only, because nobody serves locales.

let place: Place;
let app: Opened;

beforeAll(async () => {
  const localized = { pluginOptions: { i18n: { localized: true } } };
  const friends = { type: 'relation', relation: 'manyToMany', target: 'api::thing.thing' };
  place = await makePlace({ code: { type: 'string', unique: true }, n: { type: 'integer' }, friends }, localized);
  app = await openApp(place);
  const made: string[] = [];
  for (let at = 0; at < 12; at++) {
    const code = at % 4 === 0 ? null : `code-${(at * 5) % 12}`;
    const thing = await app.things.create({ code, n: at % 3, friends: made.slice(at % 5, (at % 5) + 1) });
    made.push(String(thing['documentId']));
  }
});
afterAll(async () => {
  await app.close();
  await place.remove();
});

async function page(query: object, window: Window) {
  const operation = { action: 'find', type: app.type, rights: 'system', query: { ...query, window: () => window } };
  const { json, next } = await app.documents.read(operation);
  return { ids: (JSON.parse(json.toString()) as { id: number }[]).map(({ id }) => id), next };
}

const filters = [undefined, { n: { $gt: 0 } }];

test.each(['code,friends.n', 'code:desc,friends.n:desc', 'friends.n,code', 'code,id:desc,friends.n'])(
  'every page by %s is there, also behind a cursor',
  async (sort) => {
    for (const filter of filters) {
      const query = { sort, ...(filter && { filters: filter }) };
      const { ids } = await page(query, { start: 0, limit: 50, total: false });
      expect(ids).toHaveLength(filter ? 8 : 12);
      for (const limit of [1, 5]) {
        const walked: number[] = [];
        for (let cursor: string | undefined = ''; cursor !== undefined; ) {
          const found = await page(query, { start: 0, limit, total: false, cursor });
          walked.push(...found.ids);
          cursor = found.next;
        }
        expect([limit, walked]).toEqual([limit, ids]);
      }
      const part = await page(query, { start: 3, limit: 4, total: false });
      expect(part.ids).toEqual(ids.slice(3, 7));
    }
  },
);
