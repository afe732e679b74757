import type { DocumentStore, StoreTransaction } from '../store';

// For tests: how often a write waits for its store, as it would go to a server and back.

const answering = ['insert', 'rows', 'ties', 'tiesTo', 'tiesOf', 'before', 'holding'] as const;

export interface TurnStore extends DocumentStore {
  /** How often somebody has waited since this was called last. */
  turns(): number;
}

/** What is asked for before somebody waits for an answer comes back in one turn. */
export function inTurns(store: DocumentStore): TurnStore {
  let count = 0;
  let turn: Promise<void> | undefined;

  function waited(): Promise<void> {
    if (!turn) {
      count += 1;
      turn = new Promise((resolve) =>
        setImmediate(() => {
          turn = undefined;
          resolve();
        }),
      );
    }
    return turn;
  }

  function slowed(transaction: StoreTransaction): StoreTransaction {
    const slow = answering.map((name) => {
      const ask = transaction[name] as (...asked: unknown[]) => unknown;
      return [
        name,
        async (...asked: unknown[]): Promise<unknown> => {
          const answer = ask(...asked);
          await waited();
          return answer;
        },
      ];
    });
    return { ...transaction, ...(Object.fromEntries(slow) as Partial<StoreTransaction>) };
  }

  return {
    ...store,
    transaction: (work) => store.transaction((transaction) => work(slowed(transaction))),
    turns() {
      const before = count;
      count = 0;
      return before;
    },
  };
}
