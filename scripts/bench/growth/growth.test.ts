import { refusing } from '../refusing.fixture';
import type { Timing } from './measure';
import { firstCount } from './measure';
import { growthSettingsFrom } from './settings';
import { growthTable, summarizeGrowth } from './summary';

const timed = (scenario: string, size: number, round: number, ...times: number[]): Timing => ({
  candidate: 'heddle',
  scenario,
  size,
  round,
  times,
});

const timings = [
  timed('page 1', 10, 1, 1, 1, 9),
  timed('page 1', 1_000, 1, 1.2, 1.1, 1.2),
  // A slow machine is slow for both sizes.
  timed('page 1', 10, 2, 10, 10, 10),
  timed('page 1', 1_000, 2, 14, 12, 13),
  timed(firstCount, 10, 1, 1),
  timed(firstCount, 1_000, 1, 20),
];

test('ratios are medians of rounds, in which both sizes met the same machine', () => {
  const [page, counted] = summarizeGrowth(timings, [10, 1_000], 1.3);
  expect(page).toMatchObject({ scenario: 'page 1', times: 1.25, limit: 1.3 });
  expect(counted).toEqual({ candidate: 'heddle', scenario: firstCount, costs: [1, 20], times: 20 });
});

test('the table marks what grows by more than its limit, and only tells of the first count', () => {
  const text = growthTable(summarizeGrowth(timings, [10, 1_000], 1.2), [10, 1_000]);
  expect(text).toMatch(/page 1 +heddle .* 1\.25 of 1\.2 !/);
  expect(text).toMatch(/counted anew +heddle +1\.00 +20\.00 +20\.00$/m);
});

test('sizes have units', () => {
  expect(growthSettingsFrom(['--sizes', '15k,2M', '--limit', '1.5'])).toEqual({
    database: 'sqlite',
    sizes: [15_000, 2_000_000],
    rounds: 3,
    requests: 200,
    limit: 1.5,
  });
});

test.each([
  [['--sizes', '10k,10500'], 'Give whole thousands of articles, 10000 at least'],
  [['--sizes', '9k,1M'], 'Give whole thousands of articles, 10000 at least'],
  [['--sizes', '1M,10k'], 'Give the fewest first.'],
  [['--limit', 'abc'], 'A number such as 1.3.'],
  [['--limit', '1.5x'], 'A number such as 1.3.'],
])('%j is refused', (args, told) => {
  expect(refusing(() => growthSettingsFrom(args))).toContain(told);
});
