import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../sql/store/database-app.fixture';
import { API_TOKENS, ROLES } from '../users-permissions';
import { idOf, makePlace, type Place, type Service } from './cached-app.fixture';

// What somebody may not see is not given to them, however lately somebody else was given it.

let place: Place;
let here: Service;
let there: Service;
const find = 'api::author.author.find';
const deep = '/api/articles?populate=author';
/** Servers don't tell what other processes changed: permissions are read again twice a second. */
const othersAreHeard = () => (client === 'sqlite' ? undefined : sleep(1_000));

beforeAll(async () => {
  place = await makePlace();
  here = await place.start();
  there = await place.start();
  const author = idOf(await here.send('post', '/api/authors', { name: 'Ann' }));
  await here.send('post', '/api/articles', { title: 'One', author });
}, 60_000);
afterAll(() => place.remove());

const statusesOf = async (path: string, key: string | null): Promise<number[]> => {
  const statuses: number[] = [];
  for (const service of [here, there, here, there]) statuses.push((await service.ask(path, key)).status);
  return statuses;
};

test('a permission that is revoked: here at once, elsewhere within a second', async () => {
  expect(await statusesOf('/api/authors', null)).toEqual([200, 200, 200, 200]);
  await here.get(ROLES).revoke('public', [find]);
  expect((await here.ask('/api/authors', null)).status).toBe(403);
  await othersAreHeard();
  expect(await statusesOf('/api/authors', null)).toEqual([403, 403, 403, 403]);
  await here.get(ROLES).grant('public', [find]);
  await othersAreHeard();
  expect(await statusesOf('/api/authors', null)).toEqual([200, 200, 200, 200]);
});

test('a token that is revoked', async () => {
  const { key } = await here.get(API_TOKENS).create({ name: 'short', type: 'custom', actions: [find] });
  expect(await statusesOf('/api/authors', key)).toEqual([200, 200, 200, 200]);
  await here.get(API_TOKENS).revoke('short');
  expect((await here.ask('/api/authors', key)).status).toBe(401);
  await othersAreHeard();
  expect(await statusesOf('/api/authors', key)).toEqual([401, 401, 401, 401]);
});

test('what a permission shows of other types ends with it, and those who have more see more', async () => {
  const authors = async (key?: null) => (await here.ask(deep, key)).body.data[0].author;
  expect([await authors(), await authors(null)]).toEqual([
    expect.objectContaining({ name: 'Ann' }),
    expect.objectContaining({ name: 'Ann' }),
  ]);
  await here.get(ROLES).revoke('public', [find]);
  expect([await authors(), await authors(null)]).toEqual([expect.objectContaining({ name: 'Ann' }), undefined]);
  await here.get(ROLES).grant('public', [find]);
  expect(await authors(null)).toMatchObject({ name: 'Ann' });
});
