import { valuesIn } from './answer-bytes';
import { inMemory, operationOn, refusal } from './content.fixture';
import type { DocumentQuery, WriteOperation } from './operation';
import { issue, shop } from './shop.fixture';
import type { DocumentStore } from './store';

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
    valuesIn<{ documentId: string }>(await content.documents.update(operation(data)))[0]!;
  const made = await update({ name: 'a' });
  expect(made).toMatchObject({ name: 'a', size: 1 });
  expect(await update({ size: null })).toMatchObject({ documentId: made.documentId, name: 'a', size: null });
  await content.documents.remove(operationOn(content.type, {}, 'delete'));
  await content.documents.remove(operationOn(content.type, {}, 'delete'));
  expect((await content.documents.read(operationOn(content.type))).count).toBe(0);
});

test('a single type has one document, and all who write it wait for each other, whether they name it or not', async () => {
  const { documents, store, type } = inMemory({ name: { type: 'string' } }, { modelKind: 'singleType' });
  const locked: unknown[] = [];
  const { transaction } = store;
  const watched: DocumentStore['transaction'] = (work) =>
    transaction((inside) => work({ ...inside, lock: (...keys) => locked.push(...keys) > 0 }));
  Object.assign(store, { transaction: watched });
  const things = documents.of(type.uid);
  const { documentId } = await things.create({ name: 'a' });
  expect(await things.create({ name: 'b' })).toMatchObject({ documentId, name: 'b' });
  await things.update(String(documentId), { name: 'c' });
  expect(await refusal(things.update('another', { name: 'd' }))).toMatchObject({ status: 404 });
  expect(await things.find()).toMatchObject([{ documentId, name: 'c' }]);
  await documents.remove(operationOn(type, {}, 'delete'));
  expect(new Set(locked).size).toBe(1);
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

test('a list is whole where its window is not said, also by a key without a value', async () => {
  const { things } = shop();
  for (const name of ['a', 'b', 'c']) await things.create({ name });
  expect(await things.find()).toHaveLength(3);
  expect(await things.find({ window: undefined })).toHaveLength(3);
  expect(await things.find({ window: () => ({ start: 1, limit: 1, total: false }) })).toMatchObject([{ name: 'b' }]);
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
