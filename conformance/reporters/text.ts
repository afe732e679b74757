import { type Failure, isBad, type RowResult, rowsOf, type Status, statusNames } from '../runner/result';
import type { Reporter } from './reporter';

export const marks: Record<Status, string> = { pass: '✓', disabled: '·', skip: '-', fail: '✗', error: '!' };

const brief = (value: unknown, length = 600): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
};

export const lineOf = (row: RowResult): string =>
  `${marks[row.status]} ${row.id}  ${row.title}${row.reason ? ` (${row.reason})` : ''}`;

export function explain(failure: Failure): string {
  const { request, expected, answer } = failure;
  return [
    `step ${failure.step}: ${request.method} ${request.path}`,
    ...(request.body === undefined ? [] : [`sent ${brief(request.body)}`]),
    `wanted ${brief(expected)}`,
    ...(answer ? [`answered ${answer.status} ${answer.type} ${brief(answer.body)}`] : []),
    ...failure.differences.map(({ path, expected, got }) => `${path}: expected ${brief(expected)}, got ${brief(got)}`),
  ].join('\n');
}

const detail = (row: RowResult): string[] => [
  `${lineOf(row)} [${row.level}]`,
  ...(row.failure
    ? explain(row.failure)
        .split('\n')
        .map((line) => `    ${line}`)
    : []),
];

/** For a terminal: a line per area, and all that is wrong. */
export const textReport: Reporter = (result) =>
  [
    `${result.target}: ${result.status}`,
    ...result.areas.map(({ area, status, rows }) => {
      const passed = rows.filter((row) => row.status === 'pass').length;
      return `${marks[status]} ${area}: ${passed} of ${rows.length}`;
    }),
    ...rowsOf(result).filter(isBad).flatMap(detail),
    ...result.leftovers.map((path) => `! left behind: ${path}`),
    statusNames.map((status) => `${result.counts[status]} ${status}`).join(', '),
    '',
  ].join('\n');
