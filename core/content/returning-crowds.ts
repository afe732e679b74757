import { Lru } from './lru';

/** Those who wait for one reading. */
export interface Crowd {
  size: number;
  /** Whether all came for whom its first had waited. */
  isWhole?: boolean;
  /** Hears that one more has come. */
  grown?: () => void;
}

/** Fewer would do nothing but wait for each other. */
const leastReturning = 3;
/** Milliseconds from their answer in which they ask again, if they do at all. */
const returnsWithin = 20;
/** Milliseconds for which whoever comes first waits for the others at most. */
const longestGathering = 5;
/**
 * Milliseconds for which nobody waits for a crowd that has not come back, or was not all who ask: at first, and at most once that
 * has happened again and again.
 */
export interface Rests {
  readonly first: number;
  readonly longest: number;
}

/** How many times as long a rest is after another; for each crowd that comes back in between it is half as long. */
const longer = 16;
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
 * come back one after the other, and each would find the reading of the one before it begun. A crowd that others join while it
 * is read for is none: they come as they like, and would wait for each other in vain.
 */
export function createReturningCrowds(rests: Rests) {
  /** By question, until somebody comes; with those who asked meanwhile. */
  const answered = new Lru<{ readonly size: number; readonly at: number }>(mostKnown);
  /** When those who asked a question may be waited for again, and how long a rest comes next. */
  const resting = new Lru<{ readonly until: number; readonly next: number }>(mostKnown);

  function learn(question: string, isCrowd: boolean): void {
    const long = resting.get(question)?.next ?? rests.first;
    const next = Math.min(long * longer, rests.longest);
    if (!isCrowd) resting.set(question, { until: performance.now() + long, next });
    else if (long / 2 > rests.first) resting.set(question, { until: 0, next: long / 2 });
    else resting.delete(question);
  }

  async function gathered(question: string, crowd: Crowd, size: number): Promise<void> {
    if (await grownTo(crowd, size)) crowd.isWhole = true;
    else learn(question, false);
  }

  return {
    /** The wait of whoever asks first for those who were answered a moment ago; none if nobody is likely to come. */
    gathering(question: string, crowd: Crowd): Promise<void> | undefined {
      const last = answered.get(question);
      if (!last) return undefined;
      answered.delete(question);
      const now = performance.now();
      if (now - last.at > returnsWithin || now < (resting.get(question)?.until ?? 0)) return undefined;
      return gathered(question, crowd, last.size);
    },
    /** To be called with how many others ask the same and are not answered yet; 0 where these say nothing about the crowd. */
    answered(question: string, { size, isWhole }: Crowd, others = 0): void {
      if (isWhole) learn(question, others === 0);
      if (size + others >= leastReturning) answered.set(question, { size: size + others, at: performance.now() });
    },
  };
}
