import { statements, uncovered } from './document';
import { harmfulSteps } from './harmless';
import { load, type Specification } from './load';
import { matcherProblems } from './match';
import type { CatalogueEntry, Json, Step } from './row';
import { namesIn } from './template';

type Check = (specification: Specification) => string[];

const twice = (what: string, names: string[]): string[] =>
  [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
    (name) => `${what} "${name}" occurs twice`,
  );

const uniqueNames: Check = ({ rows, catalogue }) => [
  ...twice(
    'row id',
    rows.map((row) => row.id),
  ),
  ...twice(
    'row title',
    rows.map((row) => row.title),
  ),
  ...twice(
    'catalogue id',
    catalogue.map((entry) => entry.id),
  ),
];

const knownRules: Check = ({ rows, catalogue }) => {
  const untestable = new Map(catalogue.map((entry) => [entry.id, 'untestable' in entry]));
  return rows.flatMap((row) =>
    row.rules.flatMap((rule) => {
      if (untestable.get(rule)) return [`${row.id}: claims ${rule}, which the catalogue calls untestable`];
      return untestable.has(rule) ? [] : [`${row.id}: there is no catalogue entry ${rule}`];
    }),
  );
};

const trueQuotes: Check = ({ catalogue, document }) => {
  const said = statements(document);
  return catalogue
    .filter((entry) => !said.some(({ section, text }) => section === entry.section && text.includes(entry.quote)))
    .map((entry) => `${entry.id}: the section "${entry.section}" does not say "${entry.quote}"`);
};

const wholeDocument: Check = ({ catalogue, document }) =>
  statements(document).flatMap((statement) => {
    const quotes = catalogue.filter((entry) => entry.section === statement.section).map((entry) => entry.quote);
    const rest = uncovered(statement, quotes);
    return rest === '' ? [] : [`SPECIFICATION.md:${statement.line}: no catalogue entry quotes "${rest}"`];
  });

/** Entries that rows could prove and none does. */
export function openEntries({ catalogue, rows }: Specification): Extract<CatalogueEntry, { issue: number }>[] {
  const proven = new Set(rows.flatMap((row) => row.rules));
  return catalogue.filter((entry) => 'issue' in entry).filter((entry) => !proven.has(entry.id));
}

const provenSections: Check = ({ catalogue, rows }) => {
  const proven = new Set(rows.flatMap((row) => row.rules));
  const testable = catalogue.filter((entry) => 'issue' in entry);
  const bare = [...new Set(testable.map(({ section }) => section))].filter(
    (section) => !testable.some((entry) => entry.section === section && proven.has(entry.id)),
  );
  return bare.map((section) => `the section "${section}" has no row`);
};

const closedIssues: Check = (specification) =>
  openEntries(specification)
    .filter((entry) => specification.closed.includes(entry.issue))
    .map((entry) => `${entry.id}: issue ${entry.issue} is closed, but no row proves "${entry.quote}"`);

const soundMatchers: Check = (specification) =>
  stepsOf(specification).flatMap(({ owner, steps }) =>
    steps.flatMap(({ expect }, index) =>
      [expect.body, ...Object.values(expect.headers ?? {})]
        .filter((matcher): matcher is Json => matcher !== undefined)
        .flatMap(matcherProblems)
        .map((problem) => `${owner}, step ${index + 1}: ${problem}`),
    ),
  );

const playableRows: Check = ({ rows }) =>
  rows.flatMap((row) =>
    row.needs
      .filter((feature) => row.without?.includes(feature))
      .map((feature) => `${row.id}: needs ${feature} and its absence, so no target can play it`),
  );

const knownScenes: Check = ({ rows, scenes }) =>
  rows.flatMap((row) => (row.scene && !scenes[row.scene] ? [`${row.id}: there is no scene "${row.scene}"`] : []));

/** A value must be saved by an earlier step, or by the scene, before it is used. */
const knownNames: Check = (specification) =>
  stepsOf(specification).flatMap(({ owner, steps, given }) => {
    const known = new Set(given);
    return steps.flatMap((step, index) => {
      const used = [
        ...namesIn(JSON.stringify([step.request, step.expect, Object.values(step.save ?? {})])),
        ...userIn(step),
      ];
      const unknown = [...new Set(used)].filter((name) => !known.has(name));
      for (const name of Object.keys(step.save ?? {})) known.add(name);
      return unknown.map((name) => `${owner}, step ${index + 1}: nothing saved {{${name}}} before`);
    });
  });

const userIn = ({ request }: Step): string[] =>
  request.as?.startsWith('user:') ? [request.as.slice('user:'.length)] : [];

/** A write to a path without a document is a write to a single type, or a mistake. */
const guardedSingleTypes: Check = ({ rows }) =>
  rows.flatMap((row) =>
    row.steps
      .filter(
        ({ request, expect }) =>
          request.method === 'PUT' &&
          [expect.status].flat().some((status) => status < 300) &&
          /^\/api\/[^/]+$/.test(request.path),
      )
      .filter(({ request }) => request.path !== row.exclusive)
      .map(({ request }) => `${row.id}: writes ${request.path} and does not say "exclusive"`),
  );

const asksForAggregates = ({ request }: Step): boolean => /\baggregate\b/.test(JSON.stringify(request));

const aggregatesNeeded: Check = ({ rows }) =>
  rows
    .filter(({ needs, steps }) => steps.some(asksForAggregates) && !needs.includes('aggregates'))
    .map(({ id }) => `${id}: asks for aggregates and does not need the feature`);

const stepsOf = ({ rows, scenes, features }: Specification) => [
  ...Object.entries(features).map(([name, { off }]) => ({ owner: `feature ${name}`, steps: off, given: ['row'] })),
  ...Object.entries(scenes).map(([name, { steps }]) => ({ owner: `scene ${name}`, steps, given: ['run'] })),
  ...rows.map((row) => ({
    owner: row.id,
    steps: row.steps,
    given: ['run', 'row', ...(scenes[row.scene ?? '']?.steps ?? []).flatMap((step) => Object.keys(step.save ?? {}))],
  })),
];

const aboutProof: Check[] = [provenSections, closedIssues];

const checks: Check[] = [
  uniqueNames,
  knownRules,
  trueQuotes,
  wholeDocument,
  provenSections,
  closedIssues,
  soundMatchers,
  playableRows,
  knownScenes,
  knownNames,
  guardedSingleTypes,
  harmfulSteps,
  aggregatesNeeded,
];

/** Rows of all ways, but what is proven is proven by those of the specification. */
export const problemsOf = (specification: Specification): string[] => {
  const everyRow = { ...specification, rows: [...specification.rows, ...specification.smoke] };
  return checks.flatMap((check) => check(aboutProof.includes(check) ? specification : everyRow));
};

export interface LintResult {
  problems: string[];
  /** Issue → catalogue ids that still need a row. */
  open: Record<number, string[]>;
}

export function lintSpec(folder?: string): LintResult {
  const { specification, problems } = load(folder);
  const open: Record<number, string[]> = {};
  for (const { issue, id } of openEntries(specification)) open[issue] = [...(open[issue] ?? []), id];
  return { problems: [...problems, ...problemsOf(specification)], open };
}

export function lintReport({ problems, open }: LintResult): string {
  const lines = Object.entries(open).map(([issue, ids]) => `issue ${issue}: ${ids.length} open: ${ids.join(', ')}`);
  return [...problems.map((problem) => `! ${problem}`), ...lines, `${problems.length} problems`, ''].join('\n');
}
