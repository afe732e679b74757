import { refuseExcess } from './excess';

const times = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

test.each([
  ['a list without an operator', { filters: { sku: times(9_999) } }],
  ['moments in a list', { filters: { day: { $in: times(6_000).map((at) => new Date(at)) } } }],
  ['names in populate', { populate: Object.fromEntries(times(900).map((at) => [at, { fields: times(9) }])) }],
])('%s is no condition', (_, query) => {
  expect(() => refuseExcess(query)).not.toThrow();
});

test('the filters of populate are counted with those of the list', () => {
  const of = (count: number) => ({ $or: times(count).map((name) => ({ name })) });
  const query = (count: number) => ({ filters: of(4_000), populate: { tags: { filters: of(count) } } });
  expect(() => refuseExcess(query(1_000))).not.toThrow();
  expect(() => refuseExcess(query(1_001))).toThrow('Filters have too many conditions. The maximum is 5000.');
});
