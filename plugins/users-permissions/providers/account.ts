import { randomBytes } from 'node:crypto';
import { unfit } from '../errors';
import type { Roles } from '../roles/roles';
import type { SettingsReader } from '../users/settings';
import type { UserRow, Users } from '../users/users';
import type { Identity } from './provider-kind';

interface Parts {
  readonly users: Users;
  readonly roles: Roles;
  readonly settings: SettingsReader;
}

const refuse = (message: string): never => {
  throw unfit(message);
};

/** A name that nobody has, near the one that the provider told. */
async function freeName({ username, email }: Identity, users: Users): Promise<string> {
  const wanted = (username ?? email!.split('@')[0]!).slice(0, 200);
  const isFree = wanted.length >= 3 && (await users.ofIdentifier(wanted)).length === 0;
  return isFree ? wanted : `${wanted}-${randomBytes(4).toString('hex')}`;
}

/**
 * The user that somebody is whom a provider knows. Who they are here is told by their address alone, so that it must be
 * verified; and nobody gets at the account that somebody else opened under it in another way.
 */
export async function accountOf(
  provider: string,
  identity: Identity,
  { users, roles, settings }: Parts,
): Promise<UserRow> {
  if (identity.email === undefined) return refuse('Email was not available.');
  if (!identity.isVerified) return refuse('Email was not verified by the provider.');
  const email = identity.email.toLowerCase();
  const known = await users.ofEmail(email);
  const own = known.find((user) => user.provider === provider);
  if (own) return own.blocked ? refuse('Your account has been blocked by an administrator') : own;
  const { allow_register, unique_email, default_role } = await settings.advanced();
  if (!allow_register) return refuse('Register action is actually not available.');
  if (known.length > 0 && unique_email) return refuse('Email is already taken.');
  const role = await roles.ofType(default_role);
  if (!role) throw new Error(`the role of new users, "${default_role}", does not exist`);
  const username = await freeName(identity, users);
  const made = await users.create({ username, email, provider, confirmed: true, role: role.id });
  return (await users.find(Number(made['id'])))!;
}
