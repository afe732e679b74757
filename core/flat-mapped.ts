/**
 * What `flatMap` answers, for what every request runs: that calls into V8's runtime for each item that it answers, which takes
 * twenty times as long as the item does here.
 */
export function flatMapped<Item, Result>(
  items: Iterable<Item>,
  listOf: (item: Item, index: number) => readonly Result[],
): Result[] {
  const all: Result[] = [];
  let index = 0;
  for (const item of items) {
    for (const each of listOf(item, index)) all.push(each);
    index += 1;
  }
  return all;
}

/** What `flat` answers for lists of lists, likewise. */
export const flattened = <Item>(lists: Iterable<readonly Item[]>): Item[] => flatMapped(lists, (list) => list);
