import type { RowResult, RunResult, Status } from '../runner/result';
import { escaped, type Reporter } from './reporter';
import { explain } from './text';

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

function outcome(row: RowResult): string[] {
  const message = `message="${escaped(row.reason ?? row.title)}"`;
  const text = escaped(row.failure ? explain(row.failure) : (row.reason ?? ''));
  if (row.status === 'fail') return [`<failure type="${row.level}" ${message}>${text}</failure>`];
  if (row.status === 'error') return [`<error ${message}>${text}</error>`];
  return row.status === 'pass' ? [] : [`<skipped ${message}/>`];
}

function testCase(row: RowResult): string {
  const head = `<testcase classname="${escaped(row.area)}" name="${escaped(row.id)}" time="${seconds(row.milliseconds)}"`;
  const inside = outcome(row);
  return inside.length === 0 ? `    ${head}/>` : `    ${head}>${inside.join('')}</testcase>`;
}

function figures(rows: RowResult[]): string {
  const count = (...statuses: Status[]) => rows.filter(({ status }) => statuses.includes(status)).length;
  const time = seconds(rows.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  return `tests="${rows.length}" failures="${count('fail')}" errors="${count('error')}" skipped="${count('skip', 'disabled')}" time="${time}"`;
}

const suite = ({ area, rows }: RunResult['areas'][number]): string[] => [
  `  <testsuite name="${escaped(area)}" ${figures(rows)}>`,
  ...rows.map(testCase),
  '  </testsuite>',
];

/** As build servers read it: a suite per area, a case per row. */
export const junitReport: Reporter = (result) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escaped(`conformance of ${result.target}`)}" ${figures(result.areas.flatMap(({ rows }) => rows))}>`,
    ...result.areas.flatMap(suite),
    '</testsuites>',
    '',
  ].join('\n');
