import { validationError } from '../errors';
import { inMemory, operationOn, refusal } from './content.fixture';
import type { ShownDocument } from './hooks';
import type { DocumentQuery, WriteOperation } from './operation';

const attributes = {
  name: { type: 'string', required: true },
  sku: { type: 'string', unique: true },
  slug: { type: 'uid' },
  rating: { type: 'integer', min: 0, max: 10, default: 3 },
  released: { type: 'date' },
  start: { type: 'time' },
  secret: { type: 'password' },
  note: { type: 'string', private: true },
};

const shop = () => {
  const content = inMemory(attributes, { concealed: ['createdBy'], ignoredInBodies: ['market'] });
  return { ...content, things: content.documents.of('api::thing.thing') };
};

const issue = (path: string, message: string, ...value: unknown[]) => ({
  path: [path],
  message,
  name: 'ValidationError',
  ...(value.length > 0 && { value: value[0] }),
});

describe('create', () => {
  test('answers the document with its identifiers and times, hidden attributes left out', async () => {
    const { things } = shop();
    const before = Date.now();
    const document = await things.create({ name: 'Anvil', secret: 's', note: 'n' });
    expect(document).toEqual({
      id: 1,
      documentId: expect.stringMatching(/^[a-z][a-z0-9]{23}$/),
      name: 'Anvil',
      sku: null,
      slug: null,
      rating: 3,
      released: null,
      start: null,
      createdAt: expect.any(String),
      updatedAt: document['createdAt'],
    });
    expect(Date.parse(document['createdAt'] as string)).toBeGreaterThanOrEqual(before);
    expect(await things.findOne(document['documentId'] as string)).toEqual(document);
  });

  test('a default stands for what is absent, not for null', async () => {
    const { things } = shop();
    expect(await things.create({ name: 'a' })).toMatchObject({ rating: 3 });
    expect(await things.create({ name: 'a', rating: null })).toMatchObject({ rating: null });
  });

  test('mistakes are told together, in the order of the schema', async () => {
    const { things } = shop();
    const error = await refusal(things.create({ slug: 'a b', rating: 10.5, sku: 5, released: 'x' }));
    expect(error).toMatchObject({
      name: 'ValidationError',
      message: '5 errors occurred',
      details: {
        errors: [
          issue('name', 'name must be defined.'),
          issue('sku', 'sku must be a `string` type, but the final value was: `5`.', 5),
          issue('slug', 'slug must match the following: "/^[A-Za-z0-9-_.~]*$/"', 'a b'),
          issue('rating', 'rating must be an integer', 10.5),
          issue('rating', 'rating must be less than or equal to 10', 10.5),
        ],
      },
    });
    expect(await things.find()).toEqual([]);
  });

  test('a required value is neither absent nor null, but may be empty', async () => {
    const { things } = shop();
    expect((await refusal(things.create({}))).details).toEqual({ errors: [issue('name', 'name must be defined.')] });
    expect((await refusal(things.create({ name: null }))).details).toEqual({
      errors: [issue('name', 'name must be a `string` type, but the final value was: `null`.', null)],
    });
    expect(await things.create({ name: '' })).toMatchObject({ name: '' });
  });

  test('what can not be read is told alone, once nothing else is wrong', async () => {
    const { things } = shop();
    expect(await refusal(things.create({ name: 'a', released: 'x', start: 'y' }))).toMatchObject({
      message: 'Invalid format, expected yyyy-MM-dd',
      details: {},
    });
    expect((await refusal(things.create({ name: 5, released: 'x' }))).message).toContain('name must be');
  });

  test('wrong keys: identifiers first, then kept ones, then unknown ones', async () => {
    const { things } = shop();
    const refused = async (data: Record<string, unknown>) => {
      const { message, details } = await refusal(things.create(data));
      return { message, details };
    };
    expect(await refused({ nope: 1, createdAt: 1, documentId: null, id: 1 })).toEqual({
      message: 'Invalid key id',
      details: { key: 'id', source: 'body' },
    });
    for (const key of ['createdAt', 'updatedAt', 'createdBy'])
      expect(await refused({ nope: 1, [key]: 1 })).toEqual({
        message: `Invalid key ${key}`,
        details: { key, path: key, source: 'body' },
      });
    for (const key of ['nope', '', 'name.x', '$name', 'constructor', 'toString', '__component'])
      expect(await refused({ name: 'a', [key]: 1 })).toEqual({
        message: `Invalid key ${key}`,
        details: { key, path: null, source: 'body' },
      });
    expect(await things.create({ name: 'a', market: 'us' })).not.toHaveProperty('market');
  });
});

