import { accessSync, constants, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { badge } from '../reporters/badge';
import { coveragePage } from '../reporters/coverage';
import { jsonReport } from '../reporters/json';
import { junitReport } from '../reporters/junit';
import { page } from '../reporters/page';
import type { Reporter } from '../reporters/reporter';
import type { Specification } from '../runner/load';
import type { RunResult } from '../runner/result';
import type { ConformOptions } from './settings';

type Output = [file: string, reporter: Reporter];

/** The reports that were asked for, each with the file that was named for it; a name that is empty asks for none. */
export function outputsOf(options: ConformOptions, specification: Specification): Output[] {
  const known: [file: string | undefined, reporter: Reporter][] = [
    [options.reportJson, jsonReport],
    [options.reportJunit, junitReport],
    [options.reportHtml, page],
    [options.reportBadge, badge],
    [options.reportCoverage, (run) => coveragePage(specification, run)],
  ];
  return known.filter((output): output is Output => Boolean(output[0]));
}

const unwritable = (file: string, error: unknown): Error =>
  new Error(`The report ${file} can not be written: ${(error as Error).message}`);

/** A run may take long: that its reports have no place is said before. */
export function checkOutputs(outputs: readonly Output[]): void {
  for (const [file] of outputs) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      const found = statSync(file, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw new Error('it is a folder');
      accessSync(found ? file : dirname(file), constants.W_OK);
    } catch (error) {
      throw unwritable(file, error);
    }
  }
}

/** Writes what can be written, and returns what is wrong with the rest. */
export function writeOutputs(outputs: readonly Output[], result: RunResult): string[] {
  return outputs.flatMap(([file, reporter]) => {
    const report = reporter(result);
    try {
      writeFileSync(file, report);
      return [];
    } catch (error) {
      return [unwritable(file, error).message];
    }
  });
}
