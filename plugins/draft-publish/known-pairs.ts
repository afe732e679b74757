import { type ContentType, Lru } from '../../core';

/** Pairs that are known; what stands at the end of a list came there lately. */
const mostKnown = 5_000;

/**
 * Rows that this process has made the two versions of one document, so that nobody need be asked whether they are. Whoever
 * sees both in lists may rely on it: they are committed, or his own. What was undone is never seen: servers give no id twice,
 * and where SQLite does, whoever publishes under that id tells its new draft.
 */
export interface KnownPairs {
  has(type: ContentType, draft: number, published: number): boolean;
  add(type: ContentType, draft: number, published: number): void;
}

const keyOf = ({ uid }: ContentType, published: number): string => `${published} ${uid}`;

export function createKnownPairs(): KnownPairs {
  const known = new Lru<number>(mostKnown);
  return {
    has: (type, draft, published) => known.get(keyOf(type, published)) === draft,
    add: (type, draft, published) => void known.set(keyOf(type, published), draft),
  };
}
