import { atEndOfTurn } from '../../../core';

/** How a run ended is told to those who waited for it alone. */
const ended = (): void => undefined;

/**
 * Shares runs of the same work among those who want it done after they asked: a run begins once the one before is over, at
 * the end of a turn, for all who came until then.
 */
export function createLatest<T>(work: () => Promise<T>): () => Promise<T> {
  let last = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = atEndOfTurn(() => {
    next = undefined;
    const run = work();
    last = run.then(ended, ended);
    return run;
  });
  return () => (next ??= last.then(begin));
}
