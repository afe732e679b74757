import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../core';

/** How many pieces of work go on at once, and how many more may wait for them. */
const mostAtOnce = 4;
const mostWaiting = 1_000;

/** How long a stop waits for what is left, in milliseconds. */
const patience = 10_000;

interface Piece {
  readonly what: string;
  work(): Promise<void>;
}

/**
 * Work that nobody waits for: it begins after the answer, in the order of asking, so much at once, and so much may wait.
 * What fails, and what there is no room or time for, is logged.
 */
export function createBackground(log: Logger, longestEnd = patience) {
  const waiting: Piece[] = [];
  const running = new Set<Promise<void>>();

  async function run(): Promise<void> {
    // The answer goes out in this turn of the event loop.
    await nextTurn();
    for (let piece = waiting.shift(); piece; piece = waiting.shift()) {
      const { what, work } = piece;
      await work().catch((error) => log.error({ err: error }, `${what} failed`));
    }
  }

  return {
    begin(what: string, work: () => Promise<void>): void {
      if (waiting.length >= mostWaiting) {
        log.error({ waiting: mostWaiting }, `${what} was given up: too much is waiting already`);
        return;
      }
      waiting.push({ what, work });
      if (running.size >= mostAtOnce) return;
      const done: Promise<void> = run().finally(() => running.delete(done));
      running.add(done);
    },
    /** Waits for what is left, before the application stops. */
    async finish(): Promise<void> {
      const late = new AbortController();
      await Promise.race([
        Promise.all(running),
        sleep(longestEnd, undefined, { signal: late.signal }).catch(() => undefined),
      ]);
      late.abort();
      if (waiting.length > 0) log.error({ waiting: waiting.length }, 'the application stopped before all was done');
      waiting.length = 0;
    },
  };
}

export type Background = ReturnType<typeof createBackground>;
