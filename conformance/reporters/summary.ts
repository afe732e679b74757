import { type RunResult, rowsOf, type Status } from '../runner/result';
import type { Feature } from '../runner/row';
import { commonFeatures } from '../runner/row';

/** A run in a few lines, to be kept. */
export interface Summary {
  name: string;
  day: string;
  counts: Record<Status, number>;
  /** What the target declares off. */
  off: Feature[];
  areas: { area: string; pass: number; fail: number; skip: number }[];
  /** Ids of rows that failed. */
  failed: string[];
}

export function summaryOf(result: RunResult): Summary {
  const areas = result.areas.map(({ area, rows }) => {
    const count = (...statuses: Status[]) => rows.filter(({ status }) => statuses.includes(status)).length;
    return { area, pass: count('pass'), fail: count('fail', 'error'), skip: count('skip', 'disabled') };
  });
  return {
    name: result.target,
    day: result.started.slice(0, 10),
    counts: result.counts,
    off: commonFeatures.filter((feature) => !result.features.includes(feature)),
    areas: areas.filter(({ area }) => area !== 'Declared features'),
    failed: rowsOf(result)
      .filter(({ status }) => status === 'fail' || status === 'error')
      .map(({ id }) => id),
  };
}

const played = ({ pass, fail }: { pass: number; fail: number }): string =>
  pass + fail === 0 ? '–' : fail === 0 ? `${pass}` : `${pass} of ${pass + fail}`;

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

function table(head: string[], lines: (string | number)[][]): string {
  return [line(head), line(head.map(() => '---')), ...lines.map(line)].join('\n');
}

/** One line per target. */
export const overview = (summaries: Summary[]): string =>
  table(
    ['target', 'passed', 'failed', 'skipped', 'declared off', 'on'],
    summaries.map(({ name, day, counts, off }) => [
      name,
      counts.pass,
      counts.fail + counts.error,
      counts.skip + counts.disabled,
      off.join(', ') || 'nothing',
      day,
    ]),
  );

/** What is known of the targets that were checked, as a page of Markdown. */
export function summaryPage(files: string[], summaries: Summary[], deviations: Record<string, string>): string {
  const areas = [...new Set(summaries.flatMap((summary) => summary.areas.map(({ area }) => area)))].sort();
  const cell = (summary: Summary, area: string) => {
    const found = summary.areas.find((one) => one.area === area);
    return found ? played(found) : '–';
  };
  return `# Reports

Written by \`npm run reports\`: the fixture application on three databases, and a Strapi 5 project. Rows about the absence of a
feature are skipped where it is there.

${files.map((file) => `![${file}](${file}.svg)`).join(' ')}

${overview(summaries)}

What passed, of what was played:

${table(
  ['area', ...summaries.map(({ name }) => name)],
  areas.map((area) => [area, ...summaries.map((summary) => cell(summary, area))]),
)}

## Deviations of Strapi 5

\`peer-deviations.json\` lists the rows that Strapi 5 on SQLite answers otherwise; a run against it fails exactly these.

${table(
  ['row', 'why'],
  Object.entries(deviations).map(([id, why]) => [`\`${id}\``, why.replaceAll('|', '\\|')]),
)}
`;
}