describe('unique', () => {
  test('by exact text; empty and null repeat; a document does not clash with itself', async () => {
    const { things } = shop();
    const first = await things.create({ name: 'a', sku: 'A1', slug: 'one' });
    for (const [key, value] of [
      ['sku', 'A1'],
      ['slug', 'one'],
    ] as const)
      expect((await refusal(things.create({ name: 'b', [key]: value }))).details).toEqual({
        errors: [issue(key, 'This attribute must be unique', value)],
      });
    for (const sku of ['a1', 'A1 ', '', '', null, null]) await things.create({ name: 'b', sku });
    expect(await things.update(first['documentId'] as string, { sku: 'A1' })).toMatchObject({ sku: 'A1' });
  });

  test('of many writers at once one wins', async () => {
    const { things } = shop();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => things.create({ name: 'a', sku: 'X' })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await things.find()).toHaveLength(1);
  });
});

describe('update', () => {
  test('changes what is mentioned and the time', async () => {
    const { things } = shop();
    const made = await things.create({ name: 'a', sku: 'x', rating: 5 });
    await new Promise((resolve) => setTimeout(resolve, 3));
    const changed = await things.update(made['documentId'] as string, { name: 'b', rating: null });
    expect(changed).toEqual({ ...made, name: 'b', rating: null, updatedAt: expect.any(String) });
    expect(changed['updatedAt']! > made['updatedAt']!).toBe(true);
    expect(await things.update(made['documentId'] as string, {})).toMatchObject({ name: 'b', rating: null });
  });

  test('a required value may stay away, but not become null', async () => {
    const { things } = shop();
    const { documentId } = await things.create({ name: 'a' });
    expect(await things.update(String(documentId), { sku: 'x' })).toMatchObject({ name: 'a' });
    expect((await refusal(things.update(String(documentId), { name: null }))).message).toContain('name must be');
    expect(await things.findOne(String(documentId))).toMatchObject({ name: 'a' });
  });

  test('what is not there is 404, before any value is looked at', async () => {
    const { things } = shop();
    expect(await refusal(things.update('nope', { name: 5 }))).toMatchObject({ status: 404, message: 'Not Found' });
    expect((await refusal(things.update('nope', { nope: 5 }))).message).toBe('Invalid key nope');
  });
});

describe('delete', () => {
  test('takes the document away, also twice', async () => {
    const { things } = shop();
    const { documentId } = await things.create({ name: 'a' });
    await things.delete(String(documentId));
    await things.delete(String(documentId));
    expect(await things.findOne(String(documentId))).toBeUndefined();
  });

  test('filters and search limit it', async () => {
    const { things } = shop();
    const { documentId } = await things.create({ name: 'a' });
    await things.delete(String(documentId), { filters: { name: 'b' } });
    await things.delete(String(documentId), { search: '%' });
    expect(await things.find()).toHaveLength(1);
    await things.delete(String(documentId), { filters: { name: 'a' } });
    expect(await things.find()).toHaveLength(0);
  });
});

test('a single type is made by its first update, and only once', async () => {
  const content = inMemory(
    { name: { type: 'string', required: true }, size: { type: 'integer', default: 1 } },
    { modelKind: 'singleType' },
  );
  const operation = (data: Record<string, unknown>): WriteOperation => ({
    ...operationOn(content.type, {}, 'update'),
    data,
  });
  expect(await refusal(content.documents.update(operation({})))).toMatchObject({ message: 'name must be defined.' });
  const update = async (data: Record<string, unknown>) =>
    JSON.parse((await content.documents.update(operation(data))).json)[0];
  const made = await update({ name: 'a' });
  expect(made).toMatchObject({ name: 'a', size: 1 });
  expect(await update({ size: null })).toMatchObject({ documentId: made.documentId, name: 'a', size: null });
  await content.documents.remove(operationOn(content.type, {}, 'delete'));
  await content.documents.remove(operationOn(content.type, {}, 'delete'));
  expect((await content.documents.read(operationOn(content.type))).count).toBe(0);
});

