import { openProgress, type Screen } from '../reporters/progress';
import { textReport } from '../reporters/text';
import { validSpecification } from '../runner/load';
import { type RunResult, rowsOf } from '../runner/result';
import { type RunOptions, run } from '../runner/run';
import { missingFeatures, selects } from '../runner/select';
import { httpTarget } from '../targets/http';
import { checkDeviations, type Deviations, readDeviations, surprises } from './deviations';
import { untilInterrupted } from './interruption';
import { checkOutputs, outputsOf, writeOutputs } from './outputs';
import { reach, refuseUnfit } from './preconditions';
import { type ConformOptions, settingsOf } from './settings';
import { type Suite, suiteFor } from './suite';
import { writeFixtures } from './write-fixtures';

export type ExitCode = 0 | 1 | 2;

const terminal: Screen = {
  write: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 80,
};

/** The whole of `conform`: 0 pass, 1 a MUST failed, 2 could not run. */
export async function conform(options: ConformOptions, screen: Screen = terminal): Promise<ExitCode> {
  const stop = untilInterrupted(() => screen.write('\nInterrupted: taking away what the run made.\n'));
  try {
    if (options.fixturesInto) {
      screen.write(`Wrote ${writeFixtures(options.fixturesInto).join(', ')}.\n`);
      return 0;
    }
    const settings = settingsOf(options);
    const specification = validSpecification();
    const outputs = outputsOf(options, specification);
    checkOutputs(outputs);
    const known = settings.deviations === undefined ? undefined : readDeviations(settings.deviations);
    checkDeviations(known ?? {}, specification);
    await reach(httpTarget(settings), settings.timeout);
    const suite = await suiteFor(options, settings, specification);
    await refuseUnfit(options, settings, specification, suite);
    const result = await played(
      suite,
      { ...settings, ...specification },
      screen,
      stop.signal,
      options.verbose ?? false,
    );
    screen.write(textReport(result));
    const code = stop.signal.aborted ? 2 : exitCode(result, known, screen);
    const unwritten = writeOutputs(outputs, result);
    screen.warn(unwritten.map((problem) => `${problem}\n`).join(''));
    return unwritten.length > 0 ? 2 : code;
  } catch (error) {
    screen.warn(`Could not run: ${(error as Error).message}\n`);
    return 2;
  } finally {
    stop.end();
  }
}

async function played(
  suite: Suite,
  setting: Omit<RunOptions, keyof Suite>,
  screen: Screen,
  signal: AbortSignal,
  verbose: boolean,
): Promise<RunResult> {
  const selection = { ...setting, ...suite };
  const rows = suite.rows.filter((row) => selects(selection, row));
  const total = rows.length + missingFeatures(rows, suite.target, selection).length;
  if (total === 0) throw new Error('No row was chosen: no id begins as --only says.');
  const progress = openProgress(screen, total, verbose);
  try {
    return await run({ ...selection, signal, onRow: progress.row });
  } finally {
    progress.end();
  }
}

function exitCode(result: RunResult, known: Deviations | undefined, screen: Screen): ExitCode {
  const rows = rowsOf(result);
  const wasPlayed = rows.some(({ status }) => status === 'pass' || status === 'fail');
  if (!wasPlayed || rows.some((row) => row.status === 'error')) return 2;
  if (!known) return rows.some((row) => row.status === 'fail' && row.level === 'MUST') ? 1 : 0;
  const bad = surprises(result, known);
  screen.write(bad.map((line) => `! ${line}\n`).join(''));
  return bad.length > 0 ? 1 : 0;
}
