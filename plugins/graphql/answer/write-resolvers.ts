import { HeddleError, type Operation, type Shown, valuesIn } from '../../../core';
import type { Resolver } from '../hooks';
import { dataFrom } from '../query/data';
import type { Values } from '../query/read';
import type { RootMeaning } from '../schema/meaning';
import { objectOf, type Reading, type ResolverParts } from './reading';

/** Resolvers of mutations. What of an answer can't be given is found out before anything is written. */
export function createWriteResolvers({ surroundings, access }: ResolverParts, reading: Reading) {
  const { typeOf, documents } = surroundings;

  const change =
    (meaning: RootMeaning, run: 'create' | 'update'): Resolver =>
    async (_source, values: Values, context, info) => {
      const { principal } = context;
      await access.permit(meaning, principal);
      const data = dataFrom(meaning.type, values['data'] as Values, typeOf);
      const parameters = access.parametersOf(meaning.type, 'write', values);
      const asked = (shown: Shown): Operation =>
        access.operation(run, meaning, principal, values['documentId'], { shown, parameters });
      const checked = await reading(
        info,
        context,
        { object: objectOf(info), nodes: info.fieldNodes },
        async (shown) => {
          const operation = asked(shown);
          await documents.checkKeys(operation);
          return operation;
        },
      );
      try {
        return valuesIn(await documents[run]({ ...checked, data }))[0] ?? null;
      } catch (error) {
        if (error instanceof HeddleError && error.name === 'NotFoundError') return null;
        throw error;
      }
    };

  const remove =
    (meaning: RootMeaning): Resolver =>
    async (_source, values: Values, { principal }) => {
      await access.permit(meaning, principal);
      const { documentId } = values;
      const parameters = access.parametersOf(meaning.type, 'delete', values);
      const deleted = await documents.remove(
        access.operation('delete', meaning, principal, documentId, { parameters }),
      );
      if (documentId !== undefined) return { documentId };
      if (deleted === undefined) throw new HeddleError('NotFoundError', 'Document not found', {});
      return { documentId: deleted };
    };

  return { change, remove };
}
