/** Cleans up behind what failed, and throws that: first of two, where the cleaning up fails as well. */
async function failed(first: unknown, cleanUp: () => Promise<unknown>): Promise<never> {
  try {
    await cleanUp();
  } catch (second) {
    throw new AggregateError([first, second], [first, second].map(String).join('\n'));
  }
  throw first;
}

/** Takes back what was begun where the work fails. */
export async function orTakenBack<T>(work: () => Promise<T>, takeBack: () => Promise<unknown>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return failed(error, takeBack);
  }
}

/** As `finally`, which would tell of two failures the second one alone. */
export async function cleanedUp<T>(work: () => Promise<T>, cleanUp: () => Promise<unknown>): Promise<T> {
  const result = await orTakenBack(work, cleanUp);
  await cleanUp();
  return result;
}

/** Does all of it, one after the other, whatever fails of it; that is thrown afterwards. */
export async function oneByOne<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<void> {
  if (all.length === 0) return;
  await cleanedUp(
    () => work(all[0]!),
    () => oneByOne(all.slice(1), work),
  );
}
