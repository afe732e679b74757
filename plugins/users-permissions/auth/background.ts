import { randomInt } from 'node:crypto';
import type { Logger } from '../../../core';

/** In milliseconds. */
const longestWait = 2_000;

/** So long that the next request, which the work may hold up, does not tell whether there is any. */
const someTime = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, randomInt(longestWait)));

/**
 * Work that nobody waits for, so that its time tells nobody anything. What fails is logged; the application waits for it
 * before it stops.
 */
export function createBackground(log: Logger) {
  const running = new Set<Promise<void>>();
  return {
    begin(what: string, work: () => Promise<void>): void {
      const done = someTime()
        .then(work)
        .catch((error) => log.error({ err: error }, `${what} failed`))
        .finally(() => running.delete(done));
      running.add(done);
    },
    finished: async (): Promise<void> => void (await Promise.all(running)),
  };
}

export type Background = ReturnType<typeof createBackground>;
