import { type AttributeDefinition, type ContentRegistry, type ContentType, isTrue } from '../../core';
import type { DatabaseConfig } from './config';
import { unbounded } from './layout/lookups';
import type { LayoutAttribute, LayoutModel } from './layout/model';

/** What the configuration says of tables. */
export type ModelOptions = Pick<DatabaseConfig, 'indexes' | 'renderings'>;

/** Attributes that keep no column of their own are stored by what their definition says, served or not. */
const structural: Readonly<Record<string, (definition: AttributeDefinition) => LayoutAttribute>> = {
  relation: ({ relation, target, inversedBy, mappedBy, useJoinTable, morphBy }) =>
    ({ storage: 'link', relation, target, inversedBy, mappedBy, useJoinTable, morphBy }) as LayoutAttribute,
  component: ({ component, repeatable }) => ({
    storage: 'component',
    component: String(component),
    repeatable: repeatable === true,
  }),
  dynamiczone: ({ components }) => ({ storage: 'zone', components: (components ?? []) as string[] }),
  media: ({ multiple }) => ({ storage: 'media', multiple: multiple === true }),
};

/** Kinds that have tables here, whether or not a plugin serves them. */
export const structuralKinds: readonly string[] = Object.keys(structural);

function layoutAttribute(
  type: ContentType,
  name: string,
  definition: AttributeDefinition,
): LayoutAttribute | undefined {
  const build = structural[definition.type];
  if (build) return build(definition);
  const attribute = type.attributes.get(name);
  if (!attribute) return undefined;
  const { columnName, column } = definition as { columnName?: string; column?: object };
  const unique = attribute.kind.unique === true || isTrue(attribute, 'unique');
  const { storage, opaque } = attribute.kind;
  const listed = !opaque && !unbounded.has(storage);
  return { storage, columnName, column, ...(unique && { unique }), ...(listed && { listed }) };
}

/** Columns that every document has anyway, whatever plugin shows them. */
const standard = new Set(['id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale']);

/** What answers show of a row by themselves, the id in front of it. */
const shownOf = (type: ContentType): string[] =>
  [...type.attributes.values()].filter(({ hidden, name }) => !hidden && name !== 'id').map(({ name }) => name);

function modelOf(type: ContentType, { indexes: { [type.uid]: sortedBy }, renderings }: ModelOptions): LayoutModel {
  const { definition, uid, modelKind, singularName } = type;
  const own = Object.entries(definition.attributes);
  const system = [...type.attributes.values()]
    .filter((attribute) => attribute.system && !standard.has(attribute.name))
    .map((attribute) => [attribute.name, attribute.definition] as const);
  const attributes = [...own, ...system].map(
    ([name, attribute]) => [name, layoutAttribute(type, name, attribute)] as const,
  );
  const variants = type.dimensions.map(({ attribute }) => attribute.name).filter((name) => !standard.has(name));
  return {
    uid,
    ...(variants.length > 0 && { variants }),
    ...(sortedBy && { sortedBy }),
    ...(renderings && { shown: shownOf(type) }),
    modelKind,
    collectionName: definition.collectionName,
    singularName,
    attributes: Object.fromEntries(
      attributes.filter((entry): entry is [string, LayoutAttribute] => entry[1] !== undefined),
    ),
  };
}

/** The registry as the table layout wants it. */
export const modelsOf = (registry: ContentRegistry, options: ModelOptions): LayoutModel[] =>
  [...registry.types.values()].map((type) => modelOf(type, options));
