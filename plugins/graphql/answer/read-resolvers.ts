import { type GraphQLObjectType, getNamedType } from 'graphql';
import { flatMapped, valuesIn } from '../../../core';
import type { Resolver } from '../hooks';
import { createAggregate } from '../query/aggregate';
import { createConnectionTree } from '../query/aggregate-tree';
import { pageInfo } from '../query/page';
import type { Values } from '../query/read';
import { createSelect, keyFor } from '../query/select';
import type { ListPart, RootMeaning } from '../schema/meaning';
import { collectorOf, objectOf, type Reading, type ResolverParts } from './reading';

/** Resolvers of queries: each reads all that its selection asks for at once. */
export function createReadResolvers({ surroundings, access, meanings }: ResolverParts, reading: Reading) {
  const { limits, typeOf } = surroundings;
  const aggregateOf = createAggregate({ surroundings, access });

  const findOne =
    (meaning: RootMeaning): Resolver =>
    async (_source, values: Values, context, info) => {
      await access.permit(meaning, context.principal);
      const answer = await reading(info, context, { object: objectOf(info), nodes: info.fieldNodes }, (shown) =>
        access.findOne(meaning, context.principal, values, shown),
      );
      return valuesIn(answer)[0] ?? null;
    };

  const find =
    (meaning: RootMeaning): Resolver =>
    async (_source, values: Values, context, info) => {
      await access.permit(meaning, context.principal);
      const { answer } = await reading(info, context, { object: objectOf(info), nodes: info.fieldNodes }, (shown) =>
        access.find(meaning, context.principal, values, shown, false),
      );
      return valuesIn(answer);
    };

  /** What stands under each key of a connection: documents, their page, what they come to. */
  const connection =
    (meaning: RootMeaning): Resolver =>
    async (_source, values: Values, context, info) => {
      const { principal } = context;
      await access.permit(meaning, principal);
      const collector = collectorOf(info);
      const type = objectOf(info);
      const collected = [...collector.below(type, info.fieldNodes)];
      const parts = meanings.lists.get(type.name)!;
      const showing = (...asked: ListPart[]) =>
        flatMapped(collected, ([key, nodes]) => {
          const part = parts.get(nodes[0]!.name.value);
          return part && asked.includes(part) ? [{ key, nodes, part }] : [];
        });
      const objectAt = (name: string) => getNamedType(type.getFields()[name]!.type) as GraphQLObjectType;

      const lists = showing('nodes').map(async ({ key, nodes }) => {
        const { answer } = await reading(info, context, { object: objectAt('nodes'), nodes }, (shown) =>
          access.find(meaning, principal, values, shown, false),
        );
        return [keyFor(key), valuesIn(answer)] as const;
      });
      const pages = showing('pageInfo', 'page').map(async ({ key, part }) => {
        const { answer, page } = await access.find(meaning, principal, values, 'none', true);
        const info = pageInfo(page, answer.total!);
        return [keyFor(key), part === 'page' ? { pagination: info } : info] as const;
      });
      const tree = createConnectionTree({
        lists: meanings.lists,
        collector,
        select: createSelect({ schema: info.schema, meanings, collector, limits, typeOf, forResolvers: true }),
        keyFor,
      });
      const { inGroups } = context;
      const tell = aggregateOf({ meaning, principal, values, variables: info.variableValues, inGroups });
      const aggregates = showing('aggregate').map(async ({ key, nodes }) => {
        const text = await tell(tree.aggregate(objectAt('aggregate'), nodes));
        return [keyFor(key), JSON.parse(text)] as const;
      });
      return Object.fromEntries(await Promise.all([...lists, ...pages, ...aggregates]));
    };

  return { findOne, find, connection };
}
