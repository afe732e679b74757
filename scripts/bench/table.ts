import { columns } from '../commands/columns';
import type { Figures, Line } from './summary';

const whole = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(0));
const milliseconds = (figures: Figures | undefined): string =>
  figures ? `${figures.p50.toFixed(2)} / ${figures.p99.toFixed(2)}` : '';

const processor = (figures: Figures | undefined): string =>
  Number.isFinite(figures?.processor) ? figures!.processor.toFixed(2) : '';

function times(line: Line, reference: 'peer' | 'floor'): string {
  const reached = line.ratios[reference];
  if (reached === undefined || Number.isNaN(reached)) return '';
  const target = line.targets[reference];
  const isShort = target !== undefined && reached < target;
  return `${reached.toFixed(1)}${target === undefined ? '' : ` of ${target}`}${isShort ? ' !' : ''}`;
}

const failures = (line: Line): string =>
  Object.entries(line.figures)
    .filter(([, figures]) => figures.failed > 0)
    .map(([name, { failed, failure }]) => `${name} failed ${failed} times, first with ${failure}`)
    .join(', ');

const titles = [
  'scenario',
  'as',
  'conn.',
  'req/s',
  'CPU ms',
  'p50 / p99 ms',
  'floor',
  'CPU ms',
  'times',
  'peer',
  'CPU ms',
  'p50 / p99 ms',
  'times',
  '',
];

/** The lines as a table for a terminal; `!` marks what falls short of its target. */
export const table = (lines: readonly Line[]): string =>
  columns([
    titles,
    ...lines.map((line) => [
      line.scenario,
      line.caller,
      String(line.connections),
      whole(line.figures.heddle?.perSecond),
      processor(line.figures.heddle),
      milliseconds(line.figures.heddle),
      whole(line.figures.floor?.perSecond),
      processor(line.figures.floor),
      times(line, 'floor'),
      whole(line.figures.peer?.perSecond),
      processor(line.figures.peer),
      milliseconds(line.figures.peer),
      times(line, 'peer'),
      failures(line),
    ]),
  ]);
