import type { ContentType } from '../content-type';
import { Sealed } from '../kinds/sealed';
import { isPart, mayHold } from '../nested';
import type { Row } from '../store';
import type { RowTree, TreeRows } from './row-tree';

type Data = Record<string, unknown>;

function ownData(type: ContentType, row: Row): Data {
  const data: Data = {};
  for (const { name, kind, system } of type.attributes.values()) {
    if (system) continue;
    const value = row[name] ?? null;
    data[name] = kind.concealed && value !== null ? new Sealed(String(value)) : value;
  }
  return data;
}

/**
 * A row as a body would give it: its values and, at any depth, its components, as far as they may stand there. Links are left out;
 * they were checked when they were made.
 */
export function storedData(type: ContentType, id: number, tree: RowTree, depth = 0): Data {
  const { rows, ties } = tree[depth]!.get(type) as TreeRows;
  const data = ownData(type, rows.get(id)!);
  const parts = tree[depth + 1];
  for (const nested of type.nested.values()) {
    if (!isPart(nested)) continue;
    const held: Data[] = [];
    for (const { uid, target } of ties.get(nested)?.get(id) ?? []) {
      if (!mayHold(nested, uid)) continue;
      const part = [...(parts?.keys() ?? [])].find((each) => each.uid === uid);
      // The peer leaves ties to components behind that are gone.
      if (!part || !parts!.get(part)!.rows.has(target)) continue;
      const own = storedData(part, target, tree, depth + 1);
      held.push(nested.storage === 'zone' ? { __component: uid, ...own } : own);
    }
    data[nested.name] = nested.many ? held : (held[0] ?? null);
  }
  return data;
}
