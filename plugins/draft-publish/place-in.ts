import type { Tie } from '../../core';

/** What a tie leads to. */
export const keyOf = ({ uid, target }: Pick<Tie, 'uid' | 'target'>): string => `${uid} ${target}`;

/** Where a new thing stands in a list: behind the nearest of its predecessors elsewhere that the list has. */
export function placeIn(list: readonly string[], predecessors: readonly string[]): number {
  for (let at = predecessors.length - 1; at >= 0; at--) {
    const found = list.indexOf(predecessors[at]!);
    if (found >= 0) return found + 1;
  }
  return 0;
}
