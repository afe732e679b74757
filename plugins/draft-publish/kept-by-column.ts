import { type ContentRegistry, type ContentType, flattened, type Nested, type RowTree, type Tie } from '../../core';
import { hasDrafts } from './status';

/** Whether a column of what has no versions keeps such links: it leads to one version, and is not to be taken from what is published. */
export function isKeptByColumn({ definition, targets }: Nested, { types }: ContentRegistry): boolean {
  const target = types.get(targets[0] ?? '');
  const owner = typeof definition['mappedBy'] === 'string' ? target?.nested.get(definition['mappedBy']) : undefined;
  return owner?.definition['useJoinTable'] === false && !hasDrafts(target!.definition);
}

/** Those of the links that rows of a type hold. */
export function tiesKeptByColumns(type: ContentType, tree: RowTree, registry: ContentRegistry): Set<Tie> {
  const kept = [...tree[0]!.get(type)!.ties].filter(([nested]) => isKeptByColumn(nested, registry));
  return new Set(flattened(kept.flatMap(([, lists]) => [...lists.values()])));
}
