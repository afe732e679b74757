import type { Specification } from '../runner/load';
import { type RunResult, rowsOf, type Status, worst } from '../runner/result';
import type { CatalogueEntry } from '../runner/row';
import { documentPage } from './document-page';
import { escaped } from './reporter';

export type Proof = Status | 'open' | 'untestable' | 'not played';

export interface CoveredRule {
  id: string;
  quote: string;
  proof: Proof;
  /** Why nothing can prove it. */
  reason?: string;
  rows: { id: string; status: Status | 'not played' }[];
}

export interface CoveredSection {
  section: string;
  rules: CoveredRule[];
}

/** A rule is as good as the worst of its rows that was played. */
function proofOf(entry: CatalogueEntry, rows: CoveredRule['rows']): Proof {
  if ('untestable' in entry) return 'untestable';
  if (rows.length === 0) return 'open';
  const played = rows.flatMap(({ status }) => (status === 'not played' ? [] : [status]));
  const telling = played.filter((status) => status !== 'skip' && status !== 'disabled');
  return played.length === 0 ? 'not played' : worst(telling.length > 0 ? telling : played);
}

/** Specification section → rules → rows → result, in the order of the document. */
export function coverage({ catalogue, rows, document }: Specification, result: RunResult): CoveredSection[] {
  const status = new Map(rowsOf(result).map((row) => [row.id, row.status]));
  const rule = (entry: CatalogueEntry): CoveredRule => {
    const proving = rows
      .filter((row) => row.rules.includes(entry.id))
      .map(({ id }) => ({ id, status: status.get(id) ?? ('not played' as const) }));
    const reason = 'untestable' in entry ? { reason: entry.untestable } : {};
    return { id: entry.id, quote: entry.quote, proof: proofOf(entry, proving), ...reason, rows: proving };
  };
  const headings = document.split('\n').flatMap((line) => /^#+ (.*)$/.exec(line)?.[1] ?? []);
  return headings
    .map((section) => ({ section, rules: catalogue.filter((entry) => entry.section === section).map(rule) }))
    .filter(({ rules }) => rules.length > 0);
}

/** Without the bars of a table's row. */
const plain = (quote: string): string => quote.replace(/^\| *| *\|$/g, '').replaceAll(' | ', ': ');

const classOf = (proof: Proof): string => (proof === 'open' ? 'fail' : proof === 'not played' ? 'skip' : proof);

function ruleOf({ id, quote, proof, reason, rows }: CoveredRule): string {
  const proving = rows.map(({ id: row, status }) => `<tr><td><code>${escaped(row)}</code></td><td>${status}</td></tr>`);
  const table = `<table><thead><tr><th>row</th><th>result</th></tr></thead><tbody>${proving.join('')}</tbody></table>`;
  const amount = rows.length === 1 ? '1 row' : `${rows.length} rows`;
  return `<details class="row ${classOf(proof)}" id="${escaped(id)}" data-status="${proof}">
<summary><span class="status">${proof}</span><span>${escaped(plain(quote))}<small>${escaped(id)}</small></span><span class="level">${amount}</span></summary>
<div class="inside">${reason ? `<p>${escaped(reason)}</p>` : ''}${rows.length > 0 ? table : ''}</div></details>`;
}

function sectionOf({ section, rules }: CoveredSection): string {
  const testable = rules.filter(({ proof }) => proof !== 'untestable');
  const passed = testable.filter(({ proof }) => proof === 'pass').length;
  const rows = new Set(rules.flatMap((rule) => rule.rows.map(({ id }) => id))).size;
  const tally = testable.length === 0 ? 'nothing to test' : `${passed} of ${testable.length} rules, ${rows} rows`;
  return `<details class="area"><summary>${escaped(section)}<span>${tally}</span></summary>
${rules.map(ruleOf).join('\n')}</details>`;
}

const order: readonly Proof[] = ['pass', 'untestable', 'disabled', 'skip', 'not played', 'open', 'fail', 'error'];

/** The same as a page: what of the specification was proven by which rows. */
export function coveragePage(specification: Specification, result: RunResult): string {
  const sections = coverage(specification, result);
  const rules = sections.flatMap((section) => section.rules);
  const counts = order
    .map((name) => ({ name, kind: classOf(name), count: rules.filter(({ proof }) => proof === name).length }))
    .filter(({ count }) => count > 0);
  return documentPage({
    title: `Coverage of the specification by ${result.target}`,
    about: `${rules.length} rules, ${rowsOf(result).length} rows`,
    counts,
    head: '',
    body: sections.map(sectionOf).join('\n'),
    foot: 'A rule is as good as the worst of its rows that was played. What is untestable says why.',
  });
}
