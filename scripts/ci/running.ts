import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
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
}

export const launcher = join(packageRoot, 'scripts', 'heddle');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
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

/** Runs `heddle start` (or `dev`) on an application, and waits until it answers. */
export async function running(appDir: string, dataDir: string, command: 'start' | 'dev' = 'start'): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const args = [launcher, command, '--app', appDir, '--data', dataDir, '--port', String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
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
  return { url, pid: child.pid!, milliseconds, output: () => output, stop: () => stopped(child) };
}
