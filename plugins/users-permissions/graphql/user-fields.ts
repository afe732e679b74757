import { valuesIn } from '../../../core';
import type { GraphqlContext, Resolver } from '../../graphql';
import { missing } from '../errors';
import { changedTexts, newTexts } from '../roles/role-texts';
import type { Roles } from '../roles/roles';
import type { UserWrites } from '../routes/user-writes';
import { rowNumber } from '../row-number';
import { userUid } from '../types/definitions';
import type { Users } from '../users/users';

type Args = Readonly<Record<string, unknown>>;

export interface UserFieldParts {
  readonly users: () => Users;
  readonly writes: () => UserWrites;
  readonly roles: () => Roles;
}

const plugin = 'plugin::users-permissions';

/** Roles are named by the number of their row, or by their documentId. */
function bodyOf({ role, ...data }: Args): Args {
  if (role === undefined) return data;
  return { ...data, role: rowNumber(role) || role };
}

/** What is done with users and roles by those who may. */
export function userFields({ users, writes, roles }: UserFieldParts) {
  const permitted =
    (
      action: string,
      answer: (args: Args, context: GraphqlContext, info: Parameters<Resolver>[3]) => Promise<unknown>,
    ): Resolver =>
    async (_source, args, context, info) => {
      await context.permit(`${plugin}.${action}`);
      return answer(args, context, info);
    };

  const createUser = permitted('user.create', async ({ data }, context, info) => {
    const [created] = valuesIn(await writes().create(context.principal, bodyOf(data as Args), {}));
    context.http.status = 201;
    return { data: await context.shown(info, 'data', userUid, String(created!['documentId'])) };
  });

  const updateUser = permitted('user.update', async ({ id, data }, context, info) => {
    await writes().update(context.principal, rowNumber(id), bodyOf(data as Args), {});
    const user = await users().find(rowNumber(id));
    if (!user) throw missing('User');
    return { data: await context.shown(info, 'data', userUid, user.documentId) };
  });

  const deleteUser = permitted('user.destroy', async ({ id }, context, info) => {
    const user = await users().find(rowNumber(id));
    const shown = user && (await context.shown(info, 'data', userUid, user.documentId));
    await writes().remove(context.principal, rowNumber(id));
    return { data: shown ?? null };
  });

  const createRole = permitted('role.createRole', async ({ data }) => {
    await roles().create(newTexts(data as Args));
    return { ok: true };
  });

  const updateRole = permitted('role.updateRole', async ({ id, data }) => {
    if (!(await roles().update(rowNumber(id), changedTexts(data as Args)))) throw missing('Role');
    return { ok: true };
  });

  const deleteRole = permitted('role.deleteRole', async ({ id }) => {
    if (!(await roles().remove(rowNumber(id)))) throw missing('Role');
    return { ok: true };
  });

  return {
    Mutation: {
      createUsersPermissionsUser: createUser,
      updateUsersPermissionsUser: updateUser,
      deleteUsersPermissionsUser: deleteUser,
      createUsersPermissionsRole: createRole,
      updateUsersPermissionsRole: updateRole,
      deleteUsersPermissionsRole: deleteRole,
    },
  };
}
