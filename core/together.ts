type Awaiteds<All> = { -readonly [Place in keyof All]: Awaited<All[Place]> };

/**
 * Waits for all of what goes on at once, also when one of it fails, so that nothing of it goes on behind the back of who
 * clears up; then fails with the first, in the given order.
 */
export async function together<const All extends readonly unknown[]>(all: All): Promise<Awaiteds<All>> {
  const outcomes = await Promise.allSettled(all);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Awaiteds<All>;
}
