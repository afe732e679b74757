import type { HeddleError } from '../../errors';
import { type Attributes, operationOn, registryOf, things } from '../content.fixture';
import { UnfitValue } from '../kinds/kind';
import type { DocumentQuery } from '../operation';
import type { ReadPlan } from '../plan';
import { compileRead } from './compile';

const attributes: Attributes = {
  name: { type: 'string' },
  price: { type: 'decimal' },
  stock: { type: 'integer' },
  released: { type: 'date' },
  extra: { type: 'json' },
  secret: { type: 'password' },
  note: { type: 'string', private: true },
};
const registry = registryOf([
  things(attributes, { concealed: ['createdBy', 'region'], options: { privateAttributes: ['stock'] } }),
]);
const type = registry.get('api::thing.thing');

const compile = (query: DocumentQuery): ReadPlan =>
  compileRead(operationOn(type, query), [], { registry, sees: () => true, strays: () => [] });

function refused(query: DocumentQuery): { message: string; details: unknown } {
  try {
    compile(query);
  } catch (error) {
    if (error instanceof UnfitValue) return { message: error.message, details: {} };
    expect(error).toMatchObject({ name: 'ValidationError', status: 400 });
    return { message: (error as Error).message, details: (error as HeddleError).details };
  }
  throw new Error(`was not refused: ${JSON.stringify(query)}`);
}

const key = (name: string, path: string | null, param: string) => ({
  message: `Invalid key ${name}${path !== null && path !== name ? ` at ${path}` : ''}`,
  details: { key: name, path, source: 'query', param },
});

describe('filters: keys', () => {
  test.each(['Name', 'name ', 'name.x', '*', 'ID', 'created_at', 'status', '__component', '$nope', '$AND', '$OR', ''])(
    'unknown key "%s"',
    (name) => {
      for (const filters of [
        { [name]: 'x' },
        { $and: [{ [name]: 'x' }] },
        { $or: [{ [name]: 'x' }] },
        { $not: { [name]: 'x' } },
      ])
        expect(refused({ filters })).toEqual(key(name, null, 'filters'));
    },
  );

  test.each(['secret', 'note', 'stock', 'createdBy', 'region'])('%s is not to be asked for', (name) => {
    for (const value of ['x', { $null: 'true' }, { id: { $eq: '1' } }, { password: { $startsWith: 'a' } }, null])
      for (const filters of [{ [name]: value }, { $or: [{ [name]: value }] }, { $not: { [name]: value } }])
        expect(refused({ filters })).toEqual(key(name, name, 'filters'));
  });

  test.each(['$nope', '$EQ', 'eq', 'x', '0'])('unknown operator %s', (name) => {
    expect(refused({ filters: { name: { [name]: 'x' } } })).toEqual(key(name, 'name', 'filters'));
    expect(refused({ filters: { name: { $not: { [name]: 'x' } } } })).toEqual(key(name, 'name', 'filters'));
    expect(refused({ filters: { id: { [name]: 'x' } } })).toEqual(key(name, null, 'filters'));
    expect(refused({ filters: { documentId: { [name]: 'x' } } })).toEqual(key(name, null, 'filters'));
  });

  test('the first wrong key counts, depth first', () => {
    const filters = { $or: [{ name: { $bad: 1 } }, { worse: 1 }], worst: 1 };
    expect(refused({ filters })).toEqual(key('$bad', 'name', 'filters'));
  });

  test.each([
    ['x', 'The filters parameter must be an object or an array'],
    ['', 'The filters parameter must be an object or an array'],
    [{ $and: { name: 'a' } }, '$and takes a list'],
    [{ $or: 'x' }, '$or takes a list'],
    [{ $or: ['x'] }, '$or takes filters'],
    [{ $not: 'x' }, '$not takes filters'],
    [{ $eq: 'x' }, '$eq stands under an attribute'],
    [{ name: { $or: [{ $eq: 'x' }] } }, '$or stands above attributes'],
    [{ name: { $eq: { x: 'y' } } }, '$eq on name takes a plain value'],
    [{ name: { $in: [{ x: 'y' }] } }, '$in on name takes a plain value'],
    [
      { name: { $in: { 0: 'a', 1: 'b' } } },
      '$in on name takes fewer values: arrayLimit of heddle::query says how many.',
    ],
    [{ price: { $between: ['1'] } }, '$between on price takes exactly two values'],
    [{ price: { $between: ['1', '2', '3'] } }, '$between on price takes exactly two values'],
    [{ price: { $between: '1,2' } }, 'A filter on numbers takes a number'],
    [{ price: { $between: '1' } }, '$between on price takes exactly two values'],
    [{ released: { $between: ['x', '2020-01-01', '2021-01-01'] } }, 'Invalid format, expected yyyy-MM-dd'],
    [[{ name: 'x' }], 'The filters parameter must be an object'],
  ])('%j is refused', (filters, message) => expect(refused({ filters }).message).toContain(message));

  test('what is inherited is no key', () => {
    expect(refused({ filters: { constructor: 'x' } })).toEqual(key('constructor', null, 'filters'));
    expect(refused({ filters: JSON.parse('{"__proto__":{"a":1}}') })).toEqual(key('__proto__', null, 'filters'));
    expect(refused({ filters: { name: { toString: 'x' } } })).toEqual(key('toString', 'name', 'filters'));
  });
});

