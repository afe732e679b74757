import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields';

/** Response key → the nodes that ask for it, in the order of answers. */
export type Collected = ReadonlyMap<string, readonly FieldNode[]>;

export type Variables = Readonly<Record<string, unknown>>;

/** Finds what a selection asks of an object: fragments taken apart, what directives leave out left out. */
export interface Collector {
  root(type: GraphQLObjectType, operation: OperationDefinitionNode): Collected;
  below(type: GraphQLObjectType, nodes: readonly FieldNode[]): Collected;
}

export function fragmentsIn(definitions: DocumentNode['definitions']): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}

export function createCollector(
  schema: GraphQLSchema,
  fragments: Record<string, FragmentDefinitionNode>,
  variables: Variables,
): Collector {
  return {
    root: (type, { selectionSet }) => collectFields(schema, fragments, variables, type, selectionSet),
    below: (type, nodes) => collectSubfields(schema, fragments, variables, type, nodes),
  };
}
