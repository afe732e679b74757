import type { Resolver } from '../hooks';
import { shadowResolver } from '../query/shadow-resolver';
import type { RootMeaning } from '../schema/meaning';
import { failureOf } from './errors';
import { createReadResolvers } from './read-resolvers';
import { createReading, type ResolverParts } from './reading';
import { createWriteResolvers } from './write-resolvers';

/** The resolvers of generated root fields. */
export function createResolvers(parts: ResolverParts) {
  const reading = createReading(parts);
  const { findOne, find, connection } = createReadResolvers(parts, reading);
  const { change, remove } = createWriteResolvers(parts, reading);

  function resolverOf(meaning: RootMeaning): Resolver {
    switch (meaning.does) {
      case 'findOne':
        return findOne(meaning);
      case 'find':
        return find(meaning);
      case 'connection':
        return connection(meaning);
      case 'create':
      case 'update':
        return change(meaning, meaning.does);
      case 'delete':
        return remove(meaning);
    }
  }

  return (meaning: RootMeaning): Resolver => {
    const resolve = resolverOf(meaning);
    return shadowResolver(async (...asked) => {
      try {
        return await resolve(...asked);
      } catch (error) {
        throw failureOf(error);
      }
    });
  };
}
