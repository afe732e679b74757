/** Milliseconds that a close waits for the server to give up, and for a goodbye. */
export const patience = 2_000;

/** Ends with the work, or without it when that takes longer. */
export async function atMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  try {
    await Promise.race([work, new Promise<void>((resolve) => (late = setTimeout(resolve, milliseconds)))]);
  } finally {
    clearTimeout(late);
  }
}

/** Fails where an answer takes too long, which is said to whoever gives up on it, too. */
export function inTime<T>(answer: Promise<T>, milliseconds: number, late: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      late();
      reject(new Error(`nothing was heard for ${milliseconds} ms`));
    }, milliseconds);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
