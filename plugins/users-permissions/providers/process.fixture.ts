import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// For tests: Node in processes of their own, where modules are loaded as they are in production.

export interface Process {
  output(): string;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Starts it, and waits until it is ready. */
export async function start(
  args: readonly string[],
  isReady: (output: string) => boolean | Promise<boolean>,
  env: NodeJS.ProcessEnv = {},
): Promise<Process> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const began = performance.now();
  while (!(await isReady(output))) {
    if (child.exitCode !== null || performance.now() - began > 25_000) {
      await stop(child);
      throw new Error(`${args.join(' ')} did not get ready:\n${output}`);
    }
    await sleep(20);
  }
  return { output: () => output, stop: () => stop(child) };
}
