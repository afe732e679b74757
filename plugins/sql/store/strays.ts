import type { ContentRegistry, ContentType } from '../../../core';
import type { Database } from '../database/database';
import type { Layout } from '../layout/layout';

/** By type and zone: the components that stand in a zone though its schema does not list them, or no longer does. */
export type Strays = Map<string, readonly ContentType[]>;

export const strayKey = (uid: string, zone: string): string => `${uid} ${zone}`;

/** Looks for strays in a database that others wrote: what is there is shown, whoever put it there. */
export async function findStrays(
  { rows, dialect }: Database,
  registry: ContentRegistry,
  { types }: Layout,
  strays: Strays,
): Promise<void> {
  for (const type of registry.types.values()) {
    for (const { name, storage, targets } of type.nested.values()) {
      const place = types[type.uid]?.places[name];
      if (storage !== 'zone' || place?.in !== 'components') continue;
      const [uid, field] = [dialect.id(place.typeColumn), dialect.id(place.fieldColumn)];
      const sql = `select distinct ${uid} from ${dialect.id(place.table)} where ${field}=${dialect.placeholder(1)}`;
      const found = (await rows({ sql }, [name])).map(([there]) => String(there));
      const strange = found
        .filter((there) => !targets.includes(there))
        .flatMap((there) => registry.types.get(there) ?? []);
      if (strange.length > 0) strays.set(strayKey(type.uid, name), strange);
    }
  }
}
