/** The same in pieces: as much of it as one statement takes, say. */
export function chunksOf<Item>(items: readonly Item[], most: number): Item[][] {
  const chunks: Item[][] = [];
  for (let at = 0; at < items.length; at += most) chunks.push(items.slice(at, at + most));
  return chunks;
}
