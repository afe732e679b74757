import { openProgress, type Screen } from '../reporters/progress';
import { textReport } from '../reporters/text';
import { type Specification, validSpecification } from '../runner/load';
import { type RunResult, rowsOf } from '../runner/result';
import { run } from '../runner/run';
import { missingFeatures, selects } from '../runner/select';
import { httpTarget } from '../targets/http';
import type { Target } from '../targets/target';
import { readDeviations, surprises } from './deviations';
import { writeReports } from './outputs';
import { type ConformOptions, type Settings, settingsOf } from './settings';

export type ExitCode = 0 | 1 | 2;

const terminal: Screen = {
  write: (text) => void process.stdout.write(text),
  warn: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
  columns: process.stdout.columns ?? 80,
};

/** The whole of `conform`: 0 pass, 1 a MUST failed, 2 could not run. */
export async function conform(options: ConformOptions, screen: Screen = terminal): Promise<ExitCode> {
  const stop = new AbortController();
  const interrupt = () => {
    screen.write('\nInterrupted: taking away what the run made.\n');
    stop.abort();
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const settings = settingsOf(options);
    const specification = validSpecification();
    const result = await played(settings, specification, screen, stop.signal, options.verbose ?? false);
    writeReports(result, specification, options);
    screen.write(textReport(result));
    return stop.signal.aborted ? 2 : exitCode(result, settings.deviations, screen);
  } catch (error) {
    screen.warn(`Could not run: ${(error as Error).message}\n`);
    return 2;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function played(
  settings: Settings,
  specification: Specification,
  screen: Screen,
  signal: AbortSignal,
  verbose: boolean,
): Promise<RunResult> {
  const target = httpTarget(settings);
  await reach(target, settings.timeout);
  const rows = specification.rows.filter((row) => selects(settings, row));
  const total = rows.length + missingFeatures(rows, target, settings).length;
  const progress = openProgress(screen, total, verbose);
  try {
    return await run({ ...settings, ...specification, rows, target, signal, onRow: progress.row });
  } finally {
    progress.end();
  }
}

async function reach(target: Target, timeout: number): Promise<void> {
  try {
    await target.send({ method: 'GET', path: '/api', headers: {} }, AbortSignal.timeout(timeout));
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new Error(`${target.name} does not answer: ${cause?.message || message}`);
  }
}

function exitCode(result: RunResult, deviations: string | undefined, screen: Screen): ExitCode {
  const rows = rowsOf(result);
  const wasPlayed = rows.some(({ status }) => status === 'pass' || status === 'fail');
  if (!wasPlayed || rows.some((row) => row.status === 'error')) return 2;
  if (!deviations) return rows.some((row) => row.status === 'fail' && row.level === 'MUST') ? 1 : 0;
  const bad = surprises(result, readDeviations(deviations));
  screen.write(bad.map((line) => `! ${line}\n`).join(''));
  return bad.length > 0 ? 1 : 0;
}
