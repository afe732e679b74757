import type { ContentRegistry, ContentType } from '../content-type';
import { Sealed } from '../kinds/sealed';
import { isPart } from '../nested';
import type { Row, StoreTransaction } from '../store';
import { grouped } from './grouped';

type Data = Record<string, unknown>;

/**
 * Rows as bodies would give them: their values and, at any depth, their components. Links are left out; they were checked
 * when they were made.
 */
export async function storedData(
  type: ContentType,
  rows: readonly Row[],
  transaction: StoreTransaction,
  registry: ContentRegistry,
): Promise<Data[]> {
  const data = new Map<number, Data>();
  for (const row of rows) {
    const own = [...type.attributes.values()]
      .filter(({ system }) => !system)
      .map(({ name, kind }) => {
        const value = row[name] ?? null;
        return [name, kind.concealed && value !== null ? new Sealed(String(value)) : value];
      });
    data.set(Number(row['id']), Object.fromEntries(own));
  }
  for (const nested of type.nested.values()) {
    if (!isPart(nested)) continue;
    const ties = await transaction.ties(type, nested, [...data.keys()]);
    const parts = new Map<string, Data>();
    for (const [uid, group] of grouped(ties, (tie) => tie.uid)) {
      const partType = registry.types.get(uid);
      if (!partType) continue;
      const partRows = await transaction.rows(partType, { id: group.map(({ target }) => target) });
      const partData = await storedData(partType, partRows, transaction, registry);
      for (const [index, row] of partRows.entries()) parts.set(`${uid} ${row['id']}`, partData[index]!);
    }
    const byOwner = grouped(ties, ({ owner }) => owner);
    for (const [id, own] of data) {
      const held = (byOwner.get(id) ?? []).flatMap(({ uid, target }) => {
        const part = parts.get(`${uid} ${target}`);
        return part ? [nested.storage === 'zone' ? { __component: uid, ...part } : part] : [];
      });
      own[nested.name] = nested.many ? held : (held[0] ?? null);
    }
  }
  return rows.map((row) => data.get(Number(row['id']))!);
}
