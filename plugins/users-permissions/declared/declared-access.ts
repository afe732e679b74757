import { type Heddle, problem, refuseIfAny, type Services, token } from '../../../core';
import { LOCALES } from '../../i18n';
import { DATABASE } from '../../sql';
import { API_TOKENS, KNOWN_ACTIONS, ROLES } from '../services';
import type { TokenRow } from '../tokens/api-tokens';
import { type Change, changesTo, declaredNote } from './changes';
import { accessKeys } from './options';
import { wantedAccess } from './wanted';

/** Compares the application with `config/access`. */
export interface AccessDeclaration {
  /** Whether the next start decides what this role may do. */
  decidesOn(role: string): boolean;
  /** Whether this token is one that the declaration made and still has. */
  ownsToken(token: Pick<TokenRow, 'name' | 'description'>): boolean;
  /** What of the application is not as declared. */
  changes(): Promise<Change[]>;
}

export const ACCESS_DECLARATION = token<AccessDeclaration>('users-permissions.access-declaration');

const name = 'users-permissions';

const declaredTokens = {
  sql: `select id from strapi_api_tokens where description = '${declaredNote}' limit 1`,
  isAskedOnce: true,
};

const withoutLocales = problem(
  'config/access',
  'names locales, but the plugin "i18n" is switched off.',
  'Switch it on, or take them out.',
  'locales',
);

/** Makes the application be as `config/access` says, at every start; where it is so already, nothing is written. */
export function declareAccess({ hooks, declare, config, service, log }: Heddle): void {
  declare.declare('access', accessKeys);
  let services: Services | undefined;

  const wanted = () => wantedAccess(config().access, service(KNOWN_ACTIONS).list());
  const changes = async (): Promise<Change[]> => {
    const locales = services?.has(LOCALES) ? service(LOCALES) : undefined;
    return changesTo(wanted().wanted, {
      roles: () => service(ROLES),
      tokens: () => service(API_TOKENS),
      hasDeclaredTokens: async () => (await service(DATABASE).rows(declaredTokens, [])).length > 0,
      locales,
    });
  };

  hooks.lifecycle.provide.tap(name, (all) => {
    services = all;
    const decidesOn = (role: string): boolean => config().access.apply && Object.hasOwn(config().access.roles, role);
    const ownsToken: AccessDeclaration['ownsToken'] = (row) =>
      row.description === declaredNote && Object.hasOwn(config().access.tokens, row.name);
    all.add(ACCESS_DECLARATION, () => ({ changes, decidesOn, ownsToken }));
  });

  hooks.http.routesReady.tap(name, () => {
    const lost = config().access.locales.length > 0 && !services?.has(LOCALES) ? [withoutLocales] : [];
    refuseIfAny([...wanted().problems, ...lost]);
  });

  hooks.lifecycle.boot.tapPromise(name, async () => {
    if (!config().access.apply) return;
    for (const { lines, make } of await changes()) {
      await make();
      for (const line of lines) log.info({ change: line }, 'access was changed as config/access says');
    }
  });
}
