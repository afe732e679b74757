import { randomBytes } from 'node:crypto';
import { validationError } from '../../../core';
import type { UserRow } from '../users/users';
import { isEmail, readTexts } from './body';
import { type Auth, type AuthParts, unfit } from './parts';

/** Sends the code that only who reads the messages to an address can know. */
export async function sendConfirmationTo(user: UserRow, { users, mails, send }: AuthParts): Promise<void> {
  const code = user.confirmationToken ?? randomBytes(20).toString('hex');
  await users.settle(user, {}, { confirmationToken: code });
  await send(await mails.confirmation(user, code));
}

/** Finds out whether addresses belong to those who say so. */
export function createConfirming(parts: AuthParts): Pick<Auth, 'confirmEmail' | 'sendConfirmation'> {
  const { users, settings, background } = parts;

  return {
    async confirmEmail(query) {
      const { confirmation } = readTexts(query, { confirmation: {} });
      const user = await users.having('confirmationToken', confirmation);
      const isFirst =
        user &&
        (await users.settle(user, { confirmationToken: confirmation }, { confirmed: true, confirmationToken: null }));
      if (!isFirst) throw validationError('Invalid token');
      return (await settings.advanced()).email_confirmation_redirection || '/';
    },

    async sendConfirmation(body) {
      const { email } = readTexts(body, { email: { rules: [isEmail] } });
      const [user] = await users.ofEmail(email);
      // Where people register themselves, that tells as much; where they don't, this must not either.
      const mayTell = (await settings.advanced()).allow_register;
      if (mayTell && user?.confirmed) throw unfit('Already confirmed');
      if (mayTell && user?.blocked) throw unfit('User blocked');
      if (user && !user.confirmed && !user.blocked)
        background.begin('the message to confirm an address', () => sendConfirmationTo(user, parts));
      return email;
    },
  };
}
