import { type GraphQLObjectType, type GraphQLResolveInfo, getNamedType } from 'graphql';
import { valuesIn } from '../../../core';
import type { GraphqlContext } from '../hooks';
import { collectorOf, objectOf, type Reading, type ResolverParts } from './reading';

/** Reads a document as it is asked for under a key of an answer, for resolvers that know which it is. */
export function createShownDocument({ surroundings }: ResolverParts, reading: Reading) {
  const { documents, typeOf, mayDo } = surroundings;

  return async (
    context: GraphqlContext,
    info: GraphQLResolveInfo,
    field: string,
    uid: string,
    documentId: string,
  ): Promise<unknown> => {
    const payload = objectOf(info);
    const collected = [...collectorOf(info).below(payload, info.fieldNodes).values()];
    const nodes = collected.filter(([node]) => node!.name.value === field).flat();
    const type = typeOf(uid);
    if (nodes.length === 0 || !type) return null;
    const object = getNamedType(payload.getFields()[field]!.type) as GraphQLObjectType;
    const { principal } = context;
    const may = (entailed: string): Promise<boolean> => mayDo(principal, entailed);
    const answer = await reading(info, context, { object, nodes }, (shown) =>
      documents.read({ action: 'findOne', type, documentId, rights: principal.rights, may, query: { shown } }),
    );
    return valuesIn(answer)[0] ?? null;
  };
}

export type ShownDocumentReader = ReturnType<typeof createShownDocument>;
