import { type Failure, type RowResult, type RunResult, type Status, statusNames } from './result';

/** Turns a finished run into a text; where the text goes is the caller's affair. */
export type Reporter = (result: RunResult) => string;

const marks: Record<Status, string> = { pass: '✓', disabled: '·', skip: '-', fail: '✗', error: '!' };

const brief = (value: unknown, length = 600): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > length ? `${text.slice(0, length)}…` : text;
};

export const lineOf = (row: RowResult): string =>
  `${marks[row.status]} ${row.id}  ${row.title}${row.reason ? ` (${row.reason})` : ''}`;

export function explain(failure: Failure): string {
  const { request, answer } = failure;
  return [
    `step ${failure.step}: ${request.method} ${request.path}`,
    ...(request.body === undefined ? [] : [`sent ${brief(request.body)}`]),
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

export const textReport: Reporter = (result) => {
  const rows = result.areas.flatMap((area) => area.rows);
  const bad = rows.filter((row) => row.status === 'fail' || row.status === 'error');
  return [
    `${result.target}: ${result.status}`,
    ...result.areas.map(({ area, status, rows: inside }) => {
      const passed = inside.filter((row) => row.status === 'pass').length;
      return `${marks[status]} ${area}: ${passed} of ${inside.length}`;
    }),
    ...bad.flatMap(detail),
    ...result.leftovers.map((path) => `! left behind: ${path}`),
    statusNames.map((status) => `${result.counts[status]} ${status}`).join(', '),
    '',
  ].join('\n');
};

export const jsonReport: Reporter = (result) => `${JSON.stringify(result, null, 2)}\n`;
