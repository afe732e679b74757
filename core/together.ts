type Awaiteds<All> = { -readonly [Place in keyof All]: Awaited<All[Place]> };

/**
 * Waits for all of what goes on at once, also when one of it fails, so that nothing of it goes on behind the back of who
 * clears up; then fails with the first, in the given order. What is handed over has begun: promises, or values.
 */
export async function together<const All extends readonly unknown[]>(all: All): Promise<Awaiteds<All>> {
  try {
    return (await Promise.all(all)) as Awaiteds<All>;
  } catch {
    // Rarely, so that what goes well pays for nothing more.
    const outcomes = await Promise.allSettled(all);
    throw outcomes.find((outcome) => outcome.status === 'rejected')!.reason;
  }
}
