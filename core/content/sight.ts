import type { ContentRegistry } from './content-type';
import { Lru } from './lru';
import type { Operation } from './operation';

/** How many different rights are remembered with what they may see. */
const keptRights = 1_000;

/** Whether a caller may read documents of a type. */
export type Sees = (uid: string) => boolean;

/** Finds out which types' documents a caller may read: asked once for all callers with the same rights. */
export function createSight(registry: () => ContentRegistry): (operation: Operation) => Promise<Sees> {
  const seen = new Lru<ReadonlySet<string>>(keptRights);

  async function visibleTypes({ rights, may }: Operation): Promise<ReadonlySet<string>> {
    const all = registry().documents;
    if (!may) return new Set(all.map(({ uid }) => uid));
    const known = seen.get(rights);
    if (known) return known;
    const answers = await Promise.all(all.map(({ uid }) => may(`${uid}.find`)));
    const visible = new Set(all.filter((_, index) => answers[index]).map(({ uid }) => uid));
    seen.set(rights, visible);
    return visible;
  }

  return async (operation) => {
    const visible = await visibleTypes(operation);
    return (uid) => visible.has(uid);
  };
}

export type Sight = ReturnType<typeof createSight>;
