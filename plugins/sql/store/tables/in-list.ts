/** Statements are kept prepared by their text: lists are padded, so that few lengths occur. */
const longest = 512;

function padded<Key>(keys: readonly Key[]): Key[] {
  let length = 1;
  while (length < keys.length) length *= 2;
  return [...keys, ...Array<Key>(length - keys.length).fill(keys.at(-1)!)];
}

/** Keys of rows, in lists of as many as one statement takes; the last may come several times. */
export function listsOf<Key>(ids: readonly Key[], most = longest): Key[][] {
  const lists: Key[][] = [];
  for (let at = 0; at < ids.length; at += most) lists.push(padded(ids.slice(at, at + most)));
  return lists;
}
