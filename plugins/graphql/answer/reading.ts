import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
} from 'graphql';
import { RefusedEntry, type Shown } from '../../../core';
import type { GraphqlContext, Resolver } from '../hooks';
import { type Collector, createCollector } from '../query/collected';
import { asTold, type DocumentAccess, refusedNode, type Surroundings, shownOf } from '../query/read';
import { createSelect, keyFor } from '../query/select';
import { shadowResolver } from '../query/shadow-resolver';
import type { Meanings } from '../schema/meaning';

export type Document = Readonly<Record<string, unknown>>;

const isDocument = (source: unknown): source is Document => typeof source === 'object' && source !== null;

export interface ResolverParts {
  readonly surroundings: Surroundings;
  readonly access: DocumentAccess;
  readonly meanings: Meanings;
}

export const collectorOf = ({ schema, fragments, variableValues }: GraphQLResolveInfo): Collector =>
  createCollector(schema, fragments, variableValues);

/** The type of what a field answers, without lists around it. */
export const objectOf = ({ returnType }: GraphQLResolveInfo): GraphQLObjectType =>
  getNamedType(returnType) as GraphQLObjectType;

/** What was read for a response key, or what is wrong with the field. */
export const shownField: Resolver = shadowResolver((source, args, context, info) => {
  const { path, fieldNodes } = info;
  const refusal = context.refusals.get(fieldNodes[0]!);
  if (refusal) throw refusal;
  const key = keyFor(path.key);
  // What a plugin's own resolver gave is looked through as objects usually are.
  return isDocument(source) && Object.hasOwn(source, key)
    ? source[key]
    : defaultFieldResolver(source, args, context, info);
});

/** The object that a field stands in, once more. */
export const itselfField: Resolver = shadowResolver((source, _args, _context, { path }) => {
  const key = keyFor(path.key);
  return isDocument(source) && Object.hasOwn(source, key) ? source[key] : source;
});

export interface Selected {
  readonly object: GraphQLObjectType;
  readonly nodes: readonly FieldNode[];
}

/**
 * Runs a read with what is shown of documents. Lists that are asked for something wrong are left out, one after the
 * other, and answered by what is wrong with them.
 */
export function createReading({ surroundings: { limits, typeOf }, meanings }: ResolverParts) {
  return async function reading<T>(
    info: GraphQLResolveInfo,
    { refusals }: GraphqlContext,
    { object, nodes }: Selected,
    read: (shown: Shown) => Promise<T>,
  ): Promise<T> {
    const options = { schema: info.schema, meanings, collector: collectorOf(info), limits, typeOf };
    for (;;) {
      const selection = createSelect({ ...options, forResolvers: true, refused: refusals })(object, nodes);
      try {
        return await read(shownOf(selection, info.variableValues));
      } catch (error) {
        if (!(error instanceof RefusedEntry)) throw error;
        refusals.set(refusedNode(selection, error), asTold(error.cause));
      }
    }
  };
}

export type Reading = ReturnType<typeof createReading>;