describe('hooks', () => {
  /** Writes down what is called, in order. */
  function watched() {
    const content = shop();
    const { hooks } = content;
    const calls: string[] = [];
    const passed = <T>(call: string, value: T): T => {
      calls.push(call);
      return value;
    };
    hooks.params.tap('test', (operation) => passed(`params ${operation.action}`, operation));
    hooks.data.tapPromise('test', async (data) => passed('data', data));
    hooks.validate.tapPromise('test', async () => void calls.push('validate'));
    hooks.plan.tap('test', (plan) => passed('plan', plan));
    hooks.execute.tapPromise('test', async () => passed('execute', undefined));
    hooks.result.tapPromise('test', async (documents) => passed('result', documents));
    hooks.written.tapPromise('test', async () => void calls.push('written'));
    hooks.committed.tapPromise('test', async () => void calls.push('committed'));
    const take = () => calls.splice(0);
    return { ...content, take };
  }

  test('are called in the order of an operation, a plan once per shape', async () => {
    const { things, take } = watched();
    const read = ['params findOne', 'plan', 'execute', 'result'];
    const again = ['params findOne', 'execute', 'result'];
    const { documentId } = await things.create({ name: 'a' });
    expect(take()).toEqual(['params create', 'data', 'validate', 'written', ...read, 'committed']);
    await things.update(String(documentId), { name: 'b' });
    expect(take()).toEqual(['params update', 'data', 'validate', 'written', ...again, 'committed']);
    await things.findOne(String(documentId));
    expect(take()).toEqual(again);
    await things.find();
    expect(take()).toEqual(['params find', 'plan', 'execute', 'result']);
    await things.delete(String(documentId));
    expect(take()).toEqual(['params delete', 'params find', 'plan', 'execute', 'result', 'written', 'committed']);
    await things.delete(String(documentId));
    expect(take()).toEqual(['params delete']);
  });

  test('a refused write is neither written nor committed', async () => {
    const { things, take } = watched();
    await refusal(things.create({ name: 5 }));
    expect(take()).toEqual(['params create', 'data', 'validate']);
    await refusal(things.create({ nope: 5 }));
    expect(take()).toEqual(['params create']);
  });

  test('params can change and stop an operation', async () => {
    const { hooks, things } = shop();
    for (const name of ['a', 'b']) await things.create({ name });
    hooks.params.tap('test', (operation) => ({
      ...operation,
      query: { ...operation.query, filters: { name: 'b' } },
    }));
    expect(await things.find()).toMatchObject([{ name: 'b' }]);
    hooks.params.tap('stop', () => {
      throw validationError('closed');
    });
    expect((await refusal(things.find())).message).toBe('closed');
    expect((await refusal(things.create({ name: 'a' }))).message).toBe('closed');
  });

  test('data can change and stop a write', async () => {
    const { hooks, things } = shop();
    hooks.data.tapPromise('test', async (data) => {
      if (data['name'] === 'bad') throw validationError('no');
      return { ...data, sku: 'by hook' };
    });
    expect(await things.create({ name: 'a' })).toMatchObject({ sku: 'by hook' });
    expect((await refusal(things.create({ name: 'bad' }))).message).toBe('no');
  });

  test('validate sees the values and adds issues to those of the kinds', async () => {
    const { hooks, things, type } = shop();
    hooks.validate.tapPromise('test', async ({ values, issues, transaction }) => {
      expect(await transaction.rows(type, {})).toEqual([]);
      if (values.get('rating') === 4) issues.push(issue('rating', 'no four') as never);
    });
    expect((await refusal(things.create({ rating: '4' }))).details).toEqual({
      errors: [issue('name', 'name must be defined.'), issue('rating', 'no four')],
    });
    expect(await things.find()).toEqual([]);
  });

  test('plan narrows every read of a shape', async () => {
    const { hooks, things } = shop();
    for (const name of ['a', 'b']) await things.create({ name });
    hooks.plan.tap('test', (plan) => ({ ...plan, select: plan.select.filter(({ name }) => name === 'name') }));
    expect(await things.find({ sort: 'name' })).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  test('execute can answer instead of the store', async () => {
    const { hooks, things } = shop();
    await things.create({ name: 'a' });
    hooks.execute.tapPromise('test', async ({ operation, plan, values }) => {
      expect(values).toHaveLength(plan.bindings.length);
      return operation.action === 'find' ? { json: '[{"name":"kept"}]', count: 1 } : undefined;
    });
    expect(await things.find()).toEqual([{ name: 'kept' }]);
    expect(await things.create({ name: 'b' })).toMatchObject({ name: 'b' });
  });

  test('result changes what is shown, with the count', async () => {
    const { hooks, things, documents, type } = shop();
    await things.create({ name: 'a' });
    await things.create({ name: 'b' });
    const shout = (document: ShownDocument): ShownDocument => ({
      ...document,
      name: String(document['name']).toUpperCase(),
    });
    hooks.result.tapPromise('test', async (shown) => shown.map(shout).filter(({ name }) => name !== 'A'));
    expect(await things.find()).toMatchObject([{ name: 'B' }]);
    const answer = await documents.read(operationOn(type, { window: () => ({ start: 0, limit: 9, total: true }) }));
    expect(answer).toMatchObject({ count: 1, total: 2 });
  });

  test.each(['validate', 'written'] as const)('an error in %s undoes the write', async (hook) => {
    const { hooks, things, type } = shop();
    const { documentId } = await things.create({ name: 'a', sku: 'x' });
    const before = await things.find();
    const committed = jest.fn(async () => undefined);
    hooks.committed.tapPromise('test', committed);
    hooks[hook].tapPromise('test', async (given: object, transaction?: unknown) => {
      const own = (transaction ?? (given as { transaction: unknown }).transaction) as {
        insert(...args: unknown[]): unknown;
      };
      await own.insert(type, [{ documentId: 'ghost', name: 'ghost' }]);
      throw new Error('late');
    });
    for (const work of [things.create({ name: 'b' }), things.update(String(documentId), { name: 'c', sku: 'y' })])
      expect((await refusal(work)).message).toBe('late');
    if (hook === 'written') expect((await refusal(things.delete(String(documentId)))).message).toBe('late');
    expect(await things.find()).toEqual(before);
    expect(committed).not.toHaveBeenCalled();
  });

  test('written runs inside the transaction and sees what was written', async () => {
    const { hooks, things, type } = shop();
    const seen: unknown[] = [];
    hooks.written.tapPromise('test', async ({ documentId, operation }, transaction) => {
      const [row] = await transaction.rows(type, { documentId });
      seen.push([operation.action, row?.['name']]);
    });
    const { documentId } = await things.create({ name: 'a' });
    await things.update(String(documentId), { name: 'b' });
    await things.delete(String(documentId));
    expect(seen).toEqual([
      ['create', 'a'],
      ['update', 'b'],
      ['delete', undefined],
    ]);
  });

  test('a write of a tap in committed is a write of its own', async () => {
    const { hooks, things } = shop();
    hooks.committed.tapPromise('test', async ({ operation }) => {
      if ((operation as WriteOperation).data?.['name'] === 'first') await things.create({ name: 'second' });
    });
    await things.create({ name: 'first' });
    expect(await things.find({ sort: 'id' })).toMatchObject([{ name: 'first' }, { name: 'second' }]);
  });
});

test('queries of writes: wrong keys are refused, the rest shapes the answer', async () => {
  const { documents, things, type } = shop();
  const check = (query: DocumentQuery) => documents.checkKeys({ action: 'create', type, rights: 'system', query });
  await expect(check({ filters: { nope: 1 } })).rejects.toThrow('Invalid key nope');
  await expect(check({ sort: 'nope' })).rejects.toThrow('Invalid key nope');
  await expect(check({ fields: 'nope' })).rejects.toThrow('Invalid key nope');
  await expect(check({ populate: 'nope' })).rejects.toThrow('Invalid key nope');
  await expect(check({ filters: 'x', sort: 'name' })).resolves.toBeUndefined();
  expect(await things.create({ name: 'a' }, { fields: 'name' })).toEqual({
    id: 1,
    documentId: expect.any(String),
    name: 'a',
  });
});

test('a Date in filters is the moment that it stands for', async () => {
  const { things } = shop();
  await things.create({ name: 'a' });
  const count = async (filters: unknown): Promise<number> => (await things.find({ filters })).length;
  expect(await count({ createdAt: new Date(0) })).toBe(0);
  expect(await count({ createdAt: { $gt: new Date(0) } })).toBe(1);
  expect(await count({ createdAt: { $between: [new Date(0), new Date(Date.now() + 1000)] } })).toBe(1);
  expect(await count({ createdAt: { $in: [new Date(0), new Date(1)] } })).toBe(0);
  expect(await refusal(things.find({ filters: { createdAt: new Date(Number.NaN) } }))).toMatchObject({ status: 400 });
});

test('a type that is not there is named, with what was probably meant', () => {
  const { documents } = shop();
  expect(() => documents.of('api::thing.thin')).toThrow(/"api::thing.thin".*Did you mean "api::thing.thing"\?/);
});
