import { Lru } from '../../../../core';

/** Milliseconds: a choice that writes have made the worse one costs time for no longer. */
const lifetime = 60_000;

const keptChoices = 5_000;
/** Characters in all their keys. */
const keptText = 5_000_000;

/** Which of several ways to the same answer is the shortest one. Each is right, so that a choice is kept whatever is written. */
export interface Choices<T> {
  of(key: string, choose: () => Promise<T>): Promise<T>;
  /** Keeps another one, since the one that was chosen has turned out to be none. */
  keep(key: string, choice: T): void;
}

export function createChoices<T>(): Choices<T> {
  const known = new Lru<{ readonly choice: T; readonly until: number }>(keptChoices, keptText);
  const keep = (key: string, choice: T): void => {
    known.set(key, { choice, until: performance.now() + lifetime });
  };
  return {
    async of(key, choose) {
      const found = known.get(key);
      if (found && performance.now() < found.until) return found.choice;
      // Whoever asks meanwhile goes on as before.
      if (found) keep(key, found.choice);
      const choice = await choose();
      keep(key, choice);
      return choice;
    },
    keep,
  };
}
