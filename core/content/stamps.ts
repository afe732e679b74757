import { flatMapped } from '../flat-mapped';
import type { ContentType } from './content-type';
import type { Chosen } from './query/choices';
import type { Bound } from './store';

interface Stamped {
  readonly name: string;
  /** When it is written: with a new row, or whenever one changes. */
  readonly on: 'insert' | 'write';
}

const stampedByType = new WeakMap<ContentType, readonly Stamped[]>();

function stampedIn(type: ContentType): readonly Stamped[] {
  const known = stampedByType.get(type);
  if (known) return known;
  const found = flatMapped(type.attributes.values(), ({ name, definition: { stamp } }): Stamped[] =>
    stamp === 'insert' || stamp === 'write' ? [{ name, on: stamp }] : [],
  );
  stampedByType.set(type, found);
  return found;
}

/** What the service itself writes into a row: times, and the variant that the dimensions chose. */
export function stamps(type: ContentType, chosen: readonly Chosen[], isNew: boolean): Record<string, Bound> {
  const row: Record<string, Bound> = {};
  const now = new Date().toISOString();
  for (const { name, on } of stampedIn(type)) if (isNew || on === 'write') row[name] = now;
  if (isNew) for (const { attribute, choice } of chosen) if ('is' in choice) row[attribute.name] = choice.is;
  return row;
}
