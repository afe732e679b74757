import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../ci/running';
import { interrupted } from './interruption';

export type Caller = 'token' | 'public';

export interface Running {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the command to the first answer. */
  readonly startUp: number;
  headers(as: Caller): Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export interface Command {
  readonly file: string;
  readonly args: (port: number) => readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly token: () => string;
}

/** Milliseconds until a service that does not answer is given up, and until one that does not stop is killed. */
export const patience = { answer: 60_000, stop: 20_000 };

/** Asked so often that it has to cost what starts next to nothing. */
const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy());
  });

const answers = async (url: string, port: number): Promise<boolean> =>
  (await listens(port)) &&
  fetch(`${url}/_health`, { headers: { connection: 'close' } }).then(
    ({ ok }) => ok,
    () => false,
  );

interface Started {
  readonly pid: number | undefined;
  isOver(): boolean;
  output(): string;
  stop(): Promise<void>;
}

function started(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Started {
  const child: ChildProcess = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk));
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true;
      interrupted.removeEventListener('abort', stop);
      resolve();
    };
    child.once('exit', end);
    // What can't be begun has no exit.
    child.on('error', (error) => {
      output += String(error);
      if (child.pid === undefined) end();
    });
  });
  async function stop(): Promise<void> {
    if (isOver) return;
    child.kill('SIGTERM');
    const killing = setTimeout(() => child.kill('SIGKILL'), patience.stop);
    await over;
    clearTimeout(killing);
  }
  interrupted.addEventListener('abort', stop);
  return { pid: child.pid, isOver: () => isOver, output: () => output, stop };
}

/** Runs a command until it is told to stop, and waits until it answers. */
export async function startService(name: string, { file, args, environment, token }: Command): Promise<Running> {
  const port = await freePort();
  interrupted.throwIfAborted();
  const url = `http://127.0.0.1:${port}`;
  const begun = performance.now();
  const env = { ...process.env, NODE_ENV: 'production', ...environment, PORT: String(port) };
  const { pid, isOver, output, stop } = started(file, args(port), env);
  while (!(await answers(url, port))) {
    if (isOver() || performance.now() - begun > patience.answer) {
      await stop();
      throw new Error(`${name} did not start:\n${output()}`);
    }
    await sleep(5);
  }
  return {
    url,
    pid: pid!,
    startUp: performance.now() - begun,
    headers: (as): Record<string, string> => (as === 'token' ? { authorization: `Bearer ${token()}` } : {}),
    stop,
  };
}
