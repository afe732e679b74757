import {
  type GraphQLNamedType,
  GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNamedType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  printType,
} from 'graphql';
import { problem, refuseIfAny } from '../../../core';
import type { Contribution, FieldResolvers, TypeResolvers } from '../hooks';
import type { ExtensionTools, UsedExtension } from './extension';

/** How Nexus marks its definitions. */
const nexusMark = Symbol.for('@nexus/wrapped');

const isRecord = (value: unknown): value is Record<PropertyKey, unknown> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';
const isNexus = (value: unknown): boolean => isRecord(value) && nexusMark in value;
const isBuilder = (value: unknown): value is { toSchema(options: object): unknown } =>
  isRecord(value) && typeof value['toSchema'] === 'function';

interface Sorted {
  readonly schemas: GraphQLSchema[];
  readonly types: GraphQLNamedType[];
  readonly nexus: unknown[];
}

function foreign(plugin: string, what: string): void {
  refuseIfAny([
    problem(
      `plugin "${plugin}"`,
      `uses ${what} in "types".`,
      'Give it types of graphql-js, builders of Pothos or definitions of Nexus, made with the one copy of "graphql" that Heddle has: let packages find that one.',
    ),
  ]);
}

function sort(plugin: string, given: readonly unknown[]): Sorted {
  const sorted: Sorted = { schemas: [], types: [], nexus: [] };
  for (const one of given) {
    const made = isBuilder(one) ? one.toSchema({}) : one;
    if (Array.isArray(made)) {
      const { schemas, types, nexus } = sort(plugin, made);
      sorted.schemas.push(...schemas);
      sorted.types.push(...types);
      sorted.nexus.push(...nexus);
    } else if (isNexus(made)) sorted.nexus.push(made);
    else if (made instanceof GraphQLSchema) sorted.schemas.push(made);
    else if (isNamedType(made)) sorted.types.push(made);
    else foreign(plugin, `a value of type ${typeof made}`);
  }
  return sorted;
}

const fieldNamesOf = (type: GraphQLNamedType): string[] =>
  isObjectType(type) || isInterfaceType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];

/** The definition of a type; of one that is there already, only what is new about it. */
function definitionOf(type: GraphQLNamedType, known: GraphQLNamedType | undefined): string {
  if (!known) return printType(type);
  const old = new Set(fieldNamesOf(known));
  const added = fieldNamesOf(type).filter((name) => !old.has(name));
  if (added.length === 0 || !(isObjectType(type) || isInterfaceType(type))) return '';
  const config = type.toConfig();
  const fields = Object.fromEntries(added.map((name) => [name, config.fields[name]!]));
  const Kind = type.constructor as new (given: object) => GraphQLNamedType;
  return `extend ${printType(new Kind({ ...config, description: undefined, interfaces: [], fields }))}`;
}

function resolversOf(type: GraphQLNamedType, known: GraphQLNamedType | undefined): TypeResolvers {
  const resolvers: Record<string, FieldResolvers> = {};
  if (isObjectType(type)) {
    const old = new Set(known ? fieldNamesOf(known) : []);
    for (const { name, resolve, subscribe } of Object.values(type.getFields()))
      if (!old.has(name) && (resolve || subscribe))
        resolvers[name] = { ...(resolve && { resolve }), ...(subscribe && { subscribe }) } as FieldResolvers;
    if (!known && type.isTypeOf) return { ...resolvers, __isTypeOf: type.isTypeOf as never };
  }
  if (!known && (isUnionType(type) || isInterfaceType(type)) && type.resolveType)
    return { __resolveType: type.resolveType as never };
  if (!known && isEnumType(type))
    return Object.fromEntries(type.getValues().map(({ name, value }) => [name, value])) as TypeResolvers;
  return resolvers;
}

function contributionOf(plugin: string, schema: GraphQLSchema, base: GraphQLSchema): Contribution {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const isNew = types.filter((type) => !base.getType(type.name));
  return {
    plugin,
    typeDefs: types.map((type) => definitionOf(type, base.getType(type.name))).join('\n'),
    resolvers: Object.fromEntries(
      types
        .map((type) => [type.name, resolversOf(type, base.getType(type.name))] as const)
        .filter(([, resolvers]) => Object.keys(resolvers).length > 0),
    ),
    scalars: isNew.filter(isScalarType),
  };
}

/** Nexus lists what a name could have meant only where the types that are there are given to it. */
function nexusSchema(
  { plugin, plugins = [] }: UsedExtension,
  definitions: readonly unknown[],
  base: GraphQLSchema,
  tools: ExtensionTools,
): GraphQLSchema {
  const there = Object.values(base.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
  );
  const schema = tools.nexus.makeSchema({
    types: [...there, ...definitions],
    plugins: plugins as never,
    shouldGenerateArtifacts: false,
    features: { abstractTypeStrategies: { resolveType: true, __typename: true } },
  }) as unknown;
  if (!(schema instanceof GraphQLSchema)) foreign(plugin, 'definitions of a Nexus with a "graphql" of its own');
  return schema as GraphQLSchema;
}

/** The types that an extension brings as values, as a contribution to a schema that is there. */
export function builtContributions(
  extension: UsedExtension,
  base: GraphQLSchema,
  tools: ExtensionTools,
): Contribution[] {
  const { plugin, types = [] } = extension;
  const sorted = sort(plugin, types);
  const schemas = [...sorted.schemas];
  if (sorted.types.length > 0) schemas.push(new GraphQLSchema({ types: sorted.types }));
  if (sorted.nexus.length > 0) schemas.push(nexusSchema(extension, sorted.nexus, base, tools));
  return schemas.map((schema) => contributionOf(plugin, schema, base));
}
