import { makePlace, type Opened, openApp, type Place } from './database-app.fixture';
import { walksIn } from './walks.fixture';

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

const { walk, whole } = walksIn(() => app);

test.each(['code,friends.n', 'code:desc,friends.n:desc', 'friends.n,code', 'code,id:desc,friends.n'])(
  'every page by %s is there, also behind a cursor',
  async (sort) => {
    for (const filters of [undefined, { n: { $gt: 0 } }]) {
      const query = { sort, ...(filters && { filters }) };
      const ids = await whole(query);
      expect(ids).toHaveLength(filters ? 8 : 12);
      for (const limit of [1, 5]) expect([limit, await walk(query, limit)]).toEqual([limit, ids]);
      const window = () => ({ start: 3, limit: 4, total: false });
      expect(await whole({ ...query, window })).toEqual(ids.slice(3, 7));
    }
  },
);
