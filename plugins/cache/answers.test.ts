import { DOCUMENTS } from '../../core';
import { DATABASE } from '../sql';
import { client, openForeign } from '../sql/store/database-app.fixture';
import { ROLES } from '../users-permissions';
import { hits, idOf, makePlace, type Place, type Service } from './cached-app.fixture';

let place: Place;
let here: Service;
let there: Service;
let author: string;
let article: string;

beforeAll(async () => {
  place = await makePlace();
  here = await place.start();
  there = await place.start();
  author = idOf(await here.send('post', '/api/authors', { name: 'Ann' }));
  article = idOf(await here.send('post', '/api/articles', { title: 'One', author, seo: { metaTitle: 'first' } }));
}, 60_000);
afterAll(() => place.remove());

const deep = '/api/articles?populate[author][populate]=*&populate[seo]=true&populate[cover]=true';
const titleIn = async (service: Service): Promise<string> => (await service.ask(deep)).body.data[0].title;

test('an answer is given again, byte for byte, with its tag', async () => {
  for (const path of ['/api/articles', `/api/articles/${article}`, deep, '/api/articles?pagination[start]=0']) {
    const first = await here.ask(path);
    let again = first;
    const count = await hits(here, async () => {
      again = await here.ask(path);
    });
    expect([count, again.status, again.text, again.headers['etag']]).toEqual([
      1,
      200,
      first.text,
      first.headers['etag'],
    ]);
  }
});

test('so it is over GraphQL', async () => {
  const query = '{ articles { title author { name } } articles_connection { pageInfo { total } } }';
  const { text } = await here.graphql(query);
  expect(await hits(here, async () => expect((await here.graphql(query)).text).toBe(text))).toBe(2);
});

test('it is another one for other values, versions and pages', async () => {
  await here.ask('/api/articles?filters[title]=One');
  for (const path of [
    '/api/articles?filters[title]=Two',
    '/api/articles?filters[title]=One&status=draft',
    '/api/articles?filters[title]=One&pagination[pageSize]=2',
  ])
    expect(await hits(here, () => here.ask(path))).toBe(0);
});

test('the same answer has the envelope that each request asks for', async () => {
  const [page, part] = ['pagination[page]=1&pagination[pageSize]=5', 'pagination[start]=0&pagination[limit]=5'];
  for (const [form, meta] of [
    [page, { page: 1, pageSize: 5, pageCount: 1, total: 1 }],
    [part, { start: 0, limit: 5, total: 1 }],
    [page, { page: 1, pageSize: 5, pageCount: 1, total: 1 }],
  ] as const)
    expect((await here.ask(`/api/articles?${form}`)).body.meta.pagination).toEqual(meta);
});

test('a write drops the answers that show what it changed, and no others', async () => {
  const paths = { articles: '/api/articles', authors: '/api/authors?fields=name', deep };
  const keptAfter = async (work: () => Promise<unknown>): Promise<string[]> => {
    for (const path of Object.values(paths)) await here.ask(path);
    await work();
    const kept: string[] = [];
    for (const [name, path] of Object.entries(paths)) if ((await hits(here, () => here.ask(path))) > 0) kept.push(name);
    return kept;
  };
  expect(await keptAfter(() => here.send('post', '/api/tags', { label: 'a tag' }))).toEqual([
    'articles',
    'authors',
    'deep',
  ]);
  expect(await keptAfter(() => here.send('put', `/api/articles/${article}`, { rating: 3 }))).toEqual(['authors']);
  expect(await keptAfter(() => here.send('put', `/api/authors/${author}`, { name: 'Bea' }))).toEqual(['articles']);
  expect((await here.ask(deep)).body.data[0].author.name).toBe('Bea');
});

test('a deletion drops what goes with it', async () => {
  const other = idOf(await here.send('post', '/api/authors', { name: 'Cid', mentor: author }));
  const pupils = '/api/authors?filters[mentor][name]=Bea&populate[pupils][count]=true';
  expect((await here.ask(pupils)).body.data).toHaveLength(1);
  await here.send('delete', `/api/authors/${author}`);
  expect((await here.ask(pupils)).body.data).toHaveLength(0);
  expect((await here.ask(deep)).body.data[0].author).toBeNull();
  author = other;
  await here.send('put', `/api/articles/${article}`, { author });
});

test('an answer is as another application left things', async () => {
  for (const [writer, reader, title] of [
    [there, here, 'Told by another'],
    [here, there, 'Told back'],
  ] as const) {
    await reader.ask(deep);
    await writer.send('put', `/api/articles/${article}`, { title });
    expect(await titleIn(reader)).toBe(title);
  }
});

// A file tells that others wrote, and not what.
(client === 'sqlite' ? test.skip : test)('what another application wrote drops no other answers', async () => {
  await here.ask(deep);
  await there.send('post', '/api/tags', { label: 'another tag' });
  expect(await hits(here, () => here.ask(deep))).toBe(1);
});

test('an answer is as the query builder left things, alone and in a transaction, here and elsewhere', async () => {
  for (const service of [here, there]) {
    const knex = service.get(DATABASE).knex();
    await here.ask(deep);
    await knex('articles').update({ title: 'Built' });
    expect(await titleIn(here)).toBe('Built');
    await knex.transaction(async (on) => {
      await on('articles').update({ title: 'In a transaction' });
      expect(await titleIn(here)).toBe('Built');
    });
    expect(await titleIn(here)).toBe('In a transaction');
  }
});

// Others let a definition be undone.
(client === 'mysql' ? test : test.skip)('a definition in a transaction keeps what came before it', async () => {
  for (const service of [here, there]) {
    await here.ask(deep);
    const undone = service
      .get(DATABASE)
      .knex()
      .transaction(async (on) => {
        await on('articles').update({ title: 'Before' });
        await on.raw('create table beside (id int)');
        expect(await titleIn(here)).toBe('Before');
        await on('articles').update({ title: 'Behind' });
        expect(await titleIn(here)).toBe('Behind');
        throw new Error('undone');
      });
    await expect(undone).rejects.toThrow('undone');
    expect(await titleIn(here)).toBe('Behind');
    await service.get(DATABASE).knex().raw('drop table beside');
  }
});

(client === 'sqlite' ? test : test.skip)('what any other program wrote into the file shows at once', async () => {
  const foreign = openForeign({ name: place.name } as never);
  for (const name of ['Eve', 'Flo']) {
    await here.ask(`/api/authors/${author}`);
    await foreign('authors').update({ name });
    expect((await here.ask(`/api/authors/${author}`)).body.data.name).toBe(name);
  }
  await foreign.destroy();
});

test('roles that answers show are as their own service left them', async () => {
  const roles = async () =>
    (await here.get(DOCUMENTS).of('plugin::users-permissions.role').find()).map(({ name }) => name);
  await roles();
  expect(await hits(here, roles)).toBe(1);
  const { id } = await here.get(ROLES).create({ name: 'Editor' });
  expect(await roles()).toContain('Editor');
  await here.get(ROLES).update(id, { name: 'Reader' });
  expect(await roles()).toContain('Reader');
});

test('taps of results run for every request', async () => {
  let runs = 0;
  here.app.kernel.hooks.document.result.tapPromise('cache:test', async (documents) => {
    runs += 1;
    return documents.map((document) => ({ ...document, run: runs }));
  });
  const answers = [await here.ask('/api/authors'), await here.ask('/api/authors')];
  expect(answers.map(({ body }) => body.data[0].run)).toEqual([1, 2]);
});
