import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { carryEvents } from '../../plugins/graphql';
import { carryCounts } from '../../plugins/users-permissions';
import { packageRoot } from '../package-root';
import { foldersOf } from './application-folder';
import { serveArguments } from './serve-arguments';
import type { StartOptions } from './start';

/** A worker that ends by itself is replaced, after a pause that doubles as long as its successors end soon, too. */
const firstPause = 500;
const longestPause = 30_000;
const soon = 60_000;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

interface Slot {
  worker: Worker;
  begun: number;
  pause: number;
}

/** Whether a worker had nothing to finish any more, or finished it. */
async function stopped(worker: Worker): Promise<boolean> {
  if (worker.isDead()) return true;
  const exit = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const [code, signal] = (await exit) as [number | null, NodeJS.Signals | null];
  // The signal itself ends those alone that have not begun to serve.
  return code === 0 || signal === 'SIGTERM';
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
  let isStopping = false;
  let end: (code: number) => void;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });

  function begin(slot: Slot): void {
    slot.begun = performance.now();
    slot.worker = cluster.fork();
    slot.worker.once('listening', () => {
      hasStarted = true;
    });
    slot.worker.once('exit', (code, signal) => void replace(slot, signal ?? `the code ${code}`));
  }

  async function replace(slot: Slot, cause: string): Promise<void> {
    if (isStopping) return;
    const { id } = slot.worker;
    // What keeps an application from its first start keeps every worker from it; it has said so itself.
    if (!hasStarted) return void stop(1);
    slot.pause = performance.now() - slot.begun < soon ? Math.min(slot.pause * 2, longestPause) : firstPause;
    say(`Worker ${id} ended with ${cause}; another one takes its place.`);
    await sleep(slot.pause / 2);
    if (!isStopping) begin(slot);
  }

  async function stop(code: number): Promise<void> {
    if (isStopping) return;
    isStopping = true;
    const isClean = await Promise.all(slots.map(({ worker }) => stopped(worker)));
    end(code === 0 && isClean.includes(false) ? 1 : code);
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(0));
  for (let made = 0; made < count; made += 1) {
    const slot: Slot = { worker: undefined as never, begun: 0, pause: firstPause };
    slots.push(slot);
    begin(slot);
  }
  return ended;
}
