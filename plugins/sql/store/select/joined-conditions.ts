import type { Predicate } from '../../../../core';

/** As many conditions as are written one after the other, whatever groups they stand in. */
const mostInRow = 48;

function sizeOf(predicate: Predicate): number {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return predicate.items.reduce((sum, item) => sum + sizeOf(item), 0);
    case 'not':
      return sizeOf(predicate.item);
    case 'some':
      return 1 + (predicate.where ? sizeOf(predicate.where) : 0);
    case 'in':
      return predicate.slots.length;
    default:
      return 1;
  }
}

export const isLong = (predicate: Predicate): boolean => sizeOf(predicate) > mostInRow;

/**
 * Conditions with the word between them. A row of them is an expression as deep as there are conditions, of which SQLite takes
 * a thousand levels: a long one is halved and halved again, which says the same on a few levels.
 */
export function joinedConditions(conditions: readonly string[], word: 'and' | 'or', isLong: boolean): string {
  if (!isLong || conditions.length <= 2) return conditions.join(` ${word} `);
  const middle = Math.ceil(conditions.length / 2);
  const [first, second] = [conditions.slice(0, middle), conditions.slice(middle)].map((half) =>
    joinedConditions(half, word, true),
  );
  return `(${first}) ${word} (${second})`;
}
