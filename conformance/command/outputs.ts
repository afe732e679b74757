import { mkdirSync, writeFileSync } from 'node:fs';
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

/** Writes the reports that were asked for, each in the file that was named for it. */
export function writeReports(result: RunResult, specification: Specification, options: ConformOptions): void {
  const wanted: [file: string | undefined, reporter: Reporter][] = [
    [options.reportJson, jsonReport],
    [options.reportJunit, junitReport],
    [options.reportHtml, page],
    [options.reportBadge, badge],
    [options.reportCoverage, (run) => coveragePage(specification, run)],
  ];
  for (const [file, reporter] of wanted) {
    if (!file) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, reporter(result));
  }
}
