import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../package-root';

export interface Running {
  readonly url: string;
  readonly pid: number;
  /** From the command to the first answer that says it is ready. */
  readonly milliseconds: number;
  /** Everything it has printed. */
  output(): string;
  /** Asks it to stop; answers its exit code. */
  stop(): Promise<number | null>;
  /** Waits until it has ended by itself, and ends it where that takes too long; answers what ended it. */
  ended(): Promise<{ readonly signal: NodeJS.Signals | null; readonly output: string }>;
}

export const launcher = join(packageRoot, 'scripts', 'heddle');

/**
 * Not out of those that systems give away by themselves: what is free among them may be another's a moment later. Nor out of
 * those up to 10080 that `fetch` refuses.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(11_000, 30_000);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();
  server.close();
  await once(server, 'close');
  return port;
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/_ready`, { headers: { connection: 'close' } }).then(
    ({ status }) => status === 204,
    () => false,
  );

const patience = 20_000;

async function stopped(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  return child.exitCode;
}

async function ended(child: ChildProcess): Promise<NodeJS.Signals | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.signalCode;
  const impatient = setTimeout(() => child.kill('SIGABRT'), patience);
  await once(child, 'exit');
  clearTimeout(impatient);
  return child.signalCode;
}

interface HowToRun {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** How many files each of its processes may have open. */
  readonly openFiles?: number;
}

/** Runs `heddle start` (or `dev`) on an application, and waits until it answers. */
export async function running(
  appDir: string,
  dataDir: string,
  command: 'start' | 'dev' = 'start',
  { args: more = [], env = {}, openFiles }: HowToRun = {},
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const args = [command, '--app', appDir, '--data', dataDir, '--port', String(port), ...more];
  const limited = ['sh', '-c', `ulimit -n ${openFiles}; exec "$0" "$@"`];
  const [file, ...rest] = [...(openFiles === undefined ? [] : limited), launcher, ...args] as [string, ...string[]];
  const child = spawn(file, rest, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() - start > patience) {
      await stopped(child);
      throw new Error(`heddle ${command} --app ${appDir} did not get ready:\n${output}`);
    }
    await sleep(5);
  }
  const milliseconds = performance.now() - start;
  return {
    url,
    pid: child.pid!,
    milliseconds,
    output: () => output,
    stop: () => stopped(child),
    ended: async () => ({ signal: await ended(child), output }),
  };
}
