import { z } from 'zod';
import {
  type Attribute,
  type ContentRegistry,
  type ContentType,
  didYouMean,
  isTrue,
  type Problem,
  problem,
} from '../../core';
import { unbounded } from './layout/lookups';

/** By content type, the attributes that lists are often sorted or filtered by. */
export const sortIndexes = z.record(z.string(), z.array(z.string()).min(1)).default({});
export type SortIndexes = z.infer<typeof sortIndexes>;

function unknownAttribute(type: ContentType, name: string, at: string): Problem | undefined {
  const attribute = type.attributes.get(name);
  const refuse = (what: string, remedy: string): Problem => problem('config/database', what, remedy, at);
  if (!attribute) {
    const known = [...type.attributes.keys()];
    return refuse(
      `names the attribute "${name}", which ${type.uid} does not keep in its table.`,
      `Name one that it does; links have indexes anyway.${didYouMean(name, known)}`,
    );
  }
  if (attribute.kind.opaque || unbounded.has(attribute.kind.storage))
    return refuse(
      `names the attribute "${name}" of ${type.uid}, whose values may be too long for an index.`,
      'Take it out.',
    );
  return undefined;
}

/** What the configuration asks for and the content types do not have. */
export function unknownIndexes(indexes: SortIndexes, registry: ContentRegistry): Problem[] {
  const types = new Map(registry.documents.map((type) => [type.uid, type]));
  return Object.entries(indexes).flatMap(([uid, names]) => {
    const type = types.get(uid);
    if (!type)
      return [
        problem(
          'config/database',
          `names the content type "${uid}", which is not there.`,
          `Correct the name.${didYouMean(uid, types.keys())}`,
          'indexes',
        ),
      ];
    return names.flatMap((name, index) => unknownAttribute(type, name, `indexes.${uid}.${index}`) ?? []);
  });
}

const isUnique = (attribute: Attribute): boolean =>
  (attribute.kind.unique === true || isTrue(attribute, 'unique')) && !unbounded.has(attribute.kind.storage);

/** By content type, the attributes in whose order an index has its documents. */
export const sortedByIndex = (registry: ContentRegistry, indexes: SortIndexes): [string, string[]][] =>
  registry.documents
    .filter(({ modelKind }) => modelKind === 'collectionType')
    .map((type) => {
      const asked = indexes[type.uid] ?? [];
      const found = [...type.attributes.values()].filter((each) => asked.includes(each.name) || isUnique(each));
      return [type.uid, [...new Set(['id', ...found.map(({ name }) => name)])]];
    });
