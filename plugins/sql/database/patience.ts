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
