import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../package-root';
import { foldersOf } from './application-folder';
import { serveArguments } from './serve-arguments';
import type { StartOptions } from './start';
import { watchFiles } from './watch-files';

/** A developer waits for nobody's request in flight. */
const patience = 1_000;

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const impatient = setTimeout(() => child.kill('SIGKILL'), patience);
  await ended;
  clearTimeout(impatient);
}

/** Runs the application in a process of its own, and anew whenever a file of it changes; a broken one waits for that. */
export async function dev(options: StartOptions): Promise<number> {
  const { appDir, dataDir } = foldersOf(options);
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  let child: ChildProcess | undefined;
  let restarts = Promise.resolve();
  let ending = false;

  function begin(): void {
    const launcher = join(packageRoot, 'scripts', 'heddle');
    const made = spawn(process.execPath, [launcher, ...serveArguments(options, appDir, dataDir)], {
      stdio: 'inherit',
      env: { NODE_ENV: 'development', ...process.env },
    });
    made.on('exit', (code, signal) => {
      if (child === made && !ending && signal === null && code !== 0) say('Waiting for a change.');
    });
    child = made;
  }

  async function restart(changed: string): Promise<void> {
    if (ending) return;
    const before = child!;
    child = undefined;
    await stop(before);
    say(`${changed} changed: starting again.`);
    begin();
  }

  begin();
  const watch = watchFiles(appDir, dataDir, (changed) => {
    restarts = restarts.then(() => restart(changed));
  });
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  ending = true;
  watch.stop();
  await restarts;
  await stop(child!);
  return 0;
}
