import { Command, InvalidArgumentError, Option } from 'commander';
import { count, counts, project, writable } from '../arguments';
import { type Client, clients } from '../databases';
import { originals } from './content';
import { fewest } from './scenarios';

export interface GrowthSettings {
  readonly database: Client;
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly requests: number;
  readonly limit: number;
  readonly peer?: string;
  readonly json?: string;
}

function sizes(text: string): number[] {
  const asked = counts(text);
  if (asked.some((size) => size < fewest || size % originals !== 0))
    throw new InvalidArgumentError(`Give whole thousands of articles, ${fewest} at least, for a page far behind.`);
  if (asked.some((size, at) => at > 0 && size <= asked[at - 1]!))
    throw new InvalidArgumentError('Give the fewest first.');
  return asked;
}

function limit(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('A number such as 1.3.');
  return Number(text);
}

/** Reads the command line. */
export const growthSettingsFrom = (args: readonly string[]): GrowthSettings =>
  new Command('npm run bench:growth --')
    .description('Measures what a start and requests, one at a time, cost with few documents and with many.')
    .addOption(new Option('--database <client>', 'where').choices(clients).default('sqlite'))
    .option(
      '--sizes <numbers>',
      `how many articles, in whole thousands from ${fewest} on, such as 10k,1M, the fewest first`,
      sizes,
      [10_000, 1_000_000],
    )
    .option('--rounds <number>', 'how often all of it is measured', count, 3)
    .option('--requests <number>', 'of each scenario in a round', count, 200)
    .option('--limit <times>', 'how many times as long the same may take', limit, 1.3)
    .option(
      '--peer <dir>',
      'a Strapi project with the fixture content types, whose script `start PORT` runs it',
      project,
    )
    .option('--json <file>', 'write all figures', writable)
    .parse(args, { from: 'user' })
    .opts<GrowthSettings>();
