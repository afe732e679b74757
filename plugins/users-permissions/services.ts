import { token } from '../../core';
import type { Freshness } from './access/freshness';
import type { KnownActions } from './access/known-actions';
import type { Auth } from './auth/parts';
import type { Roles } from './roles/roles';
import type { ApiTokens } from './tokens/api-tokens';
import type { Sessions } from './tokens/sessions';
import type { SettingsReader } from './users/settings';
import type { Users } from './users/users';

/** What other plugins and the command line may do with users and their rights. */
export const USERS = token<Users>('users-permissions.users');
export const ROLES = token<Roles>('users-permissions.roles');
export const API_TOKENS = token<ApiTokens>('users-permissions.api-tokens');
/** Registers people and lets them in, for every surface. */
export const AUTH = token<Auth>('users-permissions.auth');
/** Hands out the tokens of users. */
export const SESSIONS = token<Sessions>('users-permissions.sessions');
export const SETTINGS = token<SettingsReader>('users-permissions.settings');
/** All that can be granted. */
export const KNOWN_ACTIONS = token<KnownActions>('users-permissions.known-actions');
/** To be told of changes that were made around the services, so that they hold at once. */
export const FRESHNESS = token<Freshness>('users-permissions.freshness');
