import type { Predicate } from '../../../../core';
import { isLongList } from './shared-lists';

/** As many conditions as are written one after the other, whatever groups they stand in. */
const mostInRow = 48;

function sizeOf(predicate: Predicate, sizeOfList: (values: number) => number = (values) => values): number {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return predicate.items.reduce((sum, item) => sum + sizeOf(item, sizeOfList), 0);
    case 'not':
      return sizeOf(predicate.item, sizeOfList);
    case 'some':
      return 1 + (predicate.where ? sizeOf(predicate.where, sizeOfList) : 0);
    case 'in':
      return sizeOfList(predicate.slots.length);
    default:
      return 1;
  }
}

export const isLong = (predicate: Predicate): boolean => sizeOf(predicate) > mostInRow;

/** Conditions that a database need not be watched for, however many rows it compares with them. */
const mostUnwatched = 16;

/** Whether what is tied to others has to be tied to something of a list: to as many rows again for each. */
function isDeep(predicate: Predicate, isTied = false): boolean {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return predicate.items.some((item) => isDeep(item, isTied));
    case 'not':
      return isDeep(predicate.item, isTied);
    case 'some':
      return (isTied && isLongList(predicate.nested)) || (!!predicate.where && isDeep(predicate.where, true));
    default:
      return false;
  }
}

/** A row is looked up in a list of values, however long that is. */
const asOne = (): number => 1;

/** Whether finding what meets a condition may take a multiple of the rows that there are. */
export const mayTakeLong = (predicate: Predicate | undefined): boolean =>
  predicate !== undefined && (sizeOf(predicate, asOne) > mostUnwatched || isDeep(predicate));

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
