import { rowResult, summary } from '../runner/result';
import type { Row } from '../runner/row';
import { overview, summaryOf, summaryPage } from './summary';

const row = (id: string, area: string): Row => ({
  id,
  title: id,
  area,
  level: 'MUST',
  rules: ['spec.a'],
  source: 'specification',
  needs: ['rest'],
  steps: [],
});
const about = { run: 'r', started: '2026-01-02T03:04:05.000Z', milliseconds: 1, leftovers: [] };
const run = (target: string, failing: boolean) =>
  summary({ ...about, target, features: ['rest', 'graphql'] }, [
    rowResult(row('features.i18n.off', 'Declared features'), 'skip'),
    rowResult(row('sort.a', 'Sort'), 'pass'),
    rowResult(row('sort.b', 'Sort'), failing ? 'fail' : 'pass'),
    rowResult(row('locales.a', 'Locales'), 'skip'),
  ]);

test('a run is kept in a few lines', () => {
  expect(summaryOf(run('Ours', true))).toEqual({
    name: 'Ours',
    day: '2026-01-02',
    counts: { pass: 1, disabled: 0, skip: 2, fail: 1, error: 0 },
    off: ['draft-publish', 'i18n', 'upload', 'users-permissions', 'aggregates', 'beyond'],
    areas: [
      { area: 'Sort', pass: 1, fail: 1, skip: 0 },
      { area: 'Locales', pass: 0, fail: 0, skip: 1 },
    ],
    failed: ['sort.b'],
  });
});

test('several are told side by side, with the deviations and why', () => {
  const summaries = [summaryOf(run('Ours', false)), summaryOf(run('Theirs', true))];
  expect(overview(summaries)).toContain('| Ours | 2 | 0 | 2 |');
  const page = summaryPage(['ours', 'theirs'], summaries, { 'sort.b': 'It has | other ideas.' });
  expect(page).toContain('![ours](ours.svg) ![theirs](theirs.svg)');
  expect(page).toContain('| Sort | 2 | 1 of 2 |');
  expect(page).toContain('| Locales | – | – |');
  expect(page).toContain('| `sort.b` | It has \\| other ideas. |');
});
