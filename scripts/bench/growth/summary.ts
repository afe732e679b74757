import { columns } from '../../commands/columns';
import { median } from '../summary';
import { firstCount, type Timing } from './measure';

/** What a scenario costs a candidate by size, and how many times more with the most documents than with the fewest. */
export interface GrowthLine {
  readonly candidate: Timing['candidate'];
  readonly scenario: string;
  /** Median milliseconds, the fewest documents first. */
  readonly costs: readonly number[];
  readonly times: number;
  /** Absent where it is told only. */
  readonly limit?: number;
}

/** Ratios are taken within a round, in which all sizes met the same machine. */
export function summarizeGrowth(timings: readonly Timing[], sizes: readonly number[], limit: number): GrowthLine[] {
  const keys = new Map(timings.map(({ candidate, scenario }) => [`${candidate} ${scenario}`, { candidate, scenario }]));
  return [...keys.values()].map(({ candidate, scenario }) => {
    const own = timings.filter((each) => each.candidate === candidate && each.scenario === scenario);
    const costs = sizes.map((size) => median(own.filter((each) => each.size === size).flatMap(({ times }) => times)));
    const rounds = [...new Set(own.map(({ round }) => round))];
    const cost = (round: number, size: number): number =>
      median(own.filter((each) => each.round === round && each.size === size).flatMap(({ times }) => times));
    const ratios = rounds.map((round) => cost(round, sizes.at(-1)!) / cost(round, sizes[0]!));
    const isTold = candidate !== 'heddle' || scenario === firstCount;
    return { candidate, scenario, costs, times: median(ratios), ...(!isTold && { limit }) };
  });
}

const inTable = ({ candidate, scenario, costs, times, limit }: GrowthLine): string[] => [
  scenario,
  candidate,
  ...costs.map((cost) => cost.toFixed(2)),
  `${times.toFixed(2)}${limit === undefined ? '' : ` of ${limit}`}${limit !== undefined && times > limit ? ' !' : ''}`,
];

/** The lines as a table for a terminal; `!` marks what grows by more than its limit. */
export const growthTable = (lines: readonly GrowthLine[], sizes: readonly number[]): string =>
  columns([
    ['scenario', '', ...sizes.map((size) => `${size.toLocaleString('en')} (ms)`), 'times'],
    ...lines.map(inTable),
  ]);
