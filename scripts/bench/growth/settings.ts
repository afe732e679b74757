import { Command, Option } from 'commander';
import { type Client, clients } from '../databases';
import { count, counts } from '../settings';

export interface GrowthSettings {
  readonly database: Client;
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly requests: number;
  readonly limit: number;
  readonly peer?: string;
  readonly json?: string;
}

/** Reads the command line. */
export const growthSettingsFrom = (args: readonly string[]): GrowthSettings =>
  new Command('npm run bench:growth --')
    .description('Measures what a start and requests, one at a time, cost with few documents and with many.')
    .addOption(new Option('--database <client>', 'where').choices(clients).default('sqlite'))
    .option('--sizes <numbers>', 'how many articles, the fewest first', counts, [10_000, 1_000_000])
    .option('--rounds <number>', 'how often all of it is measured', count, 3)
    .option('--requests <number>', 'of each scenario in a round', count, 200)
    .option('--limit <times>', 'how many times as long the same may take', Number.parseFloat, 1.3)
    .option('--peer <dir>', 'a Strapi project with the fixture content types, whose script `start PORT` runs it')
    .option('--json <file>', 'write all figures')
    .parse(args, { from: 'user' })
    .opts<GrowthSettings>();
