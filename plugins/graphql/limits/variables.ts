import { GraphQLError, OperationTypeNode } from 'graphql';
import { levelsIn, mostBodyLevels } from '../../../core';
import type { Variables } from '../query/collected';

/** Lists and objects in the variables of a query: twice as many as its filters may need, for each is compared with its whole type. */
const mostInQueries = 20_000;

const refused = (what: string, most: number): GraphQLError =>
  new GraphQLError(`The variables have too many ${what}. The maximum is ${most}.`, {
    extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
  });

/** Why variables are not even compared with their types, if there is a reason. */
export function variablesError(given: Variables, operation: OperationTypeNode): GraphQLError | undefined {
  let [levels, inside] = [0, 0];
  for (const level of levelsIn(given)) {
    levels += 1;
    inside += level.length;
    if (levels > mostBodyLevels) return refused('levels', mostBodyLevels);
    if (inside > mostInQueries && operation !== OperationTypeNode.MUTATION)
      return refused('lists and objects', mostInQueries);
  }
  return undefined;
}
