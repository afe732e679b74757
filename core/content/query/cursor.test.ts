import fc from 'fast-check';
import { valuesIn } from '../answer-bytes';
import { inMemory, operationOn } from '../content.fixture';
import type { Dimension } from '../dimension';
import type { DocumentQuery } from '../operation';
import { cursorOf, marksIn } from './cursor';

const refused = expect.objectContaining({ name: 'PaginationError', status: 400 });
const textOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor says the marks of its list, and nothing says those of another', () => {
  const mark = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
  fc.assert(
    fc.property(fc.array(mark, { minLength: 1, maxLength: 5 }), fc.string(), (marks, list) => {
      const cursor = cursorOf(list, marks);
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(marksIn(cursor, list)).toEqual(marks);
      expect(() => marksIn(cursor, `${list}.`)).toThrow(refused);
    }),
  );
});

test.each([
  ['a number', 5],
  ['an object', { a: 1 }],
  ['a list', ['']],
  ['no base 64', 'a b'],
  ['no JSON', 'aaaa'],
  ['no list', textOf({ length: 3 })],
  ['another version', textOf([2, cursorList(), 1])],
  ['no mark', textOf([1, cursorList()])],
  ['a mark that is a list', textOf([1, cursorList(), [1]])],
  ['a mark that is true', textOf([1, cursorList(), true])],
  ['what is too long', textOf([1, cursorList(), 'x'.repeat(5_000)])],
])('%s is refused', (_, cursor) => expect(() => marksIn(cursor, 'a list')).toThrow(refused));

function cursorList(): string {
  return String((JSON.parse(Buffer.from(cursorOf('a list', [1]), 'base64url').toString()) as unknown[])[1]);
}

test('a cursor of the right form, but of marks that are none, is refused', () => {
  expect(marksIn(textOf([1, cursorList(), 1]), 'a list')).toEqual([1]);
  expect(() => cursorOf('a list', ['x'.repeat(5_000)])).toThrow('too long for a cursor');
});

const market: Dimension = {
  name: 'market',
  attribute: { name: 'market', definition: { type: 'string' } },
  appliesTo: () => true,
  choose: (given) => ({ is: String(given ?? 'north') }),
};

test('a cursor goes on with the same values in filters, search and dimensions, not with others', async () => {
  const content = inMemory({ name: { type: 'string' } }, {}, { dimensions: [market] });
  const things = content.documents.of('api::thing.thing');
  for (const name of ['a', 'b', 'c']) for (const _ of [1, 2]) await things.create({ name });
  const part = (query: DocumentQuery, cursor: string) => {
    const window = () => ({ start: 0, limit: 1, total: false, cursor });
    return content.documents.read(operationOn(content.type, { ...query, window }));
  };
  const asked = { filters: { name: { $in: ['a', 'b'] } }, search: 'a', parameters: { market: 'north' } };
  const { next } = await part(asked, '');
  expect((await part(structuredClone(asked), next!)).count).toBe(1);
  for (const other of [
    { ...asked, filters: { name: { $in: ['a', 'c'] } } },
    { ...asked, filters: { name: { $in: ['a,b', ''] } } },
    { ...asked, search: 'b' },
    { ...asked, parameters: { market: 'south' } },
  ])
    await expect(part(other, next!)).rejects.toThrow(refused);
});

test('the store in memory walks by cursor, whatever the order', async () => {
  const content = inMemory({ name: { type: 'string' }, count: { type: 'biginteger' }, flag: { type: 'boolean' } });
  const things = content.documents.of('api::thing.thing');
  for (let at = 0; at < 20; at++)
    await things.create({
      name: at % 3 === 0 ? null : `n${at % 5}`,
      count: at % 4 === 0 ? null : String(9_007_199_254_740_993n + BigInt(at % 3)),
      flag: [true, false, null][at % 3],
    });
  const part = async (sort: string[], cursor: string) => {
    const window = () => ({ start: 0, limit: 3, total: true, cursor });
    const answer = await content.documents.read(operationOn(content.type, { sort, window }));
    expect(answer.total).toBe(20);
    return { ids: valuesIn(answer).map(({ id }) => id), next: answer.next };
  };
  const term = fc.constantFrom('name', 'name:desc', 'count', 'count:desc', 'flag', 'flag:desc', 'id:desc');
  await fc.assert(
    fc.asyncProperty(fc.array(term, { maxLength: 3 }), async (sort) => {
      const ids: unknown[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const found = await part(sort, cursor);
        ids.push(...found.ids);
        cursor = found.next;
      }
      expect(ids).toEqual((await things.find({ sort })).map(({ id }) => id));
    }),
  );
});
