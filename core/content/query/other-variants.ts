import type { Nested } from '../nested';
import { never, type Predicate } from './predicate';
import type { Reader } from './reader';

/**
 * The other variants of a document, where they are populated, leave out those that the read is about itself: all of them,
 * where it is about all.
 */
export function otherVariants({ chosen, slots }: Reader, { definition, storage }: Nested): Predicate | undefined {
  const along =
    storage === 'variants' ? chosen.find(({ attribute }) => attribute.name === definition['along']) : undefined;
  if (!along) return undefined;
  if ('any' in along.choice) return never;
  if (!('oneOf' in along.choice)) return undefined;
  return {
    op: 'in',
    attribute: along.attribute,
    slots: along.choice.oneOf.map((value) => slots.constant(value)),
    negated: true,
  };
}
