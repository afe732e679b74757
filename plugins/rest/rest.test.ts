import { type RestApp, restApp, schema, schemaFile } from './rest-app.fixture';

const files = {
  [schemaFile('thing')]: schema('thing', {
    name: { type: 'string', required: true, maxLength: 20 },
    sku: { type: 'string', unique: true },
    price: { type: 'decimal' },
    stock: { type: 'integer', min: 0 },
    views: { type: 'biginteger' },
    released: { type: 'date' },
    extra: { type: 'json' },
    note: { type: 'string', private: true },
    pin: { type: 'password' },
    cover: { type: 'media' },
    friend: { type: 'relation', relation: 'manyToOne', target: 'api::thing.thing' },
  }),
  [schemaFile('setting')]: schema(
    'setting',
    { title: { type: 'string', required: true }, size: { type: 'integer' } },
    { kind: 'singleType' },
  ),
};

let app: RestApp;
beforeAll(async () => {
  app = await restApp(files);
});
afterAll(() => app.remove());
beforeEach(() => app.empty('/api/things'));

const things = '/api/things';
const error = (status: number, name: string, message: string, details?: unknown) => ({
  data: null,
  error: { status, name, message, ...(details !== undefined && { details }) },
});

describe('envelope and statuses', () => {
  test('a document from its making to its end', async () => {
    const { agent } = app;
    const made = await agent
      .post(things)
      .send({ data: { name: 'Anvil', price: 1.5, views: '9007199254740993', note: 'n', pin: 'p' } });
    expect(made.status).toBe(201);
    expect(made.headers['content-type']).toBe('application/json; charset=utf-8');
    const { data } = made.body;
    expect(made.body).toEqual({
      data: {
        id: expect.any(Number),
        documentId: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
        name: 'Anvil',
        sku: null,
        price: 1.5,
        stock: null,
        views: '9007199254740993',
        released: null,
        extra: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: data.createdAt,
        publishedAt: data.createdAt,
      },
      meta: {},
    });
    const at = `${things}/${data.documentId}`;
    expect((await agent.get(at)).body).toEqual({ data, meta: {} });

    const changed = await agent.put(at).send({ data: { stock: 3 } });
    expect([changed.status, changed.body]).toEqual([
      200,
      { data: { ...data, stock: 3, updatedAt: expect.any(String) }, meta: {} },
    ]);
    expect((await agent.get(things)).body).toEqual({
      data: [changed.body.data],
      meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 1 } },
    });

    for (let time = 0; time < 2; time++) {
      const gone = await agent.delete(at);
      expect([gone.status, gone.text]).toEqual([204, '']);
    }
    const missing = await agent.get(at);
    expect([missing.status, missing.body]).toEqual([404, error(404, 'NotFoundError', 'Not Found', {})]);
    expect((await agent.put(at).send({ data: {} })).status).toBe(404);
  });

  test('a single type is made by PUT and has no list', async () => {
    const { agent } = app;
    expect((await agent.get('/api/setting')).status).toBe(404);
    expect((await agent.put('/api/setting').send({ data: {} })).body.error.message).toBe('title must be defined.');
    const made = await agent.put('/api/setting').send({ data: { title: 'a' } });
    expect([made.status, made.body.data.title]).toEqual([200, 'a']);
    const changed = await agent.put('/api/setting').send({ data: { size: 2 } });
    expect(changed.body.data).toEqual({ ...made.body.data, size: 2, updatedAt: expect.any(String) });
    expect((await agent.get('/api/setting')).body).toEqual({ data: changed.body.data, meta: {} });
    expect((await agent.delete('/api/setting')).status).toBe(204);
    expect((await agent.get('/api/setting')).status).toBe(404);
    expect((await agent.get('/api/settings')).status).toBe(404);
  });

  test('methods that a path does not have', async () => {
    const { agent } = app;
    for (const answer of [
      await agent.delete(things),
      await agent.put(things).send({ data: {} }),
      await agent.post(`${things}/x`).send({ data: {} }),
      await agent.patch(`${things}/x`),
    ]) {
      expect([answer.status, answer.text]).toEqual([405, 'Method Not Allowed']);
      expect(answer.headers['allow']).toContain('GET');
    }
    const options = await agent.options(things);
    expect([options.status, options.headers['allow']]).toEqual([200, expect.stringContaining('POST')]);
  });

  test('HEAD is GET without a body', async () => {
    await app.add(things, { name: 'a' });
    const get = await app.agent.get(things).set('Accept-Encoding', 'identity');
    const head = await app.agent.head(things).set('Accept-Encoding', 'identity');
    expect([head.status, head.text]).toEqual([200, undefined]);
    for (const name of ['content-type', 'content-length', 'etag'])
      expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
    expect((await app.agent.head(`${things}/nope`)).status).toBe(404);
  });

  test('a list that did not change is not sent again', async () => {
    const first = await app.agent.get(things);
    const again = await app.agent.get(things).set('If-None-Match', first.headers['etag']!);
    expect([again.status, again.text]).toEqual([304, '']);
    await app.add(things, { name: 'a' });
    expect((await app.agent.get(things).set('If-None-Match', first.headers['etag']!)).status).toBe(200);
  });

  test('the older form puts attributes into a key of their own', async () => {
    const { id, documentId, ...attributes } = await app.add(things, { name: 'a' });
    const older = (path: string) => app.agent.get(path).set('Strapi-Response-Format', 'v4');
    expect((await older(things)).body.data).toEqual([{ id, documentId, attributes }]);
    expect((await older(`${things}/${documentId}`)).body).toEqual({ data: { id, documentId, attributes }, meta: {} });
    expect((await app.agent.get(things).set('Strapi-Response-Format', 'v5')).body.data).toEqual([
      { id, documentId, ...attributes },
    ]);
    const made = await app.agent
      .post(things)
      .set('Strapi-Response-Format', 'v4')
      .send({ data: { name: 'b' } });
    expect(made.body.data).toMatchObject({ attributes: { name: 'b' } });
  });

  test('what no plugin serves is neither shown nor taken', async () => {
    expect((await app.agent.get(`${things}?populate=*`)).status).toBe(200);
    for (const path of ['populate=nope', 'populate=cover', 'filters[cover]=1', 'sort=friend', 'fields=cover'])
      expect([path, (await app.agent.get(`${things}?${path}`)).status]).toEqual([path, 400]);
  });
});

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

