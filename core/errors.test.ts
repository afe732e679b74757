import { type Issue, issuesError } from './errors';

const issue = (place: number): Issue => ({
  path: ['list', String(place)],
  message: `list[${place}] is wrong`,
  name: 'ValidationError',
});
const issues = (count: number): Issue[] => Array.from({ length: count }, (_, place) => issue(place));

test.each([
  [1, 'list[0] is wrong', 1],
  [2, '2 errors occurred', 2],
  [1_000, '1000 errors occurred', 1_000],
  [1_001, '1001 errors occurred', 1_000],
  [200_000, '200000 errors occurred', 1_000],
])('of %d mistakes all are counted, and no more than a thousand told', (count, message, told) => {
  const { message: found, details } = issuesError(issues(count));
  expect(found).toBe(message);
  expect(details!['errors']).toEqual(issues(told));
});
