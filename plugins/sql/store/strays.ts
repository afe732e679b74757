import type { ContentRegistry, ContentType, Nested } from '../../../core';
import type { Database } from '../database/database';
import type { Layout } from '../layout/layout';

/** By zone: the components that stand in it though its schema does not list them, or no longer does. */
export type Strays = ReadonlyMap<Nested, readonly ContentType[]>;

/** Looks for strays: what is there is shown, whoever put it there and whatever became of the schema since. */
export async function findStrays(
  { rows, dialect }: Database,
  registry: ContentRegistry,
  { types }: Layout,
): Promise<Strays> {
  const strays = new Map<Nested, readonly ContentType[]>();
  for (const type of registry.types.values()) {
    for (const nested of type.nested.values()) {
      const { name, storage, targets } = nested;
      const place = types[type.uid]?.places[name];
      if (storage !== 'zone' || place?.in !== 'components') continue;
      const [uid, field] = [dialect.id(place.typeColumn), dialect.id(place.fieldColumn)];
      const sql = `select distinct ${uid} from ${dialect.id(place.table)} where ${field}=${dialect.placeholder(1)}`;
      const found = (await rows({ sql }, [name])).map(([there]) => String(there));
      const strange = found
        .filter((there) => !targets.includes(there))
        .flatMap((there) => registry.types.get(there) ?? []);
      if (strange.length > 0) strays.set(nested, strange);
    }
  }
  return strays;
}
