import type { ListPart } from './meaning';

/** Fields by which queries written for Strapi 4 are answered, beside those of today. */
interface FormerField {
  readonly name: string;
  readonly definition: string;
}

interface FormerPart extends FormerField {
  readonly part: ListPart;
}

const instead = (remedy: string): string => `@deprecated(reason: "Use ${remedy} instead")`;

export const formerTypes = 'type ResponseCollectionMeta {\n  pagination: Pagination!\n}\n';

export const formerIdentifier = `ID! ${instead('`documentId`')}`;

/** A document or component once more, in what was around its values. */
export const formerObjects = (type: string): FormerField[] =>
  ['attributes', 'data'].map((name) => ({
    name,
    definition: `${name}: ${type}! ${instead('root level fields')}`,
  }));

const nodes = (type: string): FormerPart => ({
  name: 'data',
  part: 'nodes',
  definition: `data: [${type}!]! ${instead('`nodes` field')}`,
});

/** What lists inside documents were called. */
export const formerLinks = (type: string): FormerPart[] => [nodes(type)];

/** What lists of documents were called. */
export const formerLists = (type: string): FormerPart[] => [
  nodes(type),
  { name: 'meta', part: 'page', definition: `meta: ResponseCollectionMeta! ${instead('the `pageInfo` field')}` },
];
