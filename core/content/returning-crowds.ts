import { Lru } from './lru';

/** Those who wait for one reading that has yet to begin. */
export interface Crowd {
  size: number;
  /** Hears that one more has come. */
  grown?: () => void;
}

/** Fewer would do nothing but wait for each other. */
const leastReturning = 3;
/** Milliseconds from their answer in which they ask again, if they do at all. */
const returnsWithin = 20;
/** Milliseconds for which whoever comes first waits for the others at most. */
const longestGathering = 5;
/** Milliseconds for which nobody waits for a crowd that has not come back. */
const rest = 100;
/** More are asked by crowds at the same time hardly ever. */
const mostKnown = 100;

export const joinCrowd = (crowd: Crowd): void => {
  crowd.size += 1;
  crowd.grown?.();
};

/** Tells whether all have come. */
const grownTo = (crowd: Crowd, expected: number): Promise<boolean> =>
  new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(patience);
      delete crowd.grown;
      resolve(crowd.size >= expected);
    };
    const patience = setTimeout(go, longestGathering);
    crowd.grown = () => {
      if (crowd.size >= expected) go();
    };
  });

/**
 * Has a crowd that was answered together, and asks again, be answered together again: clients that have got their answers
 * come back one after the other, and each would find the reading of the one before it begun.
 */
export function createReturningCrowds() {
  /** By question, until somebody waits for them. */
  const answered = new Lru<{ readonly size: number; readonly at: number }>(mostKnown);
  /** When those who asked a question may be waited for again. */
  const resting = new Lru<number>(mostKnown);

  async function gathered(question: string, crowd: Crowd, size: number): Promise<void> {
    if (!(await grownTo(crowd, size))) resting.set(question, performance.now() + rest);
  }

  return {
    /** The wait of whoever asks first for those who were answered a moment ago; none if nobody is likely to come. */
    gathering(question: string, crowd: Crowd): Promise<void> | undefined {
      const last = answered.get(question);
      if (!last) return undefined;
      answered.delete(question);
      const now = performance.now();
      if (now - last.at > returnsWithin || now < (resting.get(question) ?? 0)) return undefined;
      return gathered(question, crowd, last.size);
    },
    answered(question: string, { size }: Crowd): void {
      if (size >= leastReturning) answered.set(question, { size, at: performance.now() });
    },
  };
}
