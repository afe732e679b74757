import { fill, fillText, namesIn, pick } from './template';

const values = new Map<string, string | number>([
  ['run', 'r1'],
  ['id', 7],
  ['odd', 'a/b&c'],
]);

test('a whole placeholder keeps its type, a part becomes text', () => {
  expect(fill({ a: '{{id}}', b: ['x{{id}}'], 'k{{run}}': null }, values)).toEqual({ a: 7, b: ['x7'], kr1: null });
});

test('values in paths are encoded, the template is not', () => {
  expect(fillText('/api/x/{{odd}}?f[a]={{odd}}', values, encodeURIComponent)).toBe('/api/x/a%2Fb%26c?f[a]=a%2Fb%26c');
});

test('fill makes text of a size', () => {
  expect(fillText('a{{fill:3}}', values)).toBe('axxx');
  expect(namesIn('{{fill:3}}{{run}}')).toEqual(['run']);
});

test('a name that nothing saved is an error', () => {
  expect(() => fill('{{nope}}', values)).toThrow('{{nope}}, which no earlier step saved');
});

test('pick follows a dotted path', () => {
  expect(pick({ data: [{ id: 1 }] }, 'data.0.id')).toBe(1);
  expect(pick({ data: null }, 'data.id')).toBeUndefined();
  expect(pick({ data: {} }, 'data.constructor')).toBeUndefined();
  const roles = [
    { name: 'a', id: 1 },
    { name: 'b.txt', id: 2 },
  ];
  expect(pick({ roles }, 'roles[name=b.txt].id')).toBe(2);
  expect(pick(roles, '[name=a].id')).toBe(1);
  expect(pick({ roles }, 'roles[name=c].id')).toBeUndefined();
  expect(pick({ roles: {} }, 'roles[name=a].id')).toBeUndefined();
});
