import type { Context } from 'koa';
import { bodyOf, type Route } from '../../../core';
import { isRecord } from '../auth/body';
import { missing } from '../errors';
import { changedTexts, newTexts, refuseNothing } from '../roles/role-texts';
import type { Roles } from '../roles/roles';
import { idOf } from './callers';
import { actionsIn, treeOf } from './permission-tree';

interface RoleRouteParts {
  readonly roles: () => Roles;
  /** All actions that something asks for. */
  readonly actions: () => Iterable<string>;
}

function inputOf<Texts>(context: Context, textsOf: (body: Record<string, unknown>) => Texts) {
  const body = bodyOf(context);
  const given = isRecord(body) ? body : {};
  refuseNothing(given);
  const actions = actionsIn(given['permissions']);
  return { ...textsOf(given), ...(actions && { actions }) };
}

/** Roles with what they may do. */
export function roleRoutes(prefix: string, { roles, actions }: RoleRouteParts): Route[] {
  const route = (method: Route['method'], path: string, action: string, handle: Route['handle']): Route => ({
    method,
    path: `${prefix}/users-permissions${path}`,
    access: { action: `plugin::users-permissions.${action}` },
    ...((method === 'POST' || method === 'PUT') && { body: 'json' as const }),
    handle,
  });
  const ok = { ok: true };

  return [
    route('GET', '/roles', 'role.find', async (context) => {
      const all = await roles().list();
      context.body = { roles: all.map(({ users, ...role }) => ({ ...role, nb_users: users })) };
    }),
    route('GET', '/roles/:id', 'role.findOne', async (context) => {
      const role = await roles().find(idOf(context));
      if (!role) throw missing('Role');
      const granted = new Set(await roles().actionsOf(role.id));
      context.body = { role: { ...role, permissions: treeOf(actions(), granted) } };
    }),
    route('POST', '/roles', 'role.createRole', async (context) => {
      await roles().create(inputOf(context, newTexts));
      context.body = ok;
    }),
    route('PUT', '/roles/:id', 'role.updateRole', async (context) => {
      if (!(await roles().update(idOf(context), inputOf(context, changedTexts)))) throw missing('Role');
      context.body = ok;
    }),
    route('DELETE', '/roles/:id', 'role.deleteRole', async (context) => {
      if (!(await roles().remove(idOf(context)))) throw missing('Role');
      context.body = ok;
    }),
    route('GET', '/permissions', 'permissions.getPermissions', (context) => {
      context.body = { permissions: treeOf(actions()) };
    }),
  ];
}
