import type { EmailMessage } from '../../email';
import type { UserRow } from '../users/users';
import type { Mails } from './mails';
import type { AuthParts } from './parts';

/** A code that is sent to an address, where somebody whom it is for has that. */
export interface CodeMail {
  readonly token: 'resetPasswordToken' | 'confirmationToken';
  isFor(user: UserRow): boolean;
  /** Made anew, unless the one that was sent before goes on being good. */
  newCode(sentBefore: string | null): string;
  message(mails: Mails, user: Addressee, code: string): Promise<EmailMessage>;
}

export type Addressee = Pick<UserRow, 'username' | 'email'>;

/** Sends a code to who has an address, if it is for them. */
export async function sendCode(kind: CodeMail, email: string, parts: AuthParts): Promise<void> {
  const [user] = (await parts.users.ofEmail(email)).filter(kind.isFor);
  await sendCodeTo(user, kind, email, parts);
}

/**
 * Without a user the same work is done, a row written and a message put together; only that message is handed to nobody.
 */
export async function sendCodeTo(
  user: UserRow | undefined,
  kind: CodeMail,
  email: string,
  { users, mails, mailing }: AuthParts,
): Promise<void> {
  const code = kind.newCode(user?.[kind.token] ?? null);
  if (user) await users.settle(user, {}, { [kind.token]: code });
  else await users.settleNobody(code);
  const message = await kind.message(mails, user ?? { username: email, email }, code);
  await (user ? mailing.send(message) : mailing.rehearse(message));
}
