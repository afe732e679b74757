import { writeFileSync } from 'node:fs';
import { httpTarget } from '../targets/http';
import type { Target, TokenKeys } from '../targets/target';
import { readDeviations, surprises } from './deviations';
import { load } from './load';
import { jsonReport, lineOf, textReport } from './report';
import type { RunResult } from './result';
import { type Feature, featureNames, tokenKinds } from './row';
import { run } from './run';
import type { Selection } from './select';

export interface ConformOptions extends Selection {
  url: string;
  token?: string | undefined;
  /** API tokens of each kind, as `kind=key`; with them the target declares `api-tokens`. */
  tokens?: readonly string[] | undefined;
  /** What the target declares, by the names of `featureNames`; when absent, what needs no preparation. */
  features?: string[] | undefined;
  /** Whether single types may be written. */
  exclusive?: boolean | undefined;
  /** Where to write the JSON report. */
  json?: string | undefined;
  /** A file of known deviations; the run then passes when exactly those rows fail. */
  deviations?: string | undefined;
  timeout?: number | undefined;
  print?: ((text: string) => void) | undefined;
  /** Prints every row as it ends. */
  verbose?: boolean | undefined;
}

export type ExitCode = 0 | 1 | 2;

/** The whole of `conform`: 0 pass, 1 a MUST failed, 2 could not run. */
export async function conform(options: ConformOptions): Promise<ExitCode> {
  const print = options.print ?? ((text: string) => void process.stdout.write(text));
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const { specification, problems } = load();
    if (problems.length > 0) throw new Error(`The rows are not valid:\n${problems.join('\n')}`);
    const target = httpTarget({ ...options, features: known(options.features), tokens: tokenKeys(options.tokens) });
    await reach(target, options.timeout ?? 15_000);
    const onRow = options.verbose ? (row: Parameters<typeof lineOf>[0]) => print(`${lineOf(row)}\n`) : undefined;
    const result = await run({ ...options, ...specification, target, signal: stop.signal, onRow });
    if (options.json) writeFileSync(options.json, jsonReport(result));
    print(textReport(result));
    return stop.signal.aborted ? 2 : exitCode(result, options.deviations, print);
  } catch (error) {
    print(`Could not run: ${(error as Error).message}\n`);
    return 2;
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

function tokenKeys(given: readonly string[] | undefined): TokenKeys | undefined {
  if (!given) return undefined;
  const keys = Object.fromEntries(given.map((each) => [each.split('=')[0], each.slice(each.indexOf('=') + 1)]));
  if (given.length === tokenKinds.length && tokenKinds.every((kind) => keys[kind])) return keys as TokenKeys;
  throw new Error(`API tokens are given as ${tokenKinds.map((kind) => `${kind}=KEY`).join(',')}.`);
}

function known(names: string[] | undefined): Feature[] | undefined {
  return names?.map((name) => {
    const feature = featureNames.find((candidate) => candidate === name);
    if (!feature) throw new Error(`There is no feature "${name}"; the features are ${featureNames.join(', ')}.`);
    return feature;
  });
}

async function reach(target: Target, timeout: number): Promise<void> {
  try {
    await target.send({ method: 'GET', path: '/api', headers: {} }, AbortSignal.timeout(timeout));
  } catch (error) {
    const { cause, message } = error as Error & { cause?: Error };
    throw new Error(`${target.name} does not answer: ${cause?.message || message}`);
  }
}

function exitCode(result: RunResult, deviations: string | undefined, print: (text: string) => void): ExitCode {
  const rows = result.areas.flatMap((area) => area.rows);
  if (rows.length === 0 || rows.some((row) => row.status === 'error')) return 2;
  if (!deviations) return rows.some((row) => row.status === 'fail' && row.level === 'MUST') ? 1 : 0;
  const bad = surprises(result, readDeviations(deviations));
  print(bad.map((line) => `! ${line}\n`).join(''));
  return bad.length > 0 ? 1 : 0;
}
