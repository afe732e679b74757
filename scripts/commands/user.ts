import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { didYouMean } from '../../core';
import { ROLES, SETTINGS, USERS } from '../../plugins/users-permissions';
import type { FolderOptions } from './application-folder';
import { print, withApplication } from './with-application';

interface CreateOptions extends FolderOptions {
  readonly email: string;
  readonly role?: string;
  readonly passwordStdin?: boolean;
}

const needs = { plugin: 'users-permissions', reason: 'users' };

/** A command line can be read by others: a password comes from standard input, or is made up and shown this once. */
async function passwordFrom(isGiven: boolean): Promise<{ password: string; isMade: boolean }> {
  if (!isGiven) return { password: randomBytes(15).toString('base64url'), isMade: true };
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password.length < 6) throw new Error('The password on standard input has fewer than 6 characters.');
  return { password, isMade: false };
}

export const createUser = (username: string, options: CreateOptions): Promise<number> => {
  const { email, role: wanted, passwordStdin = false, ...folders } = options;
  return withApplication(folders, needs, async (service) => {
    const type = wanted ?? (await service(SETTINGS).advanced()).default_role;
    const role = await service(ROLES).ofType(type);
    if (!role) {
      const known = (await service(ROLES).list()).map((each) => each.type);
      throw new Error(`There is no role "${type}". There are ${known.join(', ')}.${didYouMean(type, known)}`);
    }
    const { password, isMade } = await passwordFrom(passwordStdin);
    await service(USERS).create({ username, email, password, role: role.id, confirmed: true });
    process.stderr.write(`The user "${username}" was made, with the role "${type}".\n`);
    if (isMade) {
      print(password);
      process.stderr.write('The password is shown this once: only its hash is kept.\n');
    }
  });
};
