import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../../core';
import type { Trial } from '../kit/trial';
import { type FolderOptions, foldersOf } from './application-folder';
import { inScratchFolder } from './scratch-folder';

const isTest = (file: string): boolean => /\.test\.[cm]?[jt]s$/.test(file);

const testsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => isTest(file) && !file.includes('node_modules'))
    .sort()
    .map((file) => join(folder, file));

const foldersIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : [];

/** The plugins to test: the one that is named, or all that have tests. */
function chosen(plugins: string, name: string | undefined): string[] {
  const known = foldersIn(plugins);
  if (name !== undefined && !known.includes(name))
    throw new Error(`There is no plugin "${name}" in ${plugins}.${didYouMean(name, known)}`);
  const tested = known.filter((each) => testsIn(join(plugins, each)).length > 0);
  if (name === undefined && tested.length === 0)
    throw new Error(`No plugin in ${plugins} has a test. Make one with its tests by "heddle plugin new NAME".`);
  if (name !== undefined && !tested.includes(name))
    throw new Error(`The plugin "${name}" has no test: no file of it ends in .test.ts.`);
  return name === undefined ? tested : [name];
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** In a process of its own, whose results are told by Node's own reporter. */
async function passes(trial: Trial): Promise<boolean> {
  const script = require.resolve('../kit/trial');
  const reporter = ['--test-reporter=spec', '--test-reporter-destination=stdout'];
  const child = spawn(process.execPath, [...reporter, script, JSON.stringify(trial)], { stdio: 'inherit' });
  const stop = (): void => void child.kill('SIGTERM');
  for (const signal of stopSignals) process.on(signal, stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  for (const signal of stopSignals) process.off(signal, stop);
  return code === 0;
}

/** Runs the tests of an application's plugins, each against the application with that plugin switched on. */
export async function testPlugins(name: string | undefined, options: Pick<FolderOptions, 'app'>): Promise<number> {
  const { appDir } = foldersOf(options);
  const plugins = join(appDir, 'src', 'plugins');
  let failed = 0;
  for (const plugin of chosen(plugins, name)) {
    const tests = testsIn(join(plugins, plugin));
    if (!(await inScratchFolder((dataDir) => passes({ appDir, dataDir, plugin, tests })))) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}
