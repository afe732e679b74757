import cluster, { type Worker } from 'node:cluster';
import { join } from 'node:path';
import { asWorker } from '../../core';
import { carryEvents } from '../../plugins/graphql';
import { carryCounts } from '../../plugins/users-permissions';
import { packageRoot } from '../package-root';
import { foldersOf } from './application-folder';
import { serveArguments } from './serve-arguments';
import type { StartOptions } from './start';
import { settleUntaken } from './untaken-connections';

/** A worker that ends by itself is replaced, after a pause that doubles as long as its successors end soon, too. */
const firstPause = 500;
const longestPause = 30_000;
const soon = 60_000;

const stopSignals: readonly string[] = ['SIGTERM', 'SIGINT'];

const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Slot {
  /** Absent until one has been made. */
  worker?: Worker;
  begun: number;
  pause: number;
  /** Runs where its worker is to be replaced. */
  waiting?: NodeJS.Timeout;
}

/** Whether a worker had nothing to finish any more, or finished it. */
function stopped(worker: Worker): Promise<boolean> {
  if (worker.isDead()) return Promise.resolve(true);
  return new Promise((resolve) => {
    // The signal itself, from here or from a terminal, ends those alone that have not begun to serve.
    worker.once('exit', (code, signal) => resolve(code === 0 || stopSignals.includes(signal)));
    worker.process.kill('SIGTERM');
  });
}

/** How Node tells that a message did not reach a worker which is gone: its exit follows. */
const unreached: ReadonlySet<string | undefined> = new Set(['EPIPE', 'ECONNRESET', 'ERR_IPC_CHANNEL_CLOSED']);

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
  let isStopping = false;
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  function begin(slot: Slot): void {
    slot.begun = performance.now();
    let worker: Worker;
    try {
      worker = cluster.fork(asWorker);
    } catch (error) {
      unmade(slot, error as Error);
      return;
    }
    worker.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (worker.process.pid !== undefined && !unreached.has(code)) say(`Worker ${worker.id}: ${message}`);
    });
    if (worker.process.pid === undefined) {
      // Node tells later why, never that it ended, and goes on to count it among its workers.
      worker.once('error', (error) => {
        delete cluster.workers![worker.id];
        unmade(slot, error);
      });
      return;
    }
    slot.worker = worker;
    settleUntaken(worker);
    worker.once('listening', () => {
      if (hasStarted) return;
      hasStarted = true;
      beginOthers();
    });
    worker.once('exit', (code, signal) => {
      replace(slot, `Worker ${worker.id} ended with ${signal ?? `the code ${code}`}`);
    });
  }

  function unmade(slot: Slot, { message }: Error): void {
    const told = `A worker could not be made: ${message}`;
    if (!hasStarted) say(`${told}.`);
    replace(slot, told);
  }

  function replace(slot: Slot, told: string): void {
    if (isStopping) return;
    // What keeps an application from its first start keeps every worker from it; the first has said so itself.
    if (!hasStarted) return void stop(1);
    slot.pause = performance.now() - slot.begun < soon ? Math.min(slot.pause * 2, longestPause) : firstPause;
    say(`${told}; another one takes its place.`);
    slot.waiting = setTimeout(() => begin(slot), slot.pause / 2);
  }

  async function stop(code: number): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    for (const { waiting } of slots) clearTimeout(waiting);
    const isClean = await Promise.all(slots.map(({ worker }) => !worker || stopped(worker)));
    end(code === 0 && isClean.includes(false) ? 1 : code);
  }

  function add(): void {
    const slot: Slot = { begun: 0, pause: firstPause };
    slots.push(slot);
    begin(slot);
  }

  function beginOthers(): void {
    while (slots.length < count && !isStopping) add();
  }

  const told = (): void => void stop(0);
  for (const signal of stopSignals) process.once(signal, told);
  // The first begins alone: several would each tell what is wrong with the application.
  add();
  const code = await ended;
  for (const signal of stopSignals) process.off(signal, told);
  return code;
}