describe('sort', () => {
  const order = (sort: unknown): string[] =>
    compile({ sort }).order.map(({ attribute, descending }) => (descending ? `-${attribute.name}` : attribute.name));

  test.each([
    [undefined, ['id']],
    ['', ['id']],
    [',', ['id']],
    [':asc', ['id']],
    ['name', ['name', 'id']],
    [' name , price:DESC', ['name', '-price', 'id']],
    ['name:asc:desc', ['name', 'id']],
    ['name: Desc ', ['-name', 'id']],
    ['name,name:desc', ['name', 'id']],
    ['id:desc', ['-id']],
    ['price:desc,id', ['-price', 'id']],
    ['createdAt,updatedAt:desc,documentId', ['createdAt', '-updatedAt', 'documentId', 'id']],
    [
      ['name:desc', 'price,released'],
      ['-name', 'price', 'released', 'id'],
    ],
    [{ name: 'desc', price: 'asc' }, ['-name', 'price', 'id']],
    [
      [{ name: 'desc' }, { price: 'asc', released: 'DESC' }],
      ['-name', 'price', '-released', 'id'],
    ],
    [{ name: '' }, ['id']],
    [[['name']], ['id']],
    [{ name: ['asc'] }, ['id']],
  ])('%j', (sort, expected) => expect(order(sort)).toEqual(expected));

  test.each(['-name', 'name desc', 'name;price', '*', '1', '$eq', 'Name'])('unknown key %s', (name) => {
    expect(refused({ sort: name })).toEqual(key(name, null, 'sort'));
  });

  test('blanks before the colon belong to the key, and of a path its first part is told', () => {
    expect(refused({ sort: 'name :desc' })).toEqual(key('name ', null, 'sort'));
    expect(refused({ sort: 'a.b' })).toEqual(key('a', null, 'sort'));
    expect(refused({ sort: 'name.x' }).message).toContain('name');
    expect(refused({ sort: { name: { x: 'asc' } } }).message).toContain('name');
  });

  test.each(['secret', 'note', 'stock', 'createdBy', 'region'])('%s is not to be sorted by', (name) => {
    for (const sort of [name, `${name}:desc`, [name], { [name]: 'asc' }])
      if (!(typeof sort === 'string' && sort.endsWith('desc') && name === 'createdBy'))
        expect(refused({ sort })).toEqual(key(name, name, 'sort'));
  });

  test('an order that is none is told after all keys', () => {
    const order = 'Invalid order. order can only be one of asc|desc|ASC|DESC';
    expect(refused({ sort: 'name:up' }).message).toBe(order);
    expect(refused({ sort: 'name:' }).message).toBe(order);
    expect(refused({ sort: 'name:up,nope' })).toEqual(key('nope', null, 'sort'));
    expect(refused({ sort: 'name:up', fields: 'nope' })).toEqual(key('nope', null, 'fields'));
  });
});

describe('fields', () => {
  const select = (fields: unknown): string[] => compile({ fields }).select.map(({ name }) => name);
  const everything = ['id', 'documentId', 'name', 'price', 'released', 'extra', 'createdAt', 'updatedAt'];

  test.each([
    [undefined, everything],
    [null, everything],
    ['*', everything],
    ['name,*', everything],
    [['*', 'name'], everything],
    ['name', ['id', 'documentId', 'name']],
    [' price , name,price', ['id', 'documentId', 'price', 'name']],
    [
      ['price', ' name '],
      ['id', 'documentId', 'price', 'name'],
    ],
    [[null], ['id', 'documentId']],
    ['id', ['id', 'documentId']],
    ['updatedAt,createdAt', ['id', 'documentId', 'updatedAt', 'createdAt']],
  ])('%j', (fields, expected) => expect(select(fields)).toEqual(expected));

  test.each([[{ 0: 'name' }], [['name,price']], [[['name']]], [[{}]], [5]])('%j has no form of fields', (fields) => {
    expect(refused({ fields })).toEqual({
      message: 'Invalid fields parameter. Expected a string or an array of strings',
      details: {},
    });
  });

  test('wrong keys', () => {
    expect(refused({ fields: 'name,' })).toEqual(key('', null, 'fields'));
    expect(refused({ fields: ['nope'] })).toEqual(key('nope', null, 'fields'));
    expect(refused({ fields: 'nope,*' })).toEqual(key('nope', null, 'fields'));
    expect(refused({ fields: '__proto__' })).toEqual(key('__proto__', null, 'fields'));
    for (const name of ['secret', 'note', 'stock', 'createdBy', 'region'])
      expect(refused({ fields: [name] })).toEqual(key(name, name, 'fields'));
  });
});

test('wrong keys of filters come before those of sort, those before fields, those before populate', () => {
  const all = { filters: { a: 1 }, sort: 'b', fields: 'c', populate: 'd' };
  expect(refused(all).message).toBe('Invalid key a');
  expect(refused({ ...all, filters: undefined }).message).toBe('Invalid key b');
  expect(refused({ ...all, filters: undefined, sort: undefined }).message).toBe('Invalid key c');
  expect(refused({ populate: 'd' }).message).toBe('Invalid key d');
  expect(() => compile({ populate: '*' })).not.toThrow();
});

test('search takes a text', () => {
  expect(compile({ search: '' }).where).toBeUndefined();
  expect(compile({ search: null }).where).toBeUndefined();
  expect(refused({ search: ['a'] }).message).toBe('_q takes a text.');
  const { where } = compile({ search: 'a' });
  const searched =
    where?.op === 'or' ? where.items.map((item) => (item.op === 'text' ? item.attribute.name : item.op)) : [];
  expect(searched).toEqual(['documentId', 'name', 'price']);
});
