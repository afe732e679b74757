/** Milliseconds: a choice that writes have made the worse one costs time for no longer. */
const lifetime = 60_000;

const keptChoices = 5_000;

/** Which of two ways to the same answer is the shorter one. Either is right, so that a choice is kept whatever is written. */
export interface Choices {
  of(key: string, choose: () => Promise<boolean>): Promise<boolean>;
}

export function createChoices(): Choices {
  const known = new Map<string, { readonly choice: boolean; readonly until: number }>();
  return {
    async of(key, choose) {
      const found = known.get(key);
      if (found && performance.now() < found.until) return found.choice;
      const choice = await choose();
      if (known.size >= keptChoices) known.delete(known.keys().next().value!);
      known.set(key, { choice, until: performance.now() + lifetime });
      return choice;
    },
  };
}
