import { type Failure, isBad, type RowResult, type RunResult, statusNames } from '../runner/result';
import { commonFeatures, featureNames, type Json } from '../runner/row';
import { documentPage } from './document-page';
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

function chips(result: RunResult): string {
  const declared = new Set(result.features);
  const told = featureNames.filter((name) => declared.has(name) || commonFeatures.some((common) => common === name));
  const items = told.map((name) => `<li${declared.has(name) ? '' : ' class="off"'}>${name}</li>`);
  return `<ul class="chips" aria-label="Declared features">${items.join('')}</ul>`;
}

/** One file that needs nothing else, to be read in a browser. */
export const page: Reporter = (result) => {
  const took = `${(result.milliseconds / 1000).toFixed(1)} s`;
  const left = result.leftovers.map(
    (path) => `<p class="fail"><span class="status">left behind</span> ${escaped(path)}</p>`,
  );
  return documentPage({
    title: `Conformance of ${result.target}`,
    about: `${result.started.replace('T', ' ').slice(0, 16)} UTC, ${took}`,
    counts: statusNames
      .filter((status) => result.counts[status] > 0)
      .map((status) => ({ name: status, kind: status, count: result.counts[status] })),
    head: chips(result),
    body: [...left, ...result.areas.map(areaOf)].join('\n'),
    foot: `Run ${result.run}. A row passes when every step of it is answered as its expectation says; the rows are in conformance/spec.`,
  });
};
