import { Command, InvalidArgumentError, Option } from 'commander';
import { count, counts, project, writable } from './arguments';
import { type Client, clients } from './databases';
import { scenarios } from './scenarios';
import type { Caller } from './service';

export interface Settings {
  readonly peer?: string;
  readonly articles: number;
  readonly database: Client;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUp: number;
  readonly connections: readonly number[];
  readonly as: readonly Caller[];
  readonly only?: readonly string[];
  readonly cache?: boolean;
  readonly memory?: boolean;
  readonly json?: string;
  readonly svg?: string;
}

function names(text: string): string[] {
  const asked = text.split(',');
  const unknown = asked.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Known are ${scenarios.map(({ name }) => `"${name}"`).join(', ')}.`);
  return asked;
}

const callers: readonly Caller[] = ['token', 'public'];

function callersIn(text: string): Caller[] {
  const asked = text.split(',');
  const known = asked.filter((name): name is Caller => callers.some((caller) => caller === name));
  if (known.length < asked.length) throw new InvalidArgumentError(`Known are ${callers.join(' and ')}.`);
  return known;
}

/** Reads the command line. */
export function settingsFrom(args: readonly string[]): Settings {
  const command = new Command('npm run bench --')
    .description('Measures this build, a hand-written floor, and a Strapi project, in turn, on the same content.')
    .option(
      '--peer <dir>',
      'a Strapi project with the fixture content types, whose script `start PORT` runs it',
      project,
    )
    .option('--articles <number>', 'how many articles to fill the database with', count, 2_000)
    .addOption(new Option('--database <client>', 'where').choices(clients).default('sqlite'))
    .option('--rounds <number>', 'how often each is started and measured', count, 3)
    .option('--seconds <number>', 'how long each scenario is measured', count, 5)
    .option('--warm-up <number>', 'seconds of each scenario before those that count', count, 5)
    .option('--connections <numbers>', 'one after the other', counts, [1, 8, 64])
    .option('--as <callers>', 'who asks, with commas between them', callersIn, [...callers])
    .option(
      '--only <scenarios>',
      `these, with commas between them: ${scenarios.map(({ name }) => name).join(', ')}`,
      names,
    )
    .option('--cache', 'let Heddle keep answers, which is off otherwise')
    .option('--memory', 'measure memory, too: a minute and a half for each')
    .option('--json <file>', 'write all figures', writable)
    .option('--svg <file>', 'write a chart of the ratios to the peer', writable)
    .addHelpText(
      'after',
      `
The floor answers "list", "one document" and "populate=*" by hand, on SQLite: without any of what makes a content
service. A ratio stands beside what it is to reach, as in "30.1 of 25", and "!" behind one that does not.`,
    )
    .parse(args, { from: 'user' });
  const settings = command.opts<Settings>();
  if (settings.svg !== undefined && settings.peer === undefined) command.error('error: --svg needs --peer');
  return settings;
}
