import type { Context } from 'koa';
import { type Route, validationError } from '../../../core';
import { isRecord } from '../auth/body';
import { missing } from '../errors';
import type { RoleInput, Roles } from '../roles/roles';
import { bodyOf, idOf } from './callers';
import { actionsIn, treeOf } from './permission-tree';

interface RoleRouteParts {
  readonly roles: () => Roles;
  /** All actions that something asks for. */
  readonly actions: () => Iterable<string>;
}

const textOf = (body: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > 255)
    throw validationError(`${name} must be a text of at most 255 characters`);
  if (value.includes('\0')) throw validationError(`${name} must not contain the character U+0000`);
  return value;
};

function inputOf(context: Context): Partial<RoleInput> {
  const body = bodyOf(context);
  if (!isRecord(body) || Object.keys(body).length === 0) throw validationError('Request body cannot be empty');
  return {
    name: textOf(body, 'name'),
    description: textOf(body, 'description'),
    type: textOf(body, 'type'),
    actions: actionsIn(body['permissions']),
  } as Partial<RoleInput>;
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
      const { name, ...rest } = inputOf(context);
      if (!name) throw validationError('name is a required field');
      await roles().create({ name, ...rest });
      context.body = ok;
    }),
    route('PUT', '/roles/:id', 'role.updateRole', async (context) => {
      const { type: _, ...input } = inputOf(context);
      if (!(await roles().update(idOf(context), input))) throw missing('Role');
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
