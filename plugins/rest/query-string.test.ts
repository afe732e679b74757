import { createQueryReader } from './query-string';

const limits = { arrayLimit: 3, depth: 5, parameterLimit: 4 };

test('a text is read once, and what it says is shared, so nobody can change it', () => {
  const read = createQueryReader(limits);
  const first = read('filters[name][$eq]=a&sort=name');
  expect(first).toEqual({ filters: { name: { $eq: 'a' } }, sort: 'name' });
  expect(read('filters[name][$eq]=a&sort=name')).toBe(first);
  expect(Object.isFrozen(first) && Object.isFrozen((first['filters'] as { name: object }).name)).toBe(true);
});

test('long texts are read each time', () => {
  const read = createQueryReader(limits);
  const text = `filters[name][$eq]=${'a'.repeat(2_000)}`;
  expect(read(text)).not.toBe(read(text));
  expect(read(text)).toEqual(read(text));
});

test('a text with too many parameters is refused as often as it comes', () => {
  const read = createQueryReader(limits);
  for (let time = 0; time < 2; time++)
    expect(() => read('a=1&b=2&c=3&d=4&e=5')).toThrow('Too many query parameters (5). The maximum is 4.');
});

test('the limits of one reader are not those of another', () => {
  const text = 'a[0]=1&a[1]=2&a[2]=3&a[3]=4';
  expect(createQueryReader({ ...limits, arrayLimit: 10 })(text)).toEqual({ a: ['1', '2', '3', '4'] });
  expect(Array.isArray(createQueryReader({ ...limits, arrayLimit: 2 })(text)['a'])).toBe(false);
});

test.each([
  ['filters[constructor]=1', 'Invalid key constructor', { key: 'constructor', path: null, param: 'filters' }],
  ['filters[__proto__][a]=1', 'Invalid key __proto__', { key: '__proto__', path: null, param: 'filters' }],
  ['a=b&filters%5Bname%5D[%74oString]', 'Invalid key toString at name', { key: 'toString', path: 'name' }],
  ['populate[a][populate][valueOf]=true', 'Invalid key valueOf at a.populate', { param: 'populate' }],
  ['sort[constructor]=asc', 'Invalid key constructor', { param: 'sort' }],
  ['fields[hasOwnProperty]=a', 'Invalid key hasOwnProperty', { param: 'fields' }],
  ['[filters][constructor]=1', 'Invalid key constructor', { path: null, param: 'filters' }],
  ['filters[a=][constructor]=1', 'Invalid key constructor at a=', { param: 'filters' }],
  ['filters%5Bconstructor%5D%5B%E9%5D=1', 'Invalid key constructor', { param: 'filters' }],
  ['filters[constructor]', 'Invalid key constructor', { param: 'filters' }],
])('what the parser would leave out is refused: %s', (text, message, details) => {
  const read = createQueryReader(limits);
  for (let time = 0; time < 2; time++)
    expect(() => read(text)).toThrow(
      expect.objectContaining({ status: 400, message, details: expect.objectContaining(details) }),
    );
});

test.each(['x[constructor]=1', 'constructor=1', 'filters[name]=constructor', 'filters[name][$eq]=[toString]', '%5B=%'])(
  'what is no key of a query is let through: %s',
  (text) => {
    expect(() => createQueryReader(limits)(text)).not.toThrow();
  },
);

test('a key of very many names is read in little time', () => {
  const read = createQueryReader(limits);
  const begun = performance.now();
  read(`filters${'[]'.repeat(100_000)}=1`);
  read(`filters${'[a'.repeat(100_000)}=1`);
  expect(performance.now() - begun).toBeLessThan(1_000);
});
