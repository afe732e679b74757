import type { Predicate, SomePredicate } from '../../../../core';

/** Whether a condition compares with the row outside, which a list of what is linked does not have. */
function comparesOutside(predicate: Predicate | undefined): boolean {
  if (!predicate) return false;
  if (predicate.op === 'relative') return true;
  if (predicate.op === 'and' || predicate.op === 'or') return predicate.items.some(comparesOutside);
  return predicate.op === 'not' && comparesOutside(predicate.item);
}

export const looksOutside = ({ among, where }: SomePredicate): boolean =>
  comparesOutside(among) || comparesOutside(where);
