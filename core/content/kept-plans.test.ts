import { inMemory, operationOn } from './content.fixture';

test('plans of long statements make room for each other, and one that is used stays', async () => {
  const { documents, hooks, type, store } = inMemory({ name: { type: 'string' }, rating: { type: 'integer' } });
  const compiled: string[] = [];
  hooks.plan.tap('test', (plan, { query }) => {
    compiled.push(query.filters ? 'long' : 'usual');
    return plan;
  });
  const { prepare } = store;
  store.prepare = (plan) => ({ ...prepare(plan), size: 400_000 });
  const count = (what: string) => compiled.filter((each) => each === what).length;
  const shape = (odd: number) => ({
    filters: { $or: Array.from({ length: 8 }, (_, at) => ((odd >> at) % 2 ? { name: 'a' } : { rating: 1 })) },
  });
  const read = (query: object) => documents.read(operationOn(type, query));
  for (let odd = 0; odd < 100; odd++) {
    await read(shape(odd));
    await read({});
  }
  expect([count('long'), count('usual')]).toEqual([100, 1]);
  await read(shape(99));
  expect(count('long')).toBe(100);
  await read(shape(0));
  expect(count('long')).toBe(101);
});
