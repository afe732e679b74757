import type { GraphQLFieldResolver } from 'graphql';
import type { Resolver } from '../hooks';

const shadowResolvers = new WeakSet<object>();

/** Marks a resolver that does nothing but answer what was read: a read may answer in its place. */
export function shadowResolver<Made extends Resolver>(resolver: Made): Made {
  shadowResolvers.add(resolver);
  return resolver;
}

export const isShadowResolver = (resolver: GraphQLFieldResolver<unknown, never> | undefined): boolean =>
  resolver !== undefined && shadowResolvers.has(resolver);
