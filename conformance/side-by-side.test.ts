import { sideBySide } from './side-by-side.fixture';

// Some hundred requests and more, of two runs, on whatever machine.
jest.setTimeout(120_000);

// What is shared by all users of a deployment, and lists; the rest is in side-by-side.long.test.ts.
const only = ['roles.queries', 'uploads.list', 'media.ref', 'graphql.mutations', 'single', 'drafts.', 'writes.'];

test('two runs at once pass beside the content of others, and leave the database as it was', async () => {
  const { results, bad, before, after } = await sideBySide({ only });
  expect(bad).toEqual([]);
  expect(results.map(({ leftovers }) => leftovers)).toEqual([[], []]);
  expect(results.every(({ counts }) => counts.pass > 60)).toBe(true);
  expect(after).toEqual(before);
});

test('a run that is interrupted leaves the database as it was', async () => {
  const stop = new AbortController();
  let played = 0;
  const onRow = () => {
    played += 1;
    if (played === 12) stop.abort();
  };
  const { results, before, after } = await sideBySide({ only, onRow, signal: stop.signal });
  expect(results.reduce((sum, { counts }) => sum + counts.pass, 0)).toBeLessThan(20);
  expect(after).toEqual(before);
});
