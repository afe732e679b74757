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
 * makes it. Elsewhere this process knows of its own changes at once, and looks for those of others twice a second.
 */
export function createFreshness(version: () => string | undefined) {
  let changes = 0;
  return {
    now: (): Moment => ({ version: version(), changes, at: performance.now() }),
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
