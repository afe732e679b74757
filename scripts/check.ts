import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintSpec } from '../conformance/runner/lint';
import { featureWords } from './checks/feature-words';
import { fileLengths } from './checks/file-lengths';
import { crossedBoundaries } from './checks/import-boundaries';
import { importCycles } from './checks/import-cycles';
import { readSources } from './checks/sources';
import { hookReference, mayHoldHooks, silentHooks } from './hook-reference';
import { packageRoot } from './package-root';

const sources = readSources(packageRoot, ['core', 'plugins', 'conformance', 'config', 'scripts']);

function staleReference(): string[] {
  const bags = sources.filter(({ path }) => mayHoldHooks(path));
  const file = join(packageRoot, 'core', 'HOOKS.md');
  const isCurrent = existsSync(file) && readFileSync(file, 'utf8') === hookReference(bags);
  return [...silentHooks(bags), ...(isCurrent ? [] : ['core/HOOKS.md is out of date: run "npm run hooks".'])];
}

function lengthReport(): string[] {
  const { median, longest, tooLong } = fileLengths(sources);
  console.log(`  files: median ${median} lines, longest ${longest}`);
  for (const file of tooLong) console.log(`  note: ${file}`);
  return [];
}

const checks: Readonly<Record<string, () => readonly string[]>> = {
  'no word of a feature in core': () => featureWords(sources),
  'imports stay inside their boundaries': () => crossedBoundaries(sources),
  'no import cycles': () => importCycles(sources),
  'the hook reference is current': staleReference,
  'rows, catalogue and specification fit together': () => lintSpec().problems,
  'length of files': lengthReport,
};

let failed = 0;
for (const [name, check] of Object.entries(checks)) {
  const problems = check();
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}`);
  for (const problem of problems) console.log(`  ${problem}`);
  if (problems.length > 0) failed += 1;
}
process.exitCode = failed > 0 ? 1 : 0;
