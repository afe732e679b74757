import { validSpecification } from '../runner/load';
import { rowResult, summary } from '../runner/result';
import { coverage, coveragePage } from './coverage';

const specification = validSpecification();
const about = {
  target: 'x',
  run: 'r',
  started: '2026-01-02T03:04:05.000Z',
  milliseconds: 1,
  features: [],
  leftovers: [],
};
const played = specification.rows.map((row) =>
  rowResult(row, row.id === 'sort.field' ? 'fail' : row.area === 'Pagination' ? 'skip' : 'pass'),
);
const result = summary(about, played);
const sections = coverage(specification, result);
const section = (name: string) => sections.find((one) => one.section === name)!;

test('every rule of the catalogue stands in its section, in the order of the document', () => {
  expect(sections.flatMap(({ rules }) => rules.map(({ id }) => id)).sort()).toEqual(
    specification.catalogue.map(({ id }) => id).sort(),
  );
  const names = sections.map((one) => one.section);
  expect(names.indexOf('Filters')).toBeLessThan(names.indexOf('Sort'));
});

test('a rule is as good as the worst of its rows that was played', () => {
  const failing = section('Sort').rules.filter(({ rows }) => rows.some(({ id }) => id === 'sort.field'));
  expect(failing.length).toBeGreaterThan(0);
  expect(failing.every(({ proof }) => proof === 'fail')).toBe(true);
  expect(section('Pagination (REST)').rules.some(({ proof }) => proof === 'skip')).toBe(true);
  const none = coverage(specification, summary(about, []));
  expect(none.flatMap(({ rules }) => rules).some(({ proof }) => proof === 'not played')).toBe(true);
});

test('what is untestable says why', () => {
  const untestable = sections.flatMap(({ rules }) => rules).filter(({ proof }) => proof === 'untestable');
  expect(untestable.length).toBeGreaterThan(0);
  expect(untestable.every(({ reason, rows }) => (reason ?? '').length > 10 && rows.length === 0)).toBe(true);
});

test('the page names sections, rows and reasons', () => {
  const html = coveragePage(specification, result);
  expect(html).toContain('<code>sort.field</code></td><td>fail</td>');
  expect(html).toContain('GraphQL customization (programmatic)');
  expect(html).toContain('nothing to test');
});
