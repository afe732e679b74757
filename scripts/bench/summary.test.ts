import { chart } from './chart';
import type { Measurement } from './measure';
import { scenarios } from './scenarios';
import { median, summarize } from './summary';
import { table } from './table';

const measured = (candidate: Measurement['candidate'], round: number, perSecond: number): Measurement => ({
  candidate,
  scenario: 'list',
  caller: 'token',
  connections: 8,
  round,
  perSecond,
  answers: 1_000,
  p50: 1_000 / perSecond,
  p99: 2_000 / perSecond,
  processor: 900 / perSecond,
  ...(candidate === 'peer' ? { failed: 1, failure: '500 {}' } : { failed: 0 }),
});

const rounds = [
  measured('heddle', 1, 5_000),
  measured('peer', 1, 200),
  // A round in which the machine was busy.
  measured('heddle', 2, 1_000),
  measured('peer', 2, 50),
  measured('heddle', 3, 4_400),
  measured('peer', 3, 200),
];

test('the median of an odd and an even number of values, and of none', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, Number.NaN]);
});

test('ratios are taken within a round, where both met the same machine', () => {
  const [line] = summarize(rounds, scenarios);
  expect(line).toMatchObject({
    scenario: 'list',
    caller: 'token',
    connections: 8,
    figures: { heddle: { perSecond: 4_400, failed: 0 }, peer: { perSecond: 200, failed: 3 } },
    ratios: { peer: 22 },
    targets: { peer: 25, floor: 2 },
  });
});

test('the table marks what falls short of its target, and names what failed', () => {
  expect(table(summarize(rounds, scenarios))).toMatch(
    /list +token +8 +4400 +0\.20 .* 200 +4\.50 .* 22\.0 of 25 ! +peer failed 3 times, first with 500 \{\}$/,
  );
});

test('a scenario that is only told has no target', () => {
  const told = rounds.map((each) => ({ ...each, scenario: 'login' }));
  expect(table(summarize(told, scenarios))).toMatch(/ 22\.0 +peer failed/);
});

test('the chart shows the ratios, and nothing of a scenario that has none', () => {
  const lines = summarize([...rounds, { ...rounds[0]!, scenario: 'one <document>' }], scenarios);
  const svg = chart(lines, 'Times & more');
  expect(svg).toContain('22 × (4400/s)');
  expect(svg).toContain('Times &amp; more');
  expect(svg).not.toContain('one');
});
