import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { carryEvents } from '../../plugins/graphql';
import { carryCounts } from '../../plugins/users-permissions';
import { packageRoot } from '../package-root';
import { foldersOf } from './application-folder';
import { serveArguments } from './serve-arguments';
import type { StartOptions } from './start';
import { closeUntaken } from './untaken-connections';

/** A worker that ends by itself is replaced, after a pause that doubles as long as its successors end soon, too. */
const firstPause = 500;
const longestPause = 30_000;
const soon = 60_000;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Slot {
  /** Absent until one could be made. */
  worker?: Worker;
  begun: number;
  pause: number;
}

/** Whether a worker had nothing to finish, as one that could not be made, or finished it. */
function stopped(worker: Worker): Promise<boolean> {
  if (worker.process.pid === undefined || worker.isDead()) return Promise.resolve(true);
  return new Promise((resolve) => {
    // The signal itself ends those alone that have not begun to serve.
    worker.once('exit', (code, signal) => resolve(code === 0 || signal === 'SIGTERM'));
    worker.process.kill('SIGTERM');
  });
}

/**
 * Runs the application in several processes that share a port and nothing else but the database. This one serves nothing:
 * it replaces workers that end, stops them all when it is told to, keeps what they count together, and carries what
 * subscribers of one hear of the others.
 */
export async function startWorkers(options: StartOptions, count: number): Promise<number> {
  const { appDir, dataDir } = foldersOf(options);
  cluster.setupPrimary({
    exec: join(packageRoot, 'scripts', 'heddle'),
    args: serveArguments(options, appDir, dataDir),
  });
  carryCounts();
  carryEvents(say);
  const slots: Slot[] = [];
  /** Whether the application has started in any worker. */
  let hasStarted = false;
  const stopping = new AbortController();
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  function begin(slot: Slot): void {
    slot.begun = performance.now();
    let worker: Worker;
    try {
      worker = cluster.fork();
    } catch (error) {
      unmade(slot, error as Error);
      return;
    }
    slot.worker = worker;
    if (worker.process.pid !== undefined) closeUntaken(worker);
    worker.once('listening', () => {
      hasStarted = true;
    });
    worker.once('exit', (code, signal) => {
      void replace(slot, `Worker ${worker.id} ended with ${signal ?? `the code ${code}`}`);
    });
    worker.on('error', (error) => {
      // One that could not be made never exits. That a message did not reach one that was made needs no answer: its exit follows.
      if (worker.process.pid === undefined) unmade(slot, error);
    });
  }

  function unmade(slot: Slot, { message }: Error): void {
    const told = `A worker could not be made: ${message}`;
    if (!hasStarted) say(`${told}.`);
    void replace(slot, told);
  }

  /** Ends at once when all is stopped. */
  async function pause(milliseconds: number): Promise<void> {
    const { signal } = stopping;
    await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  async function replace(slot: Slot, told: string): Promise<void> {
    if (stopping.signal.aborted) return;
    // What keeps an application from its first start keeps every worker from it; it has said so itself.
    if (!hasStarted) return void stop(1);
    slot.pause = performance.now() - slot.begun < soon ? Math.min(slot.pause * 2, longestPause) : firstPause;
    say(`${told}; another one takes its place.`);
    await pause(slot.pause / 2);
    if (!stopping.signal.aborted) begin(slot);
  }

  async function stop(code: number): Promise<void> {
    if (stopping.signal.aborted) return;
    stopping.abort();
    const isClean = await Promise.all(slots.map(({ worker }) => !worker || stopped(worker)));
    end(code === 0 && isClean.includes(false) ? 1 : code);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(0));
  for (let made = 0; made < count && !stopping.signal.aborted; made += 1) {
    const slot: Slot = { begun: 0, pause: firstPause };
    slots.push(slot);
    begin(slot);
  }
  return ended;
}
