import { type RowResult, summary } from '../runner/result';
import { badge } from './badge';
import { jsonReport } from './json';
import { junitReport } from './junit';
import { page } from './page';
import { openProgress, type Screen } from './progress';
import { textReport } from './text';

const row = (id: string, over: Partial<RowResult> = {}): RowResult => ({
  id,
  title: `Row ${id} <&>"`,
  area: 'Sort & order',
  level: 'MUST',
  rules: ['spec.sort.1'],
  status: 'pass',
  milliseconds: 1500,
  ...over,
});
const failed = row('sort.bad', {
  status: 'fail',
  failure: {
    step: 2,
    request: {
      method: 'POST',
      path: '/api/x?a=<b>',
      headers: { accept: 'application/json' },
      body: '{"a":"</script>"}',
    },
    expected: { status: 200, body: { data: '$any' } },
    answer: { status: 400, type: 'application/json', body: { error: 'bad \u0007' } },
    differences: [{ path: 'status', expected: 200, got: 400 }],
  },
});
const about = {
  target: 'http://x?<y>',
  run: 'crun',
  started: '2026-01-02T03:04:05.000Z',
  milliseconds: 1234,
  features: ['rest' as const],
  leftovers: ['DELETE /api/x answered 500'],
};
const result = summary(about, [
  row('sort.good'),
  failed,
  row('sort.off', { status: 'skip', reason: 'not here' }),
  row('other.broken', { area: 'Other', status: 'error', reason: 'no name' }),
]);

test('the text names row, request, expectation and answer of what failed, and what was left behind', () => {
  const text = textReport(result);
  expect(text).toContain('✗ Sort & order: 1 of 3');
  expect(text).toContain('✗ sort.bad  Row sort.bad <&>" [MUST]\n    step 2: POST /api/x?a=<b>\n    sent ');
  expect(text).toContain('wanted {"status":200,"body":{"data":"$any"}}');
  expect(text).toContain('answered 400 application/json');
  expect(text).toContain('status: expected 200, got 400');
  expect(text).toContain('! left behind: DELETE /api/x answered 500');
  expect(text).toMatch(/1 pass, 0 disabled, 1 skip, 1 fail, 1 error\n$/);
  expect(text).not.toContain('sort.good');
});

test('JSON holds everything', () => {
  expect(JSON.parse(jsonReport(result))).toEqual(JSON.parse(JSON.stringify(result)));
});

test('JUnit counts by suite and is well-formed', () => {
  const xml = junitReport(result);
  expect(xml).toContain(
    '<testsuite name="Sort &amp; order" tests="3" failures="1" errors="0" skipped="1" time="4.500">',
  );
  expect(xml).toContain('<testcase classname="Sort &amp; order" name="sort.good" time="1.500"/>');
  expect(xml).toContain('<failure type="MUST"');
  expect(xml).toContain('<skipped message="not here"/>');
  expect(xml).toContain('<error message="no name">no name</error>');
  expect(xml).not.toContain('\u0007');
  const open: string[] = [];
  for (const [, close, name, empty] of xml.matchAll(/<(\/?)(\w+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (close) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name as string);
  }
  expect(open).toEqual([]);
});

test('the page is one file, says everything, and nothing in it runs but its own script', () => {
  const html = page(result);
  expect(html).toContain('id="sort.bad" data-status="fail"');
  expect(html).toContain('POST /api/x?a=&lt;b&gt;');
  expect(html).toContain('left behind');
  expect(html).toContain('<li class="off">graphql</li>');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html).not.toMatch(/<(link|img|iframe)|\bsrc=|https?:\/\/(?!x\?)/);
});

test.each([
  [[row('a')], '1 of 1', '#1a7f37'],
  [[row('a'), { ...failed, level: 'SHOULD' as const }], '1 of 2', '#9a6700'],
  [[row('a'), failed], '1 of 2', '#b42318'],
  [[row('a', { status: 'skip' as const })], 'not run', '#6e7781'],
])('the badge tells what was played and how it went: %#', (rows, text, color) => {
  const svg = badge(summary(about, rows));
  expect(svg).toContain(`<title>conformance: ${text}</title>`);
  expect(svg).toContain(color);
});

function shown(rows: RowResult[], isTerminal: boolean, everyRow = false): string {
  let text = '';
  const screen: Screen = { write: (more) => (text += more), warn: () => undefined, isTerminal, columns: 30 };
  const progress = openProgress(screen, rows.length, everyRow);
  for (const one of rows) progress.row(one);
  progress.end();
  return text;
}

test('progress moves one line of a terminal, and tells at once what went wrong', () => {
  const text = shown([row('sort.good'), failed], true);
  const lines = text.split('\r\u001b[2K');
  expect(lines).toEqual([
    '',
    '1 of 2, 0 failed  sort.good',
    '✗ sort.bad  Row sort.bad <&>"\n',
    '2 of 2, 1 failed  sort.bad',
    '',
  ]);
});

test('elsewhere it is a line per tenth of the way, or per row', () => {
  const rows = Array.from({ length: 40 }, (_, index) => row(`r${index}`));
  expect(shown(rows, false).split('\n')).toHaveLength(11);
  expect(shown(rows, false, true).split('\n')).toHaveLength(41);
});
