import { HeddleError } from '../../../core';
import { Queue } from './queue';

/** Milliseconds for which writers go one by one after one of them lost. */
const crowdedFor = 100;

/** Milliseconds that a turn is waited for: who waits inside the turn of another that waits for it would wait for ever. */
const patience = 30_000;

/** Runs one attempt at a piece of work that lost so often before; it learns whether it has its turn alone. */
export type Attempts = <T>(before: number, work: (isAlone: boolean) => Promise<T>) => Promise<T>;

/**
 * Lets writers run at once until one loses against another. Whoever lost comes back alone, and so do all that come within
 * a while: likely they are after the same things, and would lose, too.
 */
export function createAttempts(now: () => number = () => performance.now(), longestWait = patience): Attempts {
  const queue = new Queue();

  async function turn(): Promise<() => void> {
    const entered = queue.enter();
    let timer: NodeJS.Timeout | undefined;
    const tooLong = new Promise<never>((_, refuse) => {
      const error = new HeddleError('ServiceUnavailableError', 'Too many writers at once, try again');
      timer = setTimeout(() => refuse(error), longestWait);
    });
    try {
      return await Promise.race([entered, tooLong]);
    } catch (error) {
      void entered.then((leave) => leave());
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  let crowdedUntil = Number.NEGATIVE_INFINITY;
  return async (before, work) => {
    if (before > 0) crowdedUntil = now() + crowdedFor;
    if (before === 0 && now() >= crowdedUntil) return work(false);
    const leave = await turn();
    try {
      return await work(true);
    } finally {
      leave();
    }
  };
}
