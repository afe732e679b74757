import { Queue } from './queue';

/** Milliseconds for which writers go one by one after one of them lost. */
const crowdedFor = 1_000;

/** Runs one attempt at a piece of work that lost so often before; it learns whether it has its turn alone. */
export type Attempts = <T>(before: number, work: (isAlone: boolean) => Promise<T>) => Promise<T>;

/**
 * Lets writers run at once until one loses against another. Whoever lost comes back alone, and so do all that come within
 * a while: likely they are after the same things, and would lose, too.
 */
export function createAttempts(now: () => number = () => performance.now()): Attempts {
  const queue = new Queue();
  let crowdedUntil = Number.NEGATIVE_INFINITY;
  return async (before, work) => {
    if (before > 0) crowdedUntil = now() + crowdedFor;
    if (before === 0 && now() >= crowdedUntil) return work(false);
    const leave = await queue.enter();
    try {
      return await work(true);
    } finally {
      leave();
    }
  };
}
