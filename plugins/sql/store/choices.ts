/** Milliseconds: a choice that writes have made the worse one costs time for no longer. */
const lifetime = 60_000;

const keptChoices = 5_000;

/** Which of several ways to the same answer is the shortest one. Each is right, so that a choice is kept whatever is written. */
export interface Choices<T> {
  of(key: string, choose: () => Promise<T>): Promise<T>;
}

export function createChoices<T>(): Choices<T> {
  const known = new Map<string, { readonly choice: T; readonly until: number }>();
  return {
    async of(key, choose) {
      const found = known.get(key);
      if (found && performance.now() < found.until) return found.choice;
      const choice = await choose();
      known.delete(key);
      if (known.size >= keptChoices) known.delete(known.keys().next().value!);
      known.set(key, { choice, until: performance.now() + lifetime });
      return choice;
    },
  };
}
