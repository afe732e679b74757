import { type HeddleError, issuesError, validationError } from '../../../core';
import { unfit } from '../errors';
import type { UserRow } from '../users/users';
import { isEmail, isGiven, isRepeated, isShortEnough, readTexts, recordOf } from './body';
import { isFresh, newCode } from './codes';
import { createConfirming } from './confirming';
import type { Admitted, Auth, AuthParts } from './parts';
import { createRegister } from './register';
import { type CodeMail, sendCode } from './send-code';

const newPassword = {
  passwordConfirmation: { mayBeEmpty: true, rules: [isRepeated, isGiven] },
  password: { rules: [isShortEnough] },
};

const refusedLogin = (): HeddleError => validationError('Invalid identifier or password');

const choosingPassword: CodeMail = {
  token: 'resetPasswordToken',
  isFor: ({ blocked }) => !blocked,
  newCode,
  message: (mails, user, code) => mails.newPassword(user, code),
};

export function createAuth(parts: AuthParts): Auth {
  const { users, sessions, passwords, settings, background } = parts;

  async function admit(user: { id: number; documentId: string }): Promise<Admitted> {
    return { ...(await sessions.begin(user)), user: await parts.shown(user) };
  }

  /** Lets in who knew the password that has this hash, if it still is theirs. */
  async function admitBy(hash: string | null, user: UserRow, device?: unknown): Promise<Admitted | undefined> {
    const named = typeof device === 'string' ? device.slice(0, 255) : undefined;
    const credentials = await sessions.beginBy(hash, user, named);
    return credentials && { ...credentials, user: await parts.shown(user) };
  }

  async function refuseUnwelcome({ confirmed, blocked }: UserRow): Promise<void> {
    if (!confirmed && (await settings.advanced()).email_confirmation)
      throw unfit('Your account email is not confirmed');
    if (blocked) throw unfit('Your account has been blocked by an administrator');
  }

  async function hashed(password: string): Promise<string> {
    const issues = parts
      .refusalsOf(password)
      .map(({ message, ...rest }) => ({ path: ['password'], message, name: 'ValidationError' as const, ...rest }));
    if (issues.length > 0) throw issuesError(issues);
    return passwords.hash(password);
  }

  /** Gives a user another password, if they still are as they were when that was decided; ends what was begun before. */
  async function renew(user: UserRow, expected: Partial<UserRow>, password: string): Promise<Admitted | undefined> {
    const hash = await hashed(password);
    // Before as well: whatever fails behind the change, what was begun with the former password does not outlast it.
    await sessions.end(user.id);
    if (!(await users.settle(user, expected, { password: hash, resetPasswordToken: null }))) return undefined;
    await sessions.end(user.id);
    return admitBy(hash, user);
  }

  return {
    async login(body) {
      const { identifier, password } = readTexts(body, { identifier: {}, password: {} });
      const found = (await users.ofIdentifier(identifier)).filter(({ provider }) => provider === 'local');
      // A name may be another user's address: an address is its owner's.
      const user = found.find(({ email }) => email === identifier.toLowerCase()) ?? found[0];
      // Compared with something even where there is nobody, which takes as long.
      const isRight = await passwords.matches(password, user?.password);
      if (!user || !isRight) throw refusedLogin();
      await refuseUnwelcome(user);
      const admitted = await admitBy(user.password, user, recordOf(body)['deviceId']);
      // It was the right one when it was compared.
      if (!admitted) throw refusedLogin();
      return admitted;
    },

    async admit(user) {
      await refuseUnwelcome(user);
      return admit(user);
    },

    async changePassword(body, { user: known }) {
      if (!known) throw unfit('You must be authenticated to reset your password');
      const { password, currentPassword } = readTexts(body, { ...newPassword, currentPassword: {} });
      const user = await users.find(known.id);
      const isRight = await passwords.matches(currentPassword, user?.password);
      if (!user || !isRight) throw validationError('The provided current password is invalid');
      if (currentPassword === password)
        throw validationError('Your new password must be different than your current password');
      const admitted = await renew(user, { password: user.password }, password);
      if (!admitted) throw validationError('The provided current password is invalid');
      return admitted;
    },

    async forgotPassword(body) {
      const { email } = readTexts(body, { email: { rules: [isEmail] } }, { isClosed: true });
      background.begin('the message to choose a new password', () => sendCode(choosingPassword, email, parts));
    },

    async resetPassword(body) {
      const { code, password } = readTexts(body, { ...newPassword, code: {} }, { isClosed: true });
      const found = isFresh(code) ? await users.having('resetPasswordToken', code) : undefined;
      const user = found?.blocked ? undefined : found;
      // Their code stays good until they have confirmed their address.
      if (user) await refuseUnwelcome(user);
      const admitted = user && (await renew(user, { resetPasswordToken: code }, password));
      if (!admitted) throw validationError('Incorrect code provided');
      return admitted;
    },

    ...createConfirming(parts),
    register: createRegister(parts, admit),
  };
}
