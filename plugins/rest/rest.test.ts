import { error, things, thingsApp } from './things-app.fixture';

const app = thingsApp();

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
      { data: { ...data, stock: 3, updatedAt: expect.any(String), publishedAt: expect.any(String) }, meta: {} },
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

  test('of types without drafts, what was changed last was published last', async () => {
    const { documentId, publishedAt } = await app.add(things, { name: 'n' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const { data } = (await app.agent.put(`${things}/${documentId}`).send({ data: { stock: 1 } })).body;
    expect(data.publishedAt).toBe(data.updatedAt);
    expect(Date.parse(data.publishedAt)).toBeGreaterThan(Date.parse(String(publishedAt)));
  });

  test('a single type is made by PUT and has no list', async () => {
    const { agent } = app;
    expect((await agent.get('/api/setting')).status).toBe(404);
    expect((await agent.put('/api/setting').send({ data: {} })).body.error.message).toBe('title must be defined.');
    const made = await agent.put('/api/setting').send({ data: { title: 'a' } });
    expect([made.status, made.body.data.title]).toEqual([200, 'a']);
    const changed = await agent.put('/api/setting').send({ data: { size: 2 } });
    expect(changed.body.data).toEqual({
      ...made.body.data,
      size: 2,
      updatedAt: expect.any(String),
      publishedAt: expect.any(String),
    });
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

  test('a cache between keeps the older form for who asks for it', async () => {
    await app.add(things, { name: 'a' });
    const older = () => app.agent.get(things).set('Strapi-Response-Format', 'v4');
    const { headers } = await older();
    expect(headers['vary']).toBe('Strapi-Response-Format');
    const again = await older().set('If-None-Match', headers['etag']!);
    expect([again.status, again.headers['vary']]).toEqual([304, expect.stringContaining('Strapi-Response-Format')]);
    expect((await app.agent.get(things)).headers['vary']).toBeUndefined();
  });

  test('what no plugin serves is neither shown nor taken', async () => {
    expect((await app.agent.get(`${things}?populate=*`)).status).toBe(200);
    for (const path of ['populate=nope', 'populate=cover', 'filters[cover]=1', 'sort=friend', 'fields=cover'])
      expect([path, (await app.agent.get(`${things}?${path}`)).status]).toEqual([path, 400]);
  });
});
