export interface TurnLimit {
  /** Pieces of work that may wait in line. */
  readonly mostWaiting: number;
  /** What whoever comes after these is told. */
  refusal(): Error;
}

/** Lets so many pieces of work go on at once, and the others wait in line; as many as there are, unless limited. */
export function createTurns(atOnce: number, limit?: TurnLimit): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) {
      if (limit && waiting.length >= limit.mostWaiting) throw limit.refusal();
      // Whoever leaves hands its turn over, so that nobody can slip in between.
      await new Promise<void>((go) => void waiting.push(go));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
