import type { Populated } from '../plan';

const plain = 0;
const zone = 2;

/** How late what is populated stands in its document: after all that has less inside it; zones go before their equals. */
function rankOf({ nested, show, selections }: Populated): number {
  if (show === 'count') return plain;
  const inner = selections.flatMap(({ populate }) => populate);
  if (nested.storage === 'zone') return zone;
  return inner.length === 0 ? plain : zone + 0.5 + Math.max(...inner.map(rankOf));
}

/** What is populated in the order in which the answer shows it; equals stay as they were asked for. */
export const inAnswerOrder = (populated: readonly Populated[]): Populated[] =>
  populated
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
