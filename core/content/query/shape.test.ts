import fc from 'fast-check';
import { inMemory } from '../content.fixture';
import type { DocumentQuery } from '../operation';
import { shapeOf, shapeOfPopulate } from './shape';

test('scalars are values; null and the truth of $null belong to the shape', () => {
  expect(shapeOf({ a: 'x', b: { $in: ['1', 2] } })).toEqual({ shape: '{a:?,b:{$in:[?,?],},}', values: ['x', '1', 2] });
  expect(shapeOf({ a: 'y', b: { $in: ['3', 4] } }).shape).toBe('{a:?,b:{$in:[?,?],},}');
  expect(shapeOf({ a: null }).shape).not.toBe(shapeOf({ a: 'x' }).shape);
  expect(shapeOf({ a: { $null: 'true' } }).shape).toBe(shapeOf({ a: { $null: 'x' } }).shape);
  expect(shapeOf({ a: { $null: 'true' } }).shape).not.toBe(shapeOf({ a: { $null: 'false' } }).shape);
});

test('a filter that code gives in two places is bound once, and no shape of two filters', () => {
  const filters = { name: 'a' };
  const once = shapeOfPopulate({ a: { filters }, b: { filters } });
  const twice = shapeOfPopulate({ a: { filters: { name: 'a' } }, b: { filters: { name: 'a' } } });
  expect([once.values, twice.values]).toEqual([['a'], ['a', 'a']]);
  expect(once.shape).not.toBe(twice.shape);
});

test('two structures of one shape are one structure', () => {
  const keys = fc.oneof(fc.constantFrom('a', '$and', '$null', ':?,', '{', '"', '~'), fc.string({ maxLength: 3 }));
  const { tree } = fc.letrec((tie) => ({
    leaf: fc.constantFrom('x', '', null, 'true', 'false'),
    tree: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 3 }),
    ),
  }));
  /** The structure with every scalar replaced; what `$null` holds counts by its truth alone. */
  const skeleton = (value: unknown, key?: string): unknown => {
    if (key === '$null') return ![null, '', 'false'].includes(value as string);
    if (value === null) return null;
    if (Array.isArray(value)) return value.map((item) => skeleton(item));
    if (typeof value !== 'object') return '?';
    return { entries: Object.entries(value).map(([name, inner]) => [name, skeleton(inner, name)]) };
  };
  fc.assert(
    fc.property(tree, tree, (one, other) => {
      const isSame = JSON.stringify(skeleton(one)) === JSON.stringify(skeleton(other));
      expect(shapeOf(one).shape === shapeOf(other).shape).toBe(isSame);
    }),
    { numRuns: 500 },
  );
});

const things = [
  { name: 'a', stock: 1 },
  { name: 'B', stock: null },
  { name: 'ab%', stock: 3 },
  { name: null, stock: 2 },
];

async function filled() {
  const { documents } = inMemory({ name: { type: 'string' }, stock: { type: 'integer' } });
  const type = documents.of('api::thing.thing');
  for (const thing of things) await type.create(thing);
  return type;
}

const text = fc.constantFrom('a', 'b', 'B', 'ab', '%', '', null);
const number = fc.constantFrom('1', '2', '3', ' 3', 'x', '', null);
const condition = fc.oneof(
  fc
    .tuple(fc.constantFrom('$eq', '$ne', '$eqi', '$contains', '$notContainsi', '$startsWith', '$null'), text)
    .map(([operator, value]) => ({ name: { [operator]: value } })),
  fc
    .tuple(fc.constantFrom('$in', '$notIn', '$between', '$eq', '$ne'), fc.array(number, { maxLength: 3 }))
    .map(([operator, values]) => ({ stock: { [operator]: values } })),
  fc.record({ name: text, stock: number }),
);
const filters = fc.oneof(
  condition,
  fc.tuple(fc.constantFrom('$and', '$or', '$not'), fc.array(condition, { maxLength: 3 })).map(([key, items]) => ({
    [key]: items,
  })),
);
const query: fc.Arbitrary<DocumentQuery> = fc.record(
  {
    filters,
    sort: fc.constantFrom('name', 'stock:desc', 'name:up', { stock: 'asc' }, ['name', 'stock']),
    fields: fc.constantFrom('name', ['stock'], '*', 'nope'),
    // No letter or digit: those occur in document ids, which are random.
    search: fc.constantFrom('%', '', 'ü'),
    window: fc
      .record({ start: fc.nat(3), limit: fc.integer({ min: 1, max: 4 }), total: fc.boolean() })
      .map((window) => () => window),
  },
  { requiredKeys: [] },
);

test('a request whose shape was compiled for other values is answered as if it were the first', async () => {
  const used = await filled();
  const ids = (await used.find()).map(({ documentId }) => documentId);
  const outcome = (type: typeof used, asked: DocumentQuery): Promise<unknown> =>
    type.find(asked).then(
      (documents) => documents.map(({ createdAt, updatedAt, documentId, ...rest }) => rest),
      (error: Error) => error.message,
    );
  expect(ids).toHaveLength(things.length);
  const fresh = await Promise.all(Array.from({ length: 150 }, filled));
  let next = 0;
  await fc.assert(
    fc.asyncProperty(query, async (asked) => {
      expect(await outcome(used, asked)).toEqual(await outcome(fresh[next++ % fresh.length]!, asked));
    }),
    { numRuns: 150 },
  );
});
