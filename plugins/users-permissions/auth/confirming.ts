import { randomBytes } from 'node:crypto';
import { validationError } from '../../../core';
import type { UserRow } from '../users/users';
import { isEmail, readTexts } from './body';
import type { Auth, AuthParts } from './parts';
import { type CodeMail, sendCode, sendCodeTo } from './send-code';

const confirmingAddress: CodeMail = {
  token: 'confirmationToken',
  isFor: ({ confirmed, blocked }) => !confirmed && !blocked,
  newCode: (known) => known ?? randomBytes(20).toString('hex'),
  message: (mails, user, code) => mails.confirmation(user, code),
};

/** Sends the code that only who reads the messages to an address can know. */
export const sendConfirmationTo = (user: UserRow, parts: AuthParts): Promise<void> =>
  sendCodeTo(user, confirmingAddress, user.email, parts);

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
      background.begin('the message to confirm an address', () => sendCode(confirmingAddress, email, parts));
      return email;
    },
  };
}
