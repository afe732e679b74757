import { HeddleError, validationError } from '../../../core';
import { unfit } from '../errors';
import { emailTaken, usernameTaken } from '../users/unique-identifiers';
import { isEmail, isShortEnough, readTexts, recordOf } from './body';
import { sendConfirmationTo } from './confirming';
import type { Admitted, Auth, AuthParts } from './parts';

const ownFields = ['username', 'password', 'email'];

const taken = (): HeddleError => unfit('Email or Username are already taken');

/** What the document pipeline says of a name or an address that another user has. */
const isTaken = (error: unknown): boolean =>
  error instanceof HeddleError &&
  [emailTaken().message, usernameTaken().message, 'This attribute must be unique'].includes(error.message);

type Admit = (user: { id: number; documentId: string }) => Promise<Admitted>;

/** Makes users out of what people say of themselves: of their rights they may say nothing. */
export function createRegister(parts: AuthParts, admit: Admit): Auth['register'] {
  const { users, roles, settings, background, options } = parts;
  const allowed = new Set([...ownFields, ...options.register.allowedFields]);

  return async function register(body) {
    const { allow_register, unique_email, email_confirmation, default_role } = await settings.advanced();
    if (!allow_register) throw unfit('Register action is currently disabled');
    const given = Array.isArray(body) ? { ...body } : recordOf(body);
    const others = Object.keys(given).filter((key) => !allowed.has(key));
    if (others.length > 0) throw validationError(`Invalid parameters: ${others.join(', ')}`);
    const { username, email } = readTexts(given, {
      email: { rules: [isEmail] },
      username: {},
      password: { rules: [isShortEnough] },
    });
    const role = await roles.ofType(default_role);
    if (!role) throw unfit('Impossible to find the default role');
    const same = [...(await users.ofIdentifier(username)), ...(await users.ofIdentifier(email))];
    if (same.some(({ provider }) => unique_email || provider === 'local')) throw taken();
    const input = { ...given, username, email, provider: 'local', role: role.id, confirmed: !email_confirmation };
    const created = await users.create(input).catch((error) => {
      throw isTaken(error) ? taken() : error;
    });
    const user = (await users.find(Number(created['id'])))!;
    if (!email_confirmation) return admit(user);
    background.begin('the message to confirm an address', () => sendConfirmationTo(user, parts));
    return { user: await parts.shown(user) };
  };
}
