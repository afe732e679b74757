import { sideBySide } from './side-by-side.fixture';

test('two whole runs at once pass beside the content of others, and leave the database as it was', async () => {
  const { results, bad, before, after } = await sideBySide({});
  expect(bad).toEqual([]);
  expect(results.map(({ leftovers }) => leftovers)).toEqual([[], []]);
  expect(results.every(({ counts }) => counts.pass > 600)).toBe(true);
  expect(after).toEqual(before);
}, 300_000);
