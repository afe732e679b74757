/** The end of this turn of the event loop, when all requests have been taken in that arrived together. */
export function createEndsOfTurns(): () => Promise<void> {
  let turn: Promise<void> | undefined;
  return () => {
    turn ??= new Promise((resolve) => {
      setImmediate(() => {
        turn = undefined;
        resolve();
      });
    });
    return turn;
  };
}

/** Asks once for all who want to know in one turn, when that ends: each is told what is so after it asked. */
export function atEndOfTurn<T>(ask: () => T | Promise<T>): () => Promise<T> {
  const endOfTurn = createEndsOfTurns();
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= endOfTurn().then(() => {
      answer = undefined;
      return ask();
    });
    return answer;
  };
}

/** Asks for the first who wants to know, and tells all others until the turn ends: what was so a turn ago at most. */
export function oncePerTurn<T>(ask: () => T): () => T {
  let known: { readonly answer: T } | undefined;
  return () => {
    if (!known) {
      known = { answer: ask() };
      setImmediate(() => {
        known = undefined;
      });
    }
    return known.answer;
  };
}
