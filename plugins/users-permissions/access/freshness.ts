import { oncePerTurn } from '../../../core';

/** The state of the database at one moment, as far as it can be told without asking it. */
export interface Moment {
  /** The database's own version of its data; undefined where it has none to tell. */
  readonly version: string | undefined;
  /** How often this process changed who may do what. */
  readonly changes: number;
  readonly at: number;
}

/** How long others may have changed something unnoticed, where the database tells no version: in milliseconds. */
const longestTrust = 500;

/**
 * Tells whether what was read of the database still holds. SQLite tells a version that every commit changes, whoever
 * makes it; requests that arrive in one turn of the event loop ask for it once. Elsewhere this process looks for the changes
 * of others twice a second. Of its own it knows at once.
 */
export function createFreshness(version: () => string | undefined) {
  let changes = 0;
  const versionInTurn = oncePerTurn(version);
  return {
    now: (): Moment => ({ version: versionInTurn(), changes, at: performance.now() }),
    holds(then: Moment, now: Moment): boolean {
      if (then.changes !== now.changes) return false;
      return now.version === undefined ? now.at - then.at < longestTrust : now.version === then.version;
    },
    /** To be called after this process changed a user, a role, a permission or a token. */
    changed(): void {
      changes += 1;
    },
  };
}

export type Freshness = ReturnType<typeof createFreshness>;
