import { type ContentType, Lru } from '../../core';

/** Pairs that are known; what stands at the end of a list came there lately. */
const mostKnown = 5_000;

/**
 * Rows that this process has made the two versions of one document, so that nobody need be asked whether they are. Whoever
 * sees both in lists may rely on it: they are committed, or his own, and servers give no row another's id.
 */
export interface KnownPairs {
  has(type: ContentType, draft: number, published: number): boolean;
  add(type: ContentType, draft: number, published: number): void;
  /** To be called of what is written: SQLite gives rows ids that were given before, in a transaction that was undone. */
  forget(type: ContentType, rows: readonly number[]): void;
}

const keyOf = ({ uid }: ContentType, draft: number): string => `${draft} ${uid}`;

export function createKnownPairs(): KnownPairs {
  const known = new Lru<number>(mostKnown);
  return {
    has: (type, draft, published) => known.get(keyOf(type, draft)) === published,
    add: (type, draft, published) => void known.set(keyOf(type, draft), published),
    forget(type, rows) {
      for (const row of rows) known.delete(keyOf(type, row));
    },
  };
}
