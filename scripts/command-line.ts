import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { processors } from '../core/processors';
import { declareAccessCommands } from './commands/access-commands';
import { declareKitCommands } from './commands/kit-commands';
import { declareLocaleCommands } from './commands/locale-commands';
import { version } from './package-root';
import { portOf } from './plain-start';

/** What a command answers; `start` and `dev` go on until they are told to stop. */
type Run = (options: never) => Promise<number>;

/** A wrong command line is told apart from a command that failed. */
const misused = 2;

function portNumber(text: string): number {
  const port = portOf(text);
  if (port === undefined) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}

const mostWorkers = 256;

function workerCount(text: string): number {
  if (text === 'max') return processors();
  const count = Number(text);
  if (!/^\d+$/.test(text) || count < 1 || count > mostWorkers)
    throw new InvalidArgumentError(`Give a number from 1 to ${mostWorkers}, or max.`);
  return count;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

function positive(text: string): number {
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('Give a number above 0.');
  return number;
}

const list = (text: string): string[] => text.split(',').filter((part) => part !== '');
const collected = (text: string, before: string[] = []): string[] => [...before, ...list(text)];

const appOption = () =>
  new Option('--app <dir>', "the application's folder (default: this folder if it is one, else Heddle's sample)");
const dataOption = () =>
  new Option('--data <dir>', 'where everything it writes is kept (default: .data in its folder)');

/** The whole command line. A command's code is loaded when the command is chosen. */
function program(finished: (code: number) => void): Command {
  const heddle = new Command('heddle')
    .description('Serves the content types of an application folder over REST and GraphQL.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError('(add --help for what there is)')
    .exitOverride();

  const command = (name: string, description: string, load: () => Run): Command =>
    heddle
      .command(name)
      .description(description)
      .action(async (options) => finished(await load()(options as never)));

  const serving = (name: string, description: string, load: () => Run): Command =>
    command(name, description, load)
      .addOption(appOption())
      .addOption(dataOption())
      .option('--port <number>', 'where to listen, before what config/server says', portNumber)
      .option('--host <address>', 'where to listen, before what config/server says');

  serving('start', 'run an application until it is told to stop', () => require('./commands/start').start).option(
    '--workers <number>',
    'how many processes serve, or "max" for one per processor that they may keep busy (default: this one)',
    workerCount,
  );
  serving('dev', 'run an application, and restart it when its files change', () => require('./commands/dev').dev);
  command('routes', 'list the routes, with the plugin each came from', () => require('./commands/routes').routes)
    .addOption(appOption())
    .option('--json', 'as JSON');
  command('types', 'write TypeScript types of the content types', () => require('./commands/types').types)
    .addOption(appOption())
    .option('--out <file>', 'the file to write (default: standard output)');
  command('doctor', 'look at an application without starting it', () => require('./commands/doctor').doctor)
    .addOption(appOption())
    .addOption(dataOption());
  declareKitCommands(heddle, finished);
  declareLocaleCommands(heddle, finished, () => [appOption(), dataOption()]);
  declareAccessCommands(heddle, finished, () => [appOption(), dataOption()]);
  command('conform', 'check a deployment against the specification', () => require('./commands/conform').conform)
    .option('--url <url>', 'where the deployment answers')
    .addOption(new Option('--token <key>', 'a full-access API token of the deployment').env('CONFORMANCE_TOKEN'))
    .addOption(
      new Option(
        '--tokens <keys>',
        'API tokens as read-only=KEY,custom=KEY,expired=KEY: rows about them are played, too',
      )
        .env('CONFORMANCE_TOKENS')
        .argParser(list),
    )
    .option('--name <name>', 'how reports call the deployment (default: its address)')
    .option('--profile <file>', 'a JSON file that says what the deployment is and has')
    .option('--fixtures-into <dir>', 'copy the content types that the rows are about into a project, and do no more')
    .option('--smoke', 'play only what needs no content types of ours')
    .option('--schema <dir>', "play rows derived from the deployment's own schema files; they only read")
    .option('--write', 'rows derived from schema files may write, too')
    .option(
      '--features <names>',
      'what the deployment offers, by commas (default: everything that needs no preparation)',
      list,
    )
    .option('--off <names>', 'features that are there and are not to be played', list)
    .option('--only <prefix>', 'only rows whose id starts so; may be repeated', collected)
    .option('--exclusive', 'nobody else uses the deployment: rows may write its single types')
    .option('--timeout <seconds>', 'how long to wait for an answer (default: 15)', positive)
    .option('--retries <number>', 'how often to send again what got no answer (default: 2)', wholeNumber)
    .option('--concurrency <number>', 'how many rows to play at a time (default: 1)', positive)
    .option('--deviations <file>', 'known deviations: pass when exactly those rows fail')
    .option('--report-json <file>', 'write everything as JSON')
    .option('--report-junit <file>', 'write JUnit XML, for build servers')
    .option('--report-html <file>', 'write a page to read and search')
    .option('--report-badge <file>', 'write a badge as SVG')
    .option('--report-coverage <file>', 'write a page of what the specification says and which rows prove it')
    .option('--verbose', 'print every row');
  return heddle;
}

/** Runs what a command line asks for; answers the exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  let code = 0;
  const heddle = program((answer) => {
    code = answer;
  });
  if (args.length === 0) {
    heddle.outputHelp({ error: true });
    return misused;
  }
  try {
    await heddle.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
    throw error;
  }
}
