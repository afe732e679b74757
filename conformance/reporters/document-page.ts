import { script } from './page-script';
import { style } from './page-style';
import { escaped } from './reporter';

export interface DocumentPage {
  title: string;
  /** A line under the title. */
  about: string;
  /** What the bar shows and the buttons select, with the class that colors it. */
  counts: { name: string; kind: string; count: number }[];
  /** Markup under the bar, and that of the page itself: areas with rows. */
  head: string;
  body: string;
  foot: string;
}

function bar(counts: DocumentPage['counts']): string {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const share = (count: number) => ((count / Math.max(total, 1)) * 100).toFixed(2);
  const parts = counts.map(({ kind, count }) => `<i class="${kind}" style="width:${share(count)}%"></i>`);
  const label = counts.map(({ name, count }) => `${count} ${name}`).join(', ');
  return `<p>${label}</p><div class="bar" role="img" aria-label="${label}">${parts.join('')}</div>`;
}

const tools = (counts: DocumentPage['counts']): string => `<div class="tools"><div>
<input type="search" placeholder="Search: an id, a word, a path, a rule ( / )" aria-label="Search">
<button data-status="" aria-pressed="true">all</button>
${counts.map(({ name, count }) => `<button data-status="${name}" aria-pressed="false">${name} ${count}</button>`).join('\n')}
</div></div>`;

/** One file that needs nothing else, to be read and searched in a browser. */
export const documentPage = ({ title, about, counts, head, body, foot }: DocumentPage): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${escaped(title)}</h1>
<p>${escaped(about)}</p>
${bar(counts)}
${head}</header>
${tools(counts)}
<main>
${body}
<p id="nothing" class="note" hidden>Nothing fits.</p>
<footer>${escaped(foot)}</footer>
</main>
<script>${script}</script>
</body>
</html>
`;
