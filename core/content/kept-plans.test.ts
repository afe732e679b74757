import { inMemory, operationOn } from './content.fixture';

test('plans of long shapes make room for each other, and one that is used stays', async () => {
  const { documents, hooks, type } = inMemory({ name: { type: 'string' } });
  const compiled: string[] = [];
  hooks.plan.tap('test', (plan, { query }) => {
    compiled.push(query.filters ? 'long' : 'usual');
    return plan;
  });
  const count = (what: string) => compiled.filter((each) => each === what).length;
  const long = (odd: number) => ({
    filters: { $or: Array.from({ length: 380 }, (_, at) => ({ name: at === odd ? { $ne: 'a' } : 'a' })) },
  });
  const read = (query: object) => documents.read(operationOn(type, query));
  for (let odd = 0; odd < 150; odd++) {
    await read(long(odd));
    await read({});
  }
  expect([count('long'), count('usual')]).toEqual([150, 1]);
  await read(long(149));
  expect(count('long')).toBe(150);
  await read(long(0));
  expect(count('long')).toBe(151);
});
