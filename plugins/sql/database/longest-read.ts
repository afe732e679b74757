import { endedAfter } from './failures';
import { atMost, patience } from './patience';

/** Milliseconds of a read that may look at many times the rows that there are. */
export const longestRead = 20_000;

/** The same where the process does nothing else meanwhile. */
export const longestStop = 5_000;

/** What a read finds, if it does in time. Otherwise it is ended, and whoever waits for it is told so. */
export async function orEnded<T>(read: Promise<T>, end: () => Promise<void>): Promise<T> {
  let late: NodeJS.Timeout | undefined;
  const isLate = new Promise<true>((resolve) => {
    late = setTimeout(resolve, longestRead, true);
  });
  try {
    if (!(await Promise.race([read.then(() => false), isLate]))) return await read;
  } finally {
    clearTimeout(late);
  }
  // Where it can't be ended, nobody waits for it all the same.
  const failure = await atMost(patience, end()).then(
    () => undefined,
    (error: unknown) => error,
  );
  throw endedAfter(longestRead, failure);
}
