// For tests: when things are asked for.

export interface Turns {
  now(): number;
  stop(): void;
}

/** Counts turns of the event loop; no answer of a server comes within one. */
export function countTurns(): Turns {
  let count = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    count += 1;
    next = setImmediate(turn);
  };
  turn();
  return { now: () => count, stop: () => clearImmediate(next) };
}
