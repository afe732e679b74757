/**
 * What `flatMap` answers, for what every request runs: that calls into V8's runtime for each item that it answers, which takes
 * twenty times as long as the item does here.
 */
export function flatMapped<Item, Result>(
  items: Iterable<Item>,
  listOf: (item: Item, index: number) => readonly Result[],
): Result[] {
  const all: Result[] = [];
  const list: readonly Item[] = Array.isArray(items) ? items : [...items];
  for (let index = 0; index < list.length; index++) {
    const own = listOf(list[index]!, index);
    for (let at = 0; at < own.length; at++) all.push(own[at]!);
  }
  return all;
}

/** What `flat` answers for lists of lists, likewise. */
export const flattened = <Item>(lists: Iterable<readonly Item[]>): Item[] => flatMapped(lists, (list) => list);
