import type { Line } from './summary';

const width = 760;
const left = 190;
const right = 110;
const barHeight = 20;
const gap = 16;
const top = 44;

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

/** How many times the peer's requests per second each scenario reaches, as bars. */
export function chart(lines: readonly Line[], title: string): string {
  const shown = lines.filter(({ ratios }) => ratios.peer !== undefined && Number.isFinite(ratios.peer));
  const most = Math.max(1, ...shown.map(({ ratios }) => ratios.peer!));
  const room = width - left - right;
  const height = top + shown.length * (barHeight + gap) + 8;
  const bars = shown.map(({ scenario, ratios, figures }, index) => {
    const y = top + index * (barHeight + gap);
    const length = Math.max(2, (room * ratios.peer!) / most);
    const told = `${ratios.peer!.toFixed(0)} × (${figures.heddle!.perSecond.toFixed(0)}/s)`;
    return [
      `<text x="${left - 10}" y="${y + 15}" text-anchor="end">${escaped(scenario)}</text>`,
      `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="3" fill="#2f6f8f"/>`,
      `<text x="${(left + length + 8).toFixed(1)}" y="${y + 15}">${told}</text>`,
    ].join('');
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>text{font:14px system-ui,sans-serif;fill:#24292f}.t{font-weight:600}@media(prefers-color-scheme:dark){text{fill:#e6edf3}}</style>`,
    `<text class="t" x="10" y="24">${escaped(title)}</text>`,
    ...bars,
    '</svg>\n',
  ].join('\n');
}
