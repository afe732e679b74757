import type { GraphqlHooks } from '../../graphql';
import { roleUid, userUid } from '../types/definitions';
import { type AccountFieldParts, accountFields } from './account-fields';
import { accountTypeDefs, userTypeDefs } from './definitions';
import { withoutPermissionQueries } from './shadow';
import { type UserFieldParts, userFields } from './user-fields';

const plugin = 'users-permissions';

/** Adds accounts, users and roles to GraphQL. */
export function addToGraphql({ extend, contribute }: GraphqlHooks, parts: AccountFieldParts & UserFieldParts): void {
  extend.tap({ name: plugin, mayWait: true }, withoutPermissionQueries);
  contribute.tap({ name: plugin, mayWait: true }, (contributions) => {
    const account = accountFields(parts);
    const administered = userFields(parts);
    contributions.add({
      plugin,
      typeDefs: accountTypeDefs,
      resolvers: { Query: account.Query, Mutation: account.Mutation },
    });
    contributions.add({
      plugin,
      needs: [userUid, roleUid],
      typeDefs: userTypeDefs,
      resolvers: { Mutation: administered.Mutation },
    });
  });
}
