import { mergeTypeDefs } from '@graphql-tools/merge';
import {
  buildASTSchema,
  type DocumentNode,
  type GraphQLScalarType,
  type GraphQLSchema,
  isScalarType,
  parse,
  specifiedScalarTypes,
  validateSchema,
  visit,
} from 'graphql';
import { didYouMean, type Problem, ProjectError, problem, refuseIfAny } from '../../../core';
import type { Contribution } from '../hooks';
import { giveResolvers } from './give-resolvers';
import { codeScalar } from './scalars';

const sentence = (error: unknown): string => `${(error as Error).message.replace(/\.$/, '')}.`;

const unmade = (what: string): Problem =>
  problem(
    'the GraphQL schema',
    what,
    'Look for the content type, or the plugin, that has this name, or switch plugin "graphql" off in config/plugins.',
  );

interface Part {
  readonly plugin: string;
  readonly document: DocumentNode;
}

function parsed({ plugin, typeDefs }: Contribution): Part[] {
  if (typeof typeDefs !== 'string') return [{ plugin, document: typeDefs }];
  if (typeDefs.trim() === '') return [];
  try {
    return [{ plugin, document: parse(typeDefs, { noLocation: true }) }];
  } catch (error) {
    throw new ProjectError([
      plugin === 'graphql'
        ? unmade(`can't be read: ${sentence(error)}`)
        : problem(
            `plugin "${plugin}"`,
            `adds GraphQL definitions that can't be read: ${sentence(error)}`,
            'Correct them.',
          ),
    ]);
  }
}

/** Fields that two plugins define. */
function clashes(parts: readonly Part[]): Problem[] {
  const owners = new Map<string, string>();
  return parts.flatMap(({ plugin, document }) =>
    document.definitions.flatMap((definition) => {
      if (!('fields' in definition) || !('name' in definition)) return [];
      return (definition.fields ?? []).flatMap((field) => {
        const place = `${definition.name!.value}.${field.name.value}`;
        const owner = owners.get(place);
        owners.set(place, owner ?? plugin);
        if (owner === undefined || owner === plugin) return [];
        return [
          problem(
            `GraphQL field ${place}`,
            `is added by plugin "${owner}" and by plugin "${plugin}".`,
            'Switch one of the two off, or give the field another name.',
          ),
        ];
      });
    }),
  );
}

function giveScalars(schema: GraphQLSchema, scalars: readonly GraphQLScalarType[]): void {
  for (const { name, description, serialize, parseValue, parseLiteral, specifiedByURL } of scalars) {
    const type = schema.getType(name);
    if (isScalarType(type)) Object.assign(type, { description, serialize, parseValue, parseLiteral, specifiedByURL });
  }
}

/** Types that a plugin refers to and that nobody defines. */
function dangling(parts: readonly Part[]): Problem[] {
  const defined = new Set(specifiedScalarTypes.map(({ name }) => name));
  for (const { document } of parts)
    for (const definition of document.definitions)
      if ('name' in definition && definition.name && !definition.kind.endsWith('Extension'))
        defined.add(definition.name.value);
  return parts.flatMap(({ plugin, document }) => {
    const missing = new Set<string>();
    visit(document, { NamedType: ({ name }) => void (defined.has(name.value) || missing.add(name.value)) });
    return [...missing].map((name) =>
      problem(
        `plugin "${plugin}"`,
        `refers to GraphQL type "${name}", which nobody defines.`,
        didYouMean(name, defined).trim() || 'Define it, or switch the plugin on that does.',
      ),
    );
  });
}

function merged(parts: readonly Part[]): GraphQLSchema {
  try {
    return buildASTSchema(mergeTypeDefs(parts.map(({ document }) => document)), { assumeValidSDL: true });
  } catch (error) {
    throw new ProjectError([unmade(`can't be put together: ${sentence(error)}`)]);
  }
}

/** The types that contributions define, without anything that answers. */
export function sketchSchema(contributions: readonly Contribution[]): GraphQLSchema | undefined {
  const parts = contributions.flatMap(parsed);
  return dangling(parts).length > 0 ? undefined : merged(parts);
}

/** One schema out of what all plugins contribute, the generated part first. */
export function buildSchema(contributions: readonly Contribution[]): GraphQLSchema {
  const parts = contributions.flatMap(parsed);
  refuseIfAny([...clashes(parts), ...dangling(parts)]);
  const schema = merged(parts);
  for (const { scalars = [], codes = [] } of contributions) giveScalars(schema, [...scalars, ...codes.map(codeScalar)]);
  refuseIfAny(giveResolvers(schema, contributions));
  // Without any query there is nothing to serve, and no schema to be valid.
  if (!schema.getQueryType()) return schema;
  refuseIfAny(validateSchema(schema).map((error) => unmade(`is not valid: ${sentence(error)}`)));
  return schema;
}
