import { type ContentRegistry, type DocumentAddition, flatMapped, grouped, type StoreTransaction } from '../../core';
import { createTwins, type Twins } from './twins';

/** Twins that were looked up ahead, by transaction. */
export interface EarlyTwins {
  /** Looks them up beside the adding of the document that is going to link them. */
  begin(addition: DocumentAddition, registry: ContentRegistry): void;
  /**
   * Gives them away, once: they lead to their transaction, and as long as they are kept for it V8 finds neither to be garbage
   * among what is young. Undefined where that was not begun.
   */
  take(transaction: StoreTransaction): Twins | undefined;
}

export function createEarlyTwins(): EarlyTwins {
  const begun = new WeakMap<StoreTransaction, Twins>();
  return {
    begin({ links, transaction }, { types }) {
      const twins = createTwins(transaction);
      begun.set(transaction, twins);
      const toOneType = links.filter(({ nested, rows }) => nested.targets.length === 1 && rows.length > 0);
      for (const [uid, own] of grouped(toOneType, ({ nested }) => nested.targets[0]!)) {
        const type = types.get(uid);
        const rows = [...new Set(flatMapped(own, (link) => link.rows))];
        // Its failure is told by whatever comes next.
        if (type) twins.of(type, rows, 'published').catch(() => undefined);
      }
    },
    take(transaction) {
      const twins = begun.get(transaction);
      begun.delete(transaction);
      return twins;
    },
  };
}
