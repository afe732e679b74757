import { type ContentInMemory, inMemory, refusal } from '../content.fixture';
import type { DocumentQuery } from '../operation';

const rows = [
  { name: 'Anvil', price: 30, stock: 5, released: '2021-06-01', views: '9007199254740993', available: true },
  { name: 'anvil box', price: 12.5, stock: 0, released: '2022-06-01', views: '9007199254740992', available: false },
  { name: '50%_off', price: 40, stock: 5 },
  { name: null, price: null, stock: null },
];

let content: ContentInMemory;

beforeAll(async () => {
  content = inMemory({
    name: { type: 'string' },
    price: { type: 'decimal' },
    stock: { type: 'integer' },
    released: { type: 'date' },
    views: { type: 'biginteger' },
    available: { type: 'boolean' },
    note: { type: 'string', private: true },
  });
  for (const row of rows) await content.documents.of('api::thing.thing').create({ ...row, note: 'hidden' });
});

const find = async (query: DocumentQuery): Promise<number[]> =>
  (await content.documents.of('api::thing.thing').find(query)).map(({ id }) => Number(id));

test.each([
  [{ name: 'Anvil' }, [1]],
  [{ name: 'anvil' }, []],
  [{ name: ['Anvil', '50%_off'] }, [1, 3]],
  [{ name: null }, [4]],
  [{ name: { $eqi: 'ANVIL' } }, [1]],
  [{ name: { $eqi: null } }, [4]],
  [{ name: { $nei: null } }, [1, 2, 3]],
  [{ name: { $ne: 'Anvil' } }, [2, 3]],
  [{ name: { $ne: ['Anvil', '50%_off'] } }, [1, 2, 3]],
  [{ name: { $nei: 'ANVIL' } }, [2, 3]],
  [{ name: { $in: 'Anvil' } }, [1]],
  [{ name: { $in: 'Anvil,50%_off' } }, []],
  [{ name: { $in: [['Anvil'], null] } }, [1]],
  [{ name: { $in: null } }, []],
  [{ name: { $notIn: ['Anvil'] } }, [2, 3]],
  [{ name: { $notIn: ['Anvil', null] } }, []],
  [{ name: { $contains: 'nvil' } }, [1, 2]],
  [{ name: { $contains: 'NVIL' } }, []],
  [{ name: { $containsi: 'NVIL' } }, [1, 2]],
  [{ name: { $contains: '%' } }, [3]],
  [{ name: { $contains: '_' } }, [3]],
  [{ name: { $contains: '' } }, [1, 2, 3]],
  [{ name: { $notContains: 'nvil' } }, [3]],
  [{ name: { $notContainsi: 'NVIL' } }, [3]],
  [{ name: { $startsWith: 'A' } }, [1]],
  [{ name: { $startsWithi: 'A' } }, [1, 2]],
  [{ name: { $endsWith: 'vil' } }, [1]],
  [{ name: { $endsWithi: 'BOX' } }, [2]],
  [{ name: { $null: 'true' } }, [4]],
  [{ name: { $null: 'false' } }, [1, 2, 3]],
  [{ name: { $null: '' } }, [1, 2, 3]],
  [{ name: { $notNull: 'x' } }, [1, 2, 3]],
  [{ name: { $not: 'Anvil' } }, [2, 3]],
  [{ name: { $not: { $not: { $eq: 'Anvil' } } } }, [1]],
  [{ price: { $gt: '12.5' } }, [1, 3]],
  [{ price: { $gte: '12.5', $lt: '40' } }, [1, 2]],
  [{ price: { $gt: ['30', '12'] } }, [1, 2, 3]],
  [{ price: { $gt: null } }, []],
  [{ price: { $between: ['12.5', '30'] } }, [1, 2]],
  [{ price: { $between: ['30', '12.5'] } }, []],
  [{ price: { $eq: '3e1' } }, [1]],
  [{ price: { $ne: null } }, [1, 2, 3]],
  [{ views: '9007199254740993' }, [1]],
  [{ released: '2021-06-01T00:00' }, [1]],
  [{ available: 'f' }, [2]],
  [{ id: 'abc' }, []],
  [{ id: '1.0' }, [1]],
  [{ $or: [{ name: 'Anvil' }, { stock: '0' }] }, [1, 2]],
  [{ $and: [{ stock: '5' }, { price: { $gt: '30' } }] }, [3]],
  [{ $or: [[{ name: 'Anvil' }]] }, [1]],
  [{ $not: { stock: '5' } }, [2]],
  [{ $not: [{ stock: '5' }, { price: '40' }] }, [1, 2]],
  [{ stock: '5', price: '40' }, [3]],
  [{ $or: [] }, []],
  [{ $and: [] }, [1, 2, 3, 4]],
])('%j finds %j', async (filters, expected) => expect(await find({ filters })).toEqual(expected));

test.each([
  [{ price: 'abc' }],
  [{ price: '' }],
  [{ stock: { $in: ['1', 'x'] } }],
  [{ views: '12.0' }],
  [{ released: '2021-02-30' }],
])('%j does not fit', async (filters) => {
  expect(await refusal(find({ filters }))).toMatchObject({ name: 'ValidationError', status: 400 });
});

test('a value that does not fit is refused in whatever place its shape was compiled before', async () => {
  expect(await find({ filters: { $or: [{ stock: '0' }, { price: '40' }] } })).toEqual([2, 3]);
  await refusal(find({ filters: { $or: [{ stock: '0' }, { price: 'x' }] } }));
  await refusal(find({ filters: { $or: [{ stock: 'x' }, { price: '40' }] } }));
  expect(await find({ filters: { $or: [{ stock: '5' }, { price: '12.5' }] } })).toEqual([1, 2, 3]);
});

test('nulls come first, equal rows by id, both ways', async () => {
  expect(await find({ sort: 'stock' })).toEqual([4, 2, 1, 3]);
  expect(await find({ sort: 'stock:desc' })).toEqual([1, 3, 2, 4]);
});

test('search looks at readable texts and numbers', async () => {
  expect(await find({ search: 'ANVIL' })).toEqual([1, 2]);
  expect(await find({ search: '12.5' })).toEqual([2]);
  expect(await find({ search: 'hidden' })).toEqual([]);
  expect(await find({ search: '%' })).toEqual([3]);
  expect(await find({ search: 'anvil', filters: { stock: '0' } })).toEqual([2]);
});
