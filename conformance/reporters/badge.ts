import type { RunResult } from '../runner/result';
import { isBad, rowsOf } from '../runner/result';
import { escaped, type Reporter } from './reporter';

const letter = 6.6;
const padding = 12;
const widthOf = (text: string): number => Math.round(text.length * letter + padding);

/** What was played, and how it went. Only what a MUST says makes it red. */
function verdict(result: RunResult): { text: string; color: string } {
  const { pass, fail, error } = result.counts;
  const played = pass + fail + error;
  if (played === 0) return { text: 'not run', color: '#6e7781' };
  const failsMust = rowsOf(result).some((row) => isBad(row) && row.level === 'MUST');
  return { text: `${pass} of ${played}`, color: failsMust ? '#b42318' : fail + error > 0 ? '#9a6700' : '#1a7f37' };
}

/** A picture of one line, for a README. */
export const badge: Reporter = (result) => badgeOf('conformance', verdict(result));

/** The same for one of several targets, named. */
export const badgeFor = (name: string, result: RunResult): string => badgeOf(name, verdict(result));

function badgeOf(label: string, { text, color }: { text: string; color: string }): string {
  const [left, right] = [widthOf(label), widthOf(text)];
  const words = (content: string, x: number) =>
    `<text x="${x}" y="14" textLength="${Math.round(content.length * letter)}">${escaped(content)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escaped(`${label}: ${text}`)}">
  <title>${escaped(`${label}: ${text}`)}</title>
  <clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
  <g clip-path="url(#r)"><rect width="${left}" height="20" fill="#444c56"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>
  <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">
    ${words(label, left / 2)}
    ${words(text, left + right / 2)}
  </g>
</svg>
`;
}
