/** Where a new thing stands in a list: behind the nearest of its predecessors elsewhere that the list has. */
export function placeIn<Thing extends string | number>(list: readonly Thing[], predecessors: readonly Thing[]): number {
  for (let at = predecessors.length - 1; at >= 0; at--) {
    const found = list.indexOf(predecessors[at]!);
    if (found >= 0) return found + 1;
  }
  return 0;
}
