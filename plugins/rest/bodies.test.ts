import { error, things, thingsApp } from './things-app.fixture';

const app = thingsApp();

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