describe('bodies', () => {
  const post = (body: string | object, type = 'application/json') =>
    app.agent
      .post(things)
      .set('Content-Type', type)
      .send(body as string);

  test.each([
    '',
    '{}',
    '[]',
    '[{"data":{}}]',
    '{"name":"a"}',
    '{"DATA":{}}',
    '{"data":null}',
    '{"data":""}',
    '{"data":5}',
    '{"data":true}',
  ])('the body %s has no data', async (body) => {
    const answer = await post(body);
    expect([answer.status, answer.body]).toEqual([
      400,
      error(400, 'ValidationError', 'Missing "data" payload in the request body', {}),
    ]);
  });

  test.each(['text/plain', 'application/octet-stream', 'application/xml', 'nonsense'])(
    'a body of %s has no data',
    async (type) => {
      expect((await post('{"data":{"name":"a"}}', type)).body.error.message).toBe(
        'Missing "data" payload in the request body',
      );
    },
  );

  test('data that is a list', async () => {
    expect((await post('{"data":[]}')).body.error).toEqual({
      status: 400,
      name: 'ValidationError',
      message: 'this must be a `object` type, but the final value was: `null` (cast from the value `[]`).',
      details: { errors: [expect.objectContaining({ path: [], value: null })] },
    });
  });

  test.each(['{', '{"data":}', '{"data":{"name":"a"}', 'x', "{'data':1}"])(
    'the JSON %s is unreadable',
    async (body) => {
      const answer = await post(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({ data: null, error: { status: 400, name: 'SyntaxError' } });
      expect(answer.body.error).not.toHaveProperty('details');
    },
  );

  test('scalars are no bodies', async () => {
    for (const body of ['5', '"x"', 'null', 'true']) {
      const answer = await post(body);
      expect([body, answer.body.error]).toEqual([
        body,
        { status: 400, name: 'SyntaxError', message: 'invalid JSON, only supports object and array' },
      ]);
    }
  });

  test('all types of JSON, and forms', async () => {
    for (const type of ['application/JSON; charset=utf-8', 'application/vnd.api+json'])
      expect((await post('{"data":{"name":"a"}}', type)).status).toBe(201);
    const form = await post('data[name]=a&data[stock]=5', 'application/x-www-form-urlencoded');
    expect([form.status, form.body.data.stock]).toEqual([201, 5]);
  });

  test('more than a megabyte is too much', async () => {
    const padding = (size: number) => `{"data":{"name":"a"},"x":"${'y'.repeat(size - 28)}"}`;
    expect(padding(1_048_576).length).toBe(1_048_576);
    expect((await post(padding(1_048_576))).status).toBe(201);
    const answer = await post(padding(1_048_577));
    expect([answer.status, answer.body]).toEqual([413, error(413, 'PayloadTooLargeError', 'request entity too large')]);
  });

  test('deep JSON is answered, never with 500', async () => {
    for (const depth of [100, 5_000, 200_000]) {
      const answer = await post(`{"data":{"name":"a","extra":${'['.repeat(depth)}${']'.repeat(depth)}}}`);
      expect([depth, answer.status < 500]).toEqual([depth, true]);
    }
    expect((await app.agent.get(things)).status).toBe(200);
  });

  test('a key of a prototype is refused and touches nothing', async () => {
    for (const body of [
      '{"data":{"name":"a","__proto__":{"polluted":1}}}',
      '{"__proto__":{"data":{"name":"a"}}}',
      '{"data":{"name":"a","extra":{"__proto__":{"polluted":1}}}}',
    ]) {
      const answer = await post(body);
      expect([body, answer.status]).toEqual([body, 400]);
    }
    for (const key of ['constructor', 'toString', 'hasOwnProperty'])
      expect((await post(`{"data":{"name":"a","${key}":{"prototype":{"polluted":1}}}}`)).body.error.message).toBe(
        `Invalid key ${key}`,
      );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect((await app.agent.get(things)).body.data).toEqual([]);
  });

  test('nothing wrong is written', async () => {
    const { documentId, ...before } = await app.add(things, { name: 'kept', sku: 'one' });
    const wrong = [
      { name: 5 },
      { name: 'x'.repeat(21) },
      { stock: -1 },
      { sku: ['a'] },
      { released: '2024-02-30' },
      { nope: 1 },
      { id: 9 },
      { createdAt: 'x' },
      { pin: {} },
    ];
    for (const data of wrong) {
      expect([
        data,
        (await app.agent.put(`${things}/${documentId}`).send({ data: { stock: 7, ...data } })).status,
      ]).toEqual([data, 400]);
      expect([data, (await app.agent.post(things).send({ data: { name: 'b', ...data } })).status]).toEqual([data, 400]);
    }
    expect((await app.agent.get(things)).body.data).toEqual([{ ...before, documentId }]);
  });

  test('several mistakes come together', async () => {
    await app.add(things, { name: 'a', sku: 'one' });
    expect((await app.agent.post(things).send({ data: { sku: 'one', stock: 'x' } })).body.error).toEqual({
      status: 400,
      name: 'ValidationError',
      message: '3 errors occurred',
      details: {
        errors: [
          { path: ['name'], message: 'name must be defined.', name: 'ValidationError' },
          { path: ['sku'], message: 'This attribute must be unique', name: 'ValidationError', value: 'one' },
          {
            path: ['stock'],
            message: 'stock must be a `number` type, but the final value was: `NaN` (cast from the value `"x"`).',
            name: 'ValidationError',
            value: null,
          },
        ],
      },
    });
  });
});

describe('of several mistakes the first is told: keys, forms, pages, values', () => {
  const key = 'Invalid key nope';
  const lookup = "Invalid params: 'lookup'";
  const order = 'Invalid order. order can only be one of asc|desc|ASC|DESC';
  const form = 'The filters parameter must be an object or an array';
  const fields = 'Invalid fields parameter. Expected a string or an array of strings';
  const misplaced = 'Invalid pagination attributes.';
  const mixed = 'Cannot use both page & offset';
  const start = 'convertStartQueryParams expected';

  test.each([
    ['lookup=1&filters[nope]=1', key],
    ['populate=nope&lookup=1', key],
    ['page=1&filters[nope]=1', key],
    ['filters=x&sort=nope', key],
    ['fields[x]=1&sort=nope', key],
    ['sort=name:x&fields=nope', key],
    ['filters[stock][$between]=x&sort=nope', key],
    ['filters[stock][$between]=x&pagination[page]=x', start],
    ['filters[stock][$between]=x&pagination[withCount]=x', 'A filter on numbers'],
    ['page=1&lookup=x', lookup],
    ['filters=x&lookup=1', lookup],
    ['filters=x&page=1', misplaced],
    ['fields[a]=name&page=1', misplaced],
    ['sort=name:up&pagination[page]=1&pagination[start]=1', mixed],
    ['sort=name:up&pagination[page]=x', order],
    ['filters=x&sort=name:up', order],
    ['fields[x]=1&sort=name:x', order],
    ['fields[x]=1&filters=x', form],
    ['filters=x&pagination[page]=x', form],
    ['fields[x]=1&pagination[page]=x', fields],
    ['pagination[withCount]=x&pagination[page]=x', start],
    ['filters[stock]=x&pagination[page]=x', start],
    ['pagination[withCount]=x&filters[stock]=abc', 'A filter on numbers'],
  ])('%s', async (query, message) => {
    const { status, body } = await app.agent.get(`${things}?${query}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('queries of writes', () => {
  test('wrong keys are told before the body is looked at, and nothing is done', async () => {
    const { documentId } = await app.add(things, { name: 'a' });
    const unfit = 'filters[stock][$between]=x';
    for (const query of ['filters[nope]=1', 'sort=nope', 'fields=nope', 'populate=nope', 'lookup=x', unfit]) {
      expect([query, (await app.agent.post(`${things}?${query}`).send({})).status]).toEqual([query, 400]);
      expect([
        query,
        (await app.agent.put(`${things}/${documentId}?${query}`).send({ data: { name: 'b' } })).status,
      ]).toEqual([query, 400]);
      expect([query, (await app.agent.delete(`${things}/${documentId}?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await app.agent.get(things)).body.data).toMatchObject([{ name: 'a' }]);
  });

  test('fields shape the answer, pages are ignored, filters limit a deletion', async () => {
    const made = await app.agent
      .post(`${things}?fields=name&pagination[page]=x&page=1&_q=nope`)
      .send({ data: { name: 'a' } });
    expect([made.status, made.body.data]).toEqual([
      201,
      { id: expect.any(Number), documentId: expect.any(String), name: 'a' },
    ]);
    const at = `${things}/${made.body.data.documentId}`;
    expect((await app.agent.delete(`${at}?filters[name]=b`)).status).toBe(204);
    expect((await app.agent.delete(`${at}?_q=%25`)).status).toBe(204);
    expect((await app.agent.get(at)).status).toBe(200);
    expect((await app.agent.delete(`${at}?filters[name]=a`)).status).toBe(204);
    expect((await app.agent.get(at)).status).toBe(404);
  });
});
