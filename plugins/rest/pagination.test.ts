import { restApp, schema, schemaFile } from './rest-app.fixture';
import { things, thingsApp } from './things-app.fixture';

const app = thingsApp();

const invalidCursor =
  'Invalid cursor. It must be the nextCursor of an answer to the same list: what filters, sorts and chooses its documents has to stay the same';
const namesIn = ({ data }: { data: { name: string }[] }): string[] => data.map(({ name }) => name);

describe('pagination', () => {
  beforeEach(async () => {
    for (let n = 0; n < 7; n++) await app.add(things, { name: `n${n}`, stock: n });
  });
  const get = async (query: string) => {
    const { status, body } = await app.agent.get(`${things}?${query}`);
    return status === 200 ? [body.data.map(({ stock }: { stock: number }) => stock), body.meta.pagination] : body.error;
  };

  test.each([
    ['pagination[page]=2&pagination[pageSize]=3', [3, 4, 5], { page: 2, pageSize: 3, pageCount: 3, total: 7 }],
    ['pagination[page]=9', [], { page: 9, pageSize: 25, pageCount: 1, total: 7 }],
    ['pagination[page]=0', [0, 1, 2, 3, 4, 5, 6], { page: 1, pageSize: 25, pageCount: 1, total: 7 }],
    ['pagination[page]=-1&pagination[pageSize]=0', [0], { page: 1, pageSize: 1, pageCount: 7, total: 7 }],
    ['pagination[pageSize]=-5', [0], { page: 1, pageSize: 1, pageCount: 7, total: 7 }],
    ['pagination[pageSize]', [0, 1, 2, 3, 4, 5, 6], { page: 1, pageSize: 25, pageCount: 1, total: 7 }],
    ['pagination[limit]', [0, 1, 2, 3, 4, 5, 6], { start: 0, limit: 25, total: 7 }],
    ['pagination[start]=5', [5, 6], { start: 5, limit: 25, total: 7 }],
    ['pagination[start]=2&pagination[limit]=2', [2, 3], { start: 2, limit: 2, total: 7 }],
    ['pagination[limit]=2', [0, 1], { start: 0, limit: 2, total: 7 }],
    ['pagination[start]=-3&pagination[limit]=-1', [0], { start: 0, limit: 1, total: 7 }],
    ['pagination[start]=9007199254740991', [], { start: 9007199254740991, limit: 25, total: 7 }],
    ['pagination[page]=1e1&pagination[pageSize]=0x2', [], { page: 10, pageSize: 2, pageCount: 4, total: 7 }],
    ['pagination[withCount]=false&pagination[pageSize]=1', [0], { page: 1, pageSize: 1 }],
    ['pagination[withCount]=f&pagination[limit]=1', [0], { start: 0, limit: 1 }],
    ['pagination[withCount]=t&pagination[limit]=1', [0], { start: 0, limit: 1, total: 7 }],
    ['pagination=x', [0, 1, 2, 3, 4, 5, 6], { page: 1, pageSize: 25, pageCount: 1, total: 7 }],
    ['pagination[foo]=1', [0, 1, 2, 3, 4, 5, 6], { page: 1, pageSize: 25, pageCount: 1, total: 7 }],
    ['filters[stock]=99', [], { page: 1, pageSize: 25, pageCount: 0, total: 0 }],
  ])('%s', async (query, stocks, pagination) => expect(await get(query)).toEqual([stocks, pagination]));

  test.each([
    [
      'pagination[page]=1&pagination[start]=1',
      'PaginationError',
      'Cannot use both page & offset pagination in the same query',
    ],
    [
      'pagination[page]=&pagination[limit]=',
      'PaginationError',
      'Cannot use both page & offset pagination in the same query',
    ],
    [
      'page=1',
      'PaginationError',
      'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
    ],
    [
      'pageSize=',
      'PaginationError',
      'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
    ],
    ['pagination[page]=x', 'ValidationError', 'convertStartQueryParams expected a positive integer got NaN'],
    ['pagination[page]=1.5', 'ValidationError', 'convertStartQueryParams expected a positive integer got 12.5'],
    [
      'pagination[page]=Infinity',
      'ValidationError',
      'convertStartQueryParams expected a positive integer got Infinity',
    ],
    ['pagination[start]=1.5', 'ValidationError', 'convertStartQueryParams expected a positive integer got 1.5'],
    ['pagination[limit]=1.5', 'ValidationError', 'convertLimitQueryParams expected a positive integer got 1.5'],
    [
      'pagination[withCount]=x',
      'ValidationError',
      'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
    ],
    [
      'pagination[withCount]=',
      'ValidationError',
      'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
    ],
  ])('%s is refused', async (query, name, message) =>
    expect(await get(query)).toEqual({ status: 400, name, message, details: {} }),
  );

  test('a cursor leads from page to page, whatever is added and removed on the way', async () => {
    const list = async (query: string) => (await app.agent.get(`${things}?sort=name:desc&${query}`)).body;
    const first = await list('pagination[cursor]=&pagination[pageSize]=3');
    expect([namesIn(first), first.meta.pagination]).toEqual([
      ['n6', 'n5', 'n4'],
      { pageSize: 3, nextCursor: expect.stringMatching(/^[\w-]+$/) },
    ]);
    await app.add(things, { name: 'n7', stock: 7 });
    await app.agent.delete(`${things}/${first.data[2].documentId}`);
    const cursor = first.meta.pagination.nextCursor;
    const second = await list(`pagination[cursor]=${cursor}&pagination[pageSize]=3&pagination[withCount]=true`);
    expect([namesIn(second), second.meta.pagination]).toEqual([
      ['n3', 'n2', 'n1'],
      { pageSize: 3, nextCursor: expect.any(String), total: 7 },
    ]);
    const third = await list(`pagination[cursor]=${second.meta.pagination.nextCursor}`);
    expect([namesIn(third), third.meta.pagination]).toEqual([['n0'], { pageSize: 25, nextCursor: null }]);
    expect((await list('pagination[cursor]')).data).toHaveLength(7);
  });

  test('a cursor belongs to its list', async () => {
    const { meta } = (
      await app.agent.get(`${things}?sort=name&filters[stock][$gte]=0&pagination[cursor]=&pagination[pageSize]=2`)
    ).body;
    const cursor = meta.pagination.nextCursor as string;
    const status = async (query: string) => {
      const { body } = await app.agent.get(`${things}?${query}&pagination[cursor]=${cursor}`);
      return body.error ? [body.error.status, body.error.name, body.error.message] : namesIn(body);
    };
    const same = 'sort=name&filters[stock][$gte]=0&fields=name';
    expect(await status(same)).toEqual(['n2', 'n3', 'n4', 'n5', 'n6']);
    for (const other of [
      'sort=stock&filters[stock][$gte]=0',
      'sort=name',
      'sort=name&filters[stock][$gte]=3',
      `${same}&_q=n`,
      'sort=name&filters[stock][$lte]=9',
      'sort=name:desc&filters[stock][$gte]=0',
    ])
      expect([other, await status(other)]).toEqual([other, [400, 'PaginationError', invalidCursor]]);
  });

  test.each(['x', '%00', 'W10', 'eyJhIjoxfQ', '[]', 'a'.repeat(5_000)])('the cursor %s is refused', async (cursor) =>
    expect(await get(`pagination[cursor]=${cursor}`)).toEqual({
      status: 400,
      name: 'PaginationError',
      message: invalidCursor,
      details: {},
    }),
  );

  test.each(['page=1', 'start=0', 'limit=5', 'page=1&pagination[pageSize]=2'])(
    'a cursor with %s is refused',
    async (form) =>
      expect(await get(`pagination[cursor]=&pagination[${form}`.replace(/=(\d)/, ']=$1'))).toEqual({
        status: 400,
        name: 'PaginationError',
        message:
          'Cannot use cursor pagination together with page, start or limit in the same query: only pageSize and withCount go with it',
        details: {},
      }),
  );

  test('a cursor that is wrong is told after everything else', async () => {
    for (const [query, message] of [
      ['sort=b', 'Invalid key b'],
      ['filters[price]=x', 'A filter on numbers takes a number, not "x".'],
      ['pagination[withCount]=x', 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'],
    ])
      expect((await get(`${query}&pagination[cursor]=x`)).message).toBe(message);
    expect((await get('pagination[cursor][a]=1')).message).toBe(invalidCursor);
    expect((await get('pagination[cursor][]=1')).message).toBe(invalidCursor);
  });

  test('a document does not look at pagination', async () => {
    const { documentId } = await app.add(things, { name: 'x' });
    expect((await app.agent.get(`${things}/${documentId}?pagination[page]=1&pagination[start]=x`)).status).toBe(200);
  });

  test('the first of several mistakes is told', async () => {
    const all = [
      'filters[a]=1',
      'sort=b',
      'fields=c',
      'populate=d',
      'page=1',
      'pagination[page]=x',
      'filters[price]=x',
      'pagination[withCount]=x',
    ];
    const messages = [
      'Invalid key a',
      'Invalid key b',
      'Invalid key c',
      'Invalid key d',
      'Invalid pagination attributes. The page parameters are incorrect and must be in the pagination object',
      'convertStartQueryParams expected a positive integer got NaN',
      'A filter on numbers takes a number, not "x".',
      'Invalid withCount parameter. Expected "t","1","true","false","0","f"',
    ];
    for (const [index, message] of messages.entries()) {
      const query = all.slice(index).reverse().join('&');
      expect([query, (await app.agent.get(`${things}?${query}`)).body.error.message]).toEqual([query, message]);
    }
  });
});

describe('limits of config/api', () => {
  const many = { [schemaFile('thing')]: schema('thing', { name: { type: 'string' } }) };

  test('nothing asks for more than the maximum', async () => {
    const small = await restApp(many, { api: { rest: { defaultLimit: 2, maxLimit: 3, withCount: false } } });
    for (let n = 0; n < 5; n++) await small.add(things, { name: 'a' });
    const size = async (query: string) => (await small.agent.get(`${things}?${query}`)).body;
    expect(await size('')).toMatchObject({ data: { length: 2 }, meta: { pagination: { page: 1, pageSize: 2 } } });
    for (const asked of ['1e9', '4', 'x', '99999999999999999999', 'Infinity', 'null'])
      for (const form of ['pageSize', 'limit'])
        expect([asked, (await size(`pagination[${form}]=${asked}`)).data.length]).toEqual([asked, 3]);
    expect((await size('')).meta.pagination).not.toHaveProperty('total');
    expect((await size('pagination[withCount]=1')).meta.pagination.total).toBe(5);
    await small.remove();
  });

  test('prefix and routes', async () => {
    const routes = { 'api::thing.thing': ['find'], 'api::other.other': false };
    const other = await restApp(
      { ...many, [schemaFile('other')]: schema('other', {}), 'config/plugins.json': { rest: { config: { routes } } } },
      { api: { rest: { prefix: '/v1/content' } } },
    );
    expect((await other.agent.get('/v1/content/things')).status).toBe(200);
    expect((await other.agent.get('/v1/content/things/x')).status).toBe(404);
    expect((await other.agent.post('/v1/content/things').send({ data: {} })).status).toBe(405);
    expect((await other.agent.get('/v1/content/others')).status).toBe(404);
    expect((await other.agent.get(things)).status).toBe(404);
    await other.remove();
  });

  test('an empty prefix', async () => {
    const bare = await restApp(many, { api: { rest: { prefix: '' } } });
    expect((await bare.agent.get('/things')).status).toBe(200);
    await bare.remove();
  });

  test.each([
    [{ api: { rest: { prefix: 'api' } } }, 'config/api rest.prefix'],
    [{ api: { rest: { maxLimit: 0 } } }, 'config/api rest.maxLimit'],
    [{ api: { rest: { maxLimt: 5 } } }, 'maxLimt'],
    [{ plugins: { rest: { config: { routes: { 'api::thing.thin': false } } } } }, 'Did you mean "api::thing.thing"?'],
    [
      { plugins: { rest: { config: { routes: { 'api::thing.thing': ['read'] } } } } },
      'config/plugins rest.config.routes',
    ],
  ])('%j is refused', async (overrides, text) => {
    await expect(restApp(many, overrides)).rejects.toThrow(text);
  });
});
