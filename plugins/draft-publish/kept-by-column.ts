import type { ContentRegistry, ContentType, Nested } from '../../core';
import { hasDrafts } from './status';

/** Whether links through an attribute are kept in columns, which have room for one. */
export const holdsOne = ({ storage, many, definition }: Nested): boolean =>
  definition['useJoinTable'] === false || (storage === 'morph' && !many);

/** Whether a column of what has no versions keeps such links: it leads to one version, and is not to be taken from what is published. */
function isKeptByColumn({ definition, targets }: Nested, { types }: ContentRegistry): boolean {
  const target = types.get(targets[0] ?? '');
  const owner = typeof definition['mappedBy'] === 'string' ? target?.nested.get(definition['mappedBy']) : undefined;
  return owner !== undefined && holdsOne(owner) && !hasDrafts(target!.definition);
}

/** The attributes of a type that show such links. */
export const keptByColumns = (type: ContentType, registry: ContentRegistry): Set<Nested> =>
  new Set([...type.nested.values()].filter((nested) => isKeptByColumn(nested, registry)));
