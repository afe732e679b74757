import { GraphQLEnumType, type GraphQLSchema, isAbstractType, isEnumType, isObjectType, isScalarType } from 'graphql';
import { didYouMean, type Problem, problem } from '../../../core';
import { failureOf } from '../answer/errors';
import type { Contribution, FieldResolvers, Resolver, TypeResolvers } from '../hooks';

/** A resolver whose errors are the caller's to know, or nobody's. */
export const telling =
  (resolve: Resolver): Resolver =>
  async (...asked) => {
    try {
      return await resolve(...asked);
    } catch (error) {
      throw failureOf(error);
    }
  };

/** Enumerations keep what their values mean in a table that only their making fills. */
function giveValues(type: GraphQLEnumType, given: TypeResolvers): void {
  const config = type.toConfig();
  const values = Object.entries(config.values).map(([name, value]) => [
    name,
    Object.hasOwn(given, name) ? { ...value, value: given[name] } : value,
  ]);
  Object.assign(type, new GraphQLEnumType({ ...config, values: Object.fromEntries(values) }));
}

interface Giving {
  readonly schema: GraphQLSchema;
  /** Field → the plugin that answers it. */
  readonly owners: Map<string, string>;
}

function giveOne(
  { schema, owners }: Giving,
  plugin: string,
  typeName: string,
  name: string,
  given: unknown,
): Problem | undefined {
  const type = schema.getType(typeName);
  const place = `${typeName}.${name}`;
  if ((name === '__resolveType' && isAbstractType(type)) || (name === '__isTypeOf' && isObjectType(type))) {
    Object.assign(type, { [name.slice(2)]: given });
    return undefined;
  }
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (!field) {
    const known = isObjectType(type) ? Object.keys(type.getFields()) : Object.keys(schema.getTypeMap());
    return problem(
      `plugin "${plugin}"`,
      `resolves ${place}, which is no field.`,
      didYouMean(isObjectType(type) ? name : typeName, known).trim() || 'Define it in the type definitions, too.',
    );
  }
  const owner = owners.get(place);
  if (owner !== undefined && owner !== plugin)
    return problem(
      `GraphQL field ${place}`,
      `is resolved by plugin "${owner}" and by plugin "${plugin}".`,
      'Switch one of the two off.',
    );
  owners.set(place, plugin);
  const { resolve, subscribe } = (typeof given === 'function' ? { resolve: given } : given) as FieldResolvers;
  if (resolve) field.resolve = telling(resolve) as never;
  if (subscribe) field.subscribe = telling(subscribe) as never;
  return undefined;
}

/** Gives types what answers for them. Something for what is not there is a mistake, and two over one field are. */
export function giveResolvers(schema: GraphQLSchema, contributions: readonly Contribution[]): Problem[] {
  const giving: Giving = { schema, owners: new Map() };
  return contributions.flatMap(({ plugin, resolvers = {} }) =>
    Object.entries(resolvers).flatMap(([typeName, given]) => {
      const type = schema.getType(typeName);
      if (isScalarType(type) && isScalarType(given)) {
        const { serialize, parseValue, parseLiteral } = given;
        Object.assign(type, { serialize, parseValue, parseLiteral });
        return [];
      }
      if (isEnumType(type)) {
        giveValues(type, given);
        return [];
      }
      return Object.entries(given).flatMap(([name, one]) => giveOne(giving, plugin, typeName, name, one) ?? []);
    }),
  );
}
