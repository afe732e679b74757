import { type Failure, isBad, type RowResult, type RunResult, rowsOf, statusNames } from '../runner/result';
import { featureNames, type Json } from '../runner/row';
import { script } from './page-script';
import { style } from './page-style';
import { escaped, type Reporter } from './reporter';

const pretty = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return escaped(text.length > 20_000 ? `${text.slice(0, 20_000)}… (${text.length} characters)` : text);
};

/** With quotation marks, which tell a text from a number. */
const exact = (value: unknown): string => pretty(JSON.stringify(value, null, 2) ?? 'nothing');

/** What was sent is mostly JSON, and reads better so. */
function sent(body: string): unknown {
  try {
    return JSON.parse(body) as Json;
  } catch {
    return body;
  }
}

function failureOf({ step, request, expected, answer, differences }: Failure): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\n`);
  const body = request.body === undefined ? '' : `\n${pretty(sent(request.body))}`;
  const given = answer ? `${answer.status} ${answer.type}\n${pretty(answer.body)}` : 'no answer';
  const rows = differences.map(
    ({ path, expected: wanted, got }) =>
      `<tr><td><code>${escaped(path)}</code></td><td><code>${exact(wanted)}</code></td><td><code>${exact(got)}</code></td></tr>`,
  );
  return `<h3>Differences</h3><table><thead><tr><th>where</th><th>expected</th><th>got</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<h3>Request of step ${step}</h3><pre>${escaped(`${request.method} ${request.path}\n${headers.join('')}`)}${body}</pre>
<h3>Expectation</h3><pre>${pretty(expected)}</pre>
<h3>Answer</h3><pre>${given}</pre>`;
}

const rowOf = (
  row: RowResult,
): string => `<details class="row ${row.status}" id="${escaped(row.id)}" data-status="${row.status}">
<summary><span class="status">${row.status}</span><span>${escaped(row.title)}<small>${escaped(row.id)}</small></span><span class="level">${row.level}</span></summary>
<div class="inside">${row.reason ? `<p>${escaped(row.reason)}</p>` : ''}<p class="note">${row.rules.length > 0 ? `proves ${escaped(row.rules.join(', '))}, ` : ''}${row.milliseconds} ms</p>
${row.failure ? failureOf(row.failure) : ''}</div></details>`;

const areaOf = ({ area, rows }: RunResult['areas'][number]): string => {
  const passed = rows.filter(({ status }) => status === 'pass').length;
  return `<details class="area"${rows.some(isBad) ? ' open' : ''}><summary>${escaped(area)}<span>${passed} of ${rows.length}</span></summary>
${rows.map(rowOf).join('\n')}</details>`;
};

const present = ({ counts }: RunResult) => statusNames.filter((status) => counts[status] > 0);

function headOf(result: RunResult): string {
  const total = rowsOf(result).length;
  const share = (count: number) => ((count / Math.max(total, 1)) * 100).toFixed(2);
  const bar = present(result).map(
    (status) => `<i class="${status}" style="width:${share(result.counts[status])}%"></i>`,
  );
  const counts = present(result).map((status) => `${result.counts[status]} ${status}`);
  const declared = new Set(result.features);
  const chips = featureNames.map((name) => `<li${declared.has(name) ? '' : ' class="off"'}>${name}</li>`);
  const took = `${(result.milliseconds / 1000).toFixed(1)} s`;
  return `<h1>Conformance of ${escaped(result.target)}</h1>
<p>${counts.join(', ')} · ${escaped(result.started.replace('T', ' ').slice(0, 16))} UTC · ${took}</p>
<div class="bar" role="img" aria-label="${counts.join(', ')}">${bar.join('')}</div>
<ul class="chips" aria-label="Declared features">${chips.join('')}</ul>`;
}

const toolsOf = (result: RunResult): string => `<div class="tools"><div>
<input type="search" placeholder="Search: an id, a word, a path, a rule ( / )" aria-label="Search">
<button data-status="" aria-pressed="true">all</button>
${present(result)
  .map((status) => `<button data-status="${status}" aria-pressed="false">${status} ${result.counts[status]}</button>`)
  .join('\n')}
</div></div>`;

/** One file that needs nothing else, to be read in a browser. */
export const page: Reporter = (result) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Conformance of ${escaped(result.target)}</title>
<style>${style}</style>
</head>
<body>
<header>${headOf(result)}</header>
${toolsOf(result)}
<main>
${result.leftovers.map((path) => `<p class="fail"><span class="status">left behind</span> ${escaped(path)}</p>`).join('\n')}
${result.areas.map(areaOf).join('\n')}
<p id="nothing" class="note" hidden>Nothing fits.</p>
<footer>Run ${escaped(result.run)}. A row passes when every step of it is answered as its expectation says; the rows are in conformance/spec.</footer>
</main>
<script>${script}</script>
</body>
</html>
`;
