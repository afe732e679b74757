/** Does one after the other; answers later only where one of them does. */
export function inTurn<Item>(all: readonly Item[], act: (item: Item) => void | Promise<void>): void | Promise<void> {
  const from = (first: number): void | Promise<void> => {
    for (let at = first; at < all.length; at++) {
      const later = act(all[at]!);
      if (later) return later.then(() => from(at + 1));
    }
  };
  return from(0);
}
