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
/** More are asked by crowds at the same time hardly ever. */
const mostKnown = 100;

export const joinCrowd = (crowd: Crowd): void => {
  crowd.size += 1;
  crowd.grown?.();
};

const grownTo = (crowd: Crowd, expected: number): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(patience);
      delete crowd.grown;
      resolve();
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
export function createCrowds() {
  const answered = new Lru<{ readonly size: number; readonly at: number }>(mostKnown);

  /** How many who were answered a moment ago are likely to come. */
  function expected(name: string): number {
    const last = answered.get(name);
    return last && last.size >= leastReturning && performance.now() - last.at <= returnsWithin ? last.size : 0;
  }

  return {
    async gather(name: string, crowd: Crowd): Promise<void> {
      const size = expected(name);
      if (crowd.size < size) await grownTo(crowd, size);
    },
    answered(name: string, { size }: Crowd): void {
      if (size >= leastReturning || answered.get(name)) answered.set(name, { size, at: performance.now() });
    },
  };
}
