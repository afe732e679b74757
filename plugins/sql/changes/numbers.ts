/** The name that stands for all tables. */
export const anything = '*';

/** Numbers what changes, table by table, in this process alone. */
export interface Numbers {
  /** The latest number. */
  readonly current: number;
  /** Gives all of these one new number. */
  raise(tables: Iterable<string>): void;
  latest(tables: readonly string[]): number;
}

export function createNumbers(): Numbers {
  const of = new Map<string, number>();
  let current = 0;
  let ofAnything = 0;
  return {
    get current() {
      return current;
    },
    raise(tables) {
      current += 1;
      for (const table of tables) {
        if (table === anything) ofAnything = current;
        else of.set(table, current);
      }
    },
    latest(tables) {
      let latest = ofAnything;
      for (const table of tables) {
        const number = of.get(table);
        if (number !== undefined && number > latest) latest = number;
      }
      return latest;
    },
  };
}
