import type { Email } from '../../email';
import type { Passwords } from '../../passwords';
import type { AccessPrincipal } from '../access/rights';
import type { UsersPermissionsOptions } from '../options';
import type { Roles } from '../roles/roles';
import type { Credentials, Sessions } from '../tokens/sessions';
import type { SettingsReader } from '../users/settings';
import type { UserRow, Users } from '../users/users';
import type { Background } from './background';
import type { Mails } from './mails';

/** The user as everyone may see them, spelt as JSON. */
export type ShownUser = string;

export interface Admitted extends Credentials {
  readonly user: ShownUser;
}

/**
 * How people prove who they are, whatever the surface: each takes a body as it was sent, and refuses what is wrong with it.
 */
export interface Auth {
  login(body: unknown): Promise<Admitted>;
  /** Lets in a user whom somebody else vouches for. */
  admit(user: UserRow): Promise<Admitted>;
  /** Without credentials where the address has to be confirmed first. */
  register(body: unknown): Promise<Admitted | { readonly user: ShownUser }>;
  changePassword(body: unknown, principal: AccessPrincipal): Promise<Admitted>;
  /** Tells nobody whether there is such a user: it only begins what is done after the answer, for either. */
  forgotPassword(body: unknown): Promise<void>;
  resetPassword(body: unknown): Promise<Admitted>;
  /** Answers where to go on from there. */
  confirmEmail(query: unknown): Promise<string>;
  /** Answers the address that was meant, and tells no more than `forgotPassword`. */
  sendConfirmation(body: unknown): Promise<string>;
}

export interface AuthParts {
  readonly users: Users;
  readonly roles: Roles;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly settings: SettingsReader;
  readonly mails: Mails;
  readonly background: Background;
  readonly options: UsersPermissionsOptions;
  /** Why a new password is refused. */
  refusalsOf(password: string): readonly { readonly message: string; readonly value?: unknown }[];
  shown(user: { readonly documentId: string }): Promise<ShownUser>;
  readonly mailing: Pick<Email, 'send' | 'rehearse'>;
}
