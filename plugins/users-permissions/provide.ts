import { CONTENT, DOCUMENTS, type Heddle, type Logger, onlyDocument, type Services, STORE, secretOf } from '../../core';
import { EMAIL, type Email } from '../email';
import { PASSWORDS } from '../passwords';
import { restPrefix } from '../rest';
import { DATABASE, withToldFailures } from '../sql';
import { createFreshness } from './access/freshness';
import { createAuth } from './auth/auth';
import { createBackground } from './auth/background';
import { createMails } from './auth/mails';
import type { ShownUser } from './auth/parts';
import type { UsersPermissionsOptions } from './options';
import { createRepository } from './repository/repository';
import { serverUrl } from './server-url';
import { API_TOKENS, AUTH, FRESHNESS, ROLES, SESSIONS, SETTINGS, USERS } from './services';
import type { ApiTokens } from './tokens/api-tokens';
import { createHeldToken } from './tokens/held-token';
import { createSessions } from './tokens/sessions';
import { createTokenSalt } from './tokens/token-salt';
import { createTokenUse } from './tokens/token-use';
import { userUid } from './types/definitions';
import { createSettings } from './users/settings';
import { createUsers } from './users/users';

export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const noMailing = (log: Logger): Pick<Email, 'send' | 'rehearse'> => ({
  send: async ({ subject }) => log.warn({ subject }, 'no message was sent: the plugin "email" is switched off'),
  rehearse: async () => undefined,
});

/**
 * What the plugin is made of, put together. Nothing of it touches the database or a file before it is used, and models and
 * tokens are loaded only then, which keeps starts short.
 */
export function createParts({ hooks, app, config, service, log }: Heddle, options: UsersPermissionsOptions) {
  const database = () => service(DATABASE);
  const freshness = createFreshness(() => database().version());
  const { changed } = freshness;
  const use = createTokenUse(database, log);
  const repository = createRepository(database);
  const background = createBackground(log);
  const settings = createSettings({ database, freshness, configured: options.advanced });
  const prefix = (): string => restPrefix(config());
  const url = (): string => serverUrl(config().server);

  const configuredSalt = () => config().admin.apiToken.salt ?? (app.env['API_TOKEN_SALT'] || undefined);
  const salt = createTokenSalt({ app, database, log, configured: configuredSalt });
  const hashOf = once(salt.hash);
  const jwtSecret = once(() => options.jwtSecret ?? app.env['JWT_SECRET'] ?? secretOf(app, 'jwt-secret'));
  const jwt = once(() => {
    const { createJwt } = require('./tokens/jwt') as typeof import('./tokens/jwt');
    return createJwt(jwtSecret(), options);
  });

  function provide(services: Services): void {
    const documents = () => services.get(DOCUMENTS);
    const userType = () => services.get(CONTENT).get(userUid);

    async function shown({ documentId }: { readonly documentId: string }): Promise<ShownUser> {
      const query = { action: 'findOne', type: userType(), documentId, query: {}, rights: 'system' };
      return onlyDocument(await documents().read(query))!.toString();
    }

    function refusalsOf(password: string) {
      const { kind, definition } = userType().attributes.get('password')!;
      const checked = kind.check(definition)(password, 'password', 'complete');
      return 'refusals' in checked ? checked.refusals : [];
    }

    services.add(FRESHNESS, () => freshness);
    services.add(SETTINGS, () => settings);
    services.add(SESSIONS, () => createSessions(database, { jwt: jwt(), options, changed }));
    services.add(ROLES, () => {
      const { createRoles } = require('./roles/roles') as typeof import('./roles/roles');
      const defaultRole = async () => (await settings.advanced()).default_role;
      return withToldFailures(createRoles({ repository, changed, defaultRole }));
    });
    services.add(API_TOKENS, () => {
      const stored = once(() => {
        const { createStoredTokens } = require('./tokens/api-tokens') as typeof import('./tokens/api-tokens');
        return createStoredTokens({ repository, hashOf: hashOf(), changed });
      });
      const holds = createHeldToken(database, hashOf());
      return withToldFailures<ApiTokens>({
        list: () => stored().list(),
        create: (input) => stored().create(input),
        revoke: (name) => stored().revoke(name),
        holds,
        async ensure(input) {
          if (await holds(input)) return false;
          await stored().replace(input);
          return true;
        },
      });
    });
    services.add(USERS, () =>
      createUsers({
        database,
        documents,
        store: () => services.get(STORE),
        registry: () => services.get(CONTENT),
        hooks: hooks.document,
      }),
    );
    services.add(AUTH, () =>
      createAuth({
        users: services.get(USERS),
        roles: services.get(ROLES),
        sessions: services.get(SESSIONS),
        passwords: services.get(PASSWORDS),
        settings,
        mails: createMails({ settings, serverUrl: url, prefix }),
        background,
        options,
        refusalsOf,
        shown,
        mailing: services.has(EMAIL) ? services.get(EMAIL) : noMailing(log),
      }),
    );
  }

  return { database, freshness, use, settings, jwtSecret, jwt, salt, hashOf, background, prefix, url, provide };
}
