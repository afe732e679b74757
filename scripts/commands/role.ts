import { didYouMean } from '../../core';
import { ACCESS_DECLARATION, expandActions, KNOWN_ACTIONS, ROLES } from '../../plugins/users-permissions';
import type { FolderOptions } from './application-folder';
import { columns } from './columns';
import { print, readingOnly, type ServiceOf, withApplication } from './with-application';

interface ListOptions extends FolderOptions {
  readonly permissions?: boolean;
}

const needs = { plugin: 'users-permissions', reason: 'roles' };
const readingNeeds = { ...needs, config: readingOnly };

async function required(type: string, service: ServiceOf) {
  const role = await service(ROLES).ofType(type);
  if (role) return role;
  const known = (await service(ROLES).list()).map((each) => each.type);
  throw new Error(`There is no role "${type}". There are ${known.join(', ')}.${didYouMean(type, known)}`);
}

async function listed(service: ServiceOf): Promise<string> {
  const roles = service(ROLES);
  const rows = (await roles.list()).map(async ({ id, type, name, users }) => {
    const { length } = await roles.actionsOf(id);
    return [type, name, String(users), String(length)];
  });
  return columns([['TYPE', 'NAME', 'USERS', 'PERMISSIONS'], ...(await Promise.all(rows))]);
}

/** All roles; or what one of them may do; or all that can be granted. */
export const listRoles = (type: string | undefined, { permissions, ...options }: ListOptions): Promise<number> =>
  withApplication(options, readingNeeds, async (service) => {
    if (permissions && type !== undefined)
      throw new Error('Give a role, for what it may do, or --permissions, for all that can be granted.');
    if (permissions) return print(service(KNOWN_ACTIONS).list().join('\n'));
    if (type === undefined) return print(await listed(service));
    const actions = await service(ROLES).actionsOf((await required(type, service)).id);
    print(actions.length === 0 ? `The role "${type}" may do nothing.` : actions.sort().join('\n'));
  });

/** What the configuration says is not changed behind its back. */
async function changeable(type: string, service: ServiceOf) {
  const role = await required(type, service);
  if (service(ACCESS_DECLARATION).decidesOn(type))
    throw new Error(
      `What the role "${type}" may do is listed in config/access. Change it there: the next start goes by that.`,
    );
  return role;
}

export const grantTo = (type: string, patterns: string[], options: FolderOptions): Promise<number> =>
  withApplication(options, needs, async (service) => {
    await changeable(type, service);
    const granted = await service(ROLES).grant(type, expandActions(patterns, service(KNOWN_ACTIONS).list()));
    print(
      granted.length === 0
        ? `The role "${type}" has all that already.`
        : granted.map((action) => `+ ${action}`).join('\n'),
    );
  });

export const revokeFrom = (type: string, patterns: string[], options: FolderOptions): Promise<number> =>
  withApplication(options, needs, async (service) => {
    const { id } = await changeable(type, service);
    // What it has may be of a content type that is there no more.
    const known = [...service(KNOWN_ACTIONS).list(), ...(await service(ROLES).actionsOf(id))];
    const revoked = await service(ROLES).revoke(type, expandActions(patterns, known));
    print(
      revoked.length === 0 ? `The role "${type}" has none of that.` : revoked.map((action) => `- ${action}`).join('\n'),
    );
  });
