import { atMost, patience } from './patience';

/**
 * What is done on connections that knex lends: one thing after the other on each, for a statement of knex may be several, and what
 * came between them would be committed or undone with these.
 */
export interface Turns<Raw extends object> {
  /** Begins at once where nothing is under way. Where the work is over before it ends, as a stream that is closed, `over` says so. */
  take<T>(raw: Raw, work: () => Promise<T>, over?: Promise<unknown>): Promise<T>;
  /** Waits for what is under way on a connection; answers whether that came to its end. */
  ended(raw: Raw): Promise<boolean>;
}

export function createTurns<Raw extends object>(): Turns<Raw> {
  const last = new WeakMap<Raw, Promise<unknown>>();
  return {
    take(raw, work, over) {
      const before = last.get(raw);
      const done = before ? before.then(work) : work();
      const settled = done.then(
        () => undefined,
        () => undefined,
      );
      const turn = over ? Promise.race([settled, over]) : settled;
      last.set(raw, turn);
      void turn.then(() => {
        if (last.get(raw) === turn) last.delete(raw);
      });
      return done;
    },
    async ended(raw) {
      const turn = last.get(raw);
      if (turn) await atMost(patience, turn);
      return !last.has(raw);
    },
  };
}
