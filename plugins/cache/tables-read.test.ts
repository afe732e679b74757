import { AsyncLocalStorage } from 'node:async_hooks';
import { DATABASE } from '../sql';
import { client } from '../sql/store/database-app.fixture';
import { idOf, makePlace, type Place, type Service } from './cached-app.fixture';

// SQLite tells which tables a statement opens: those are what an answer must be said to be read from.

const onFile = client === 'sqlite' ? test : test.skip;
let place: Place;
let here: Service;

beforeAll(async () => {
  place = await makePlace();
  here = await place.start();
  const author = idOf(await here.send('post', '/api/authors', { name: 'Ann' }));
  await here.send('post', '/api/articles', { title: 'One', author });
  await here.send('put', '/api/homepage', { headline: 'Home' });
}, 60_000);
afterAll(() => place.remove());

const articles = [
  '',
  '?populate=*',
  '?populate[author][populate]=*&populate[categories][populate]=articles&populate[related]=true',
  '?populate[zone][on][blocks.hero][populate]=*&populate[sections][populate]=*&populate[seo][populate]=social',
  '?populate[zone][populate]=*',
  '?populate[categories][count]=true&populate[tags][count]=true&populate[gallery]=true',
  '?filters[author][name]=Ann&filters[categories][name][$null]=true',
  '?filters[$or][0][cover][ext]=.png&filters[$or][1][seo][social][handle]=a&filters[$or][2][tags][label]=x',
  '?filters[author][$null]=true&filters[$not][related][title]=x',
  '?sort=author.name&sort=cover.name',
  '?sort[0]=author.mentor.name:desc&filters[author][pupils][name]=x',
  '?populate[categories][filters][articles][title]=One&populate[categories][sort]=name',
  '?_q=one&status=draft',
  '?hasPublishedVersion=true&status=draft&populate[related][populate]=author',
  '?publicationFilter=modified&status=draft',
  '?fields=title&pagination[withCount]=false',
  '?sort=title&pagination[cursor]=&filters[categories][name]=x',
];
const others = [
  '/api/authors?populate=*',
  '/api/authors?populate[articles][populate]=*&populate[pupils][populate]=*&populate[profile]=true',
  '/api/categories?populate=*&locale=fr',
  '/api/categories?populate[localizations]=true&filters[localizations][name]=x&locale=*',
  '/api/homepage?populate[zone][populate]=*&populate[featured][populate]=*',
  '/api/upload/files?populate=*',
  '/api/users?populate=*',
];
const graphql = [
  '{ articles { title author { name articles { title rating } } categories(filters: { name: { eq: "x" } }, sort: "name", pagination: { limit: 2 }) { name } } }',
  '{ articles_connection { aggregate { count avg { rating } groupBy { author { key connection { nodes { title } } } kind { key } } } pageInfo { total } } }',
  '{ homepage { zone { ... on ComponentBlocksHero { title author { name } articles { title cover { url } } } } } }',
  '{ uploadFiles { name related { ... on Article { title } } } }',
];

onFile('what an answer is read from is all that its statements open, and nothing else', async () => {
  const database = here.get(DATABASE);
  const schema = await database.rows({ sql: `select rootpage, tbl_name from sqlite_master where rootpage>0` }, []);
  // What is kept of rows changes with them, and so counts as their table.
  const rowsOf = (name: string): string => name.replace(/^h_(.*)_rendered$/, '$1');
  const tableAt = new Map(schema.map(([page, name]) => [Number(page), rowsOf(String(name))]));
  const { rows } = database;
  const statements = new AsyncLocalStorage<string[]>();
  database.rows = (statement, values) => {
    statements.getStore()?.push(statement.sql);
    return rows.call(database, statement, values);
  };
  const opened = async (sql: string): Promise<string[]> => {
    const values = Array<number>(sql.replace(/'(?:[^']|'')*'/g, '').split('?').length - 1).fill(1);
    const steps = await rows({ sql: `explain ${sql}` }, values);
    return steps.filter(([, code]) => code === 'OpenRead').flatMap(([, , , page]) => tableAt.get(Number(page)) ?? []);
  };
  const told: { reads: readonly string[]; statements: string[] }[] = [];
  here.app.kernel.hooks.document.execute.tapPromise({ name: 'cache:test', stage: -1 }, async ({ reads, run: read }) => {
    const run: string[] = [];
    told.push({ reads: reads!()!, statements: run });
    return statements.run(run, async () => read());
  });
  for (const path of [...articles.map((query) => `/api/articles${query}`), ...others]) {
    const { status, text } = await here.ask(path);
    expect([path, status, text.includes('"error"')]).toEqual([path, 200, false]);
  }
  for (const query of graphql) expect((await here.graphql(query)).body).not.toHaveProperty('errors');
  database.rows = rows;

  expect(told.length).toBeGreaterThan(25);
  for (const { reads, statements: run } of told) {
    const names = new Set((await Promise.all(run.map(opened))).flat());
    expect([run[0], [...names].sort()]).toEqual([run[0], [...reads].sort()]);
  }
});
