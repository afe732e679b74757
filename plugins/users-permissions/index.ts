import {
  type AccessRequest,
  CONTENT,
  DOCUMENTS,
  definePlugin,
  type Principal,
  queryLimits,
  refuseIfAny,
  together,
} from '../../core';
import { createQueryReader } from '../rest';
import { createAuthentication } from './access/authenticate';
import { knownActions } from './access/known-actions';
import { createLookups } from './access/lookups';
import { isAccessPrincipal } from './access/rights';
import { declareAccess } from './declared/declared-access';
import { addToGraphql } from './graphql/add-to-graphql';
import { adminKeys, environmentProblems, type UsersPermissionsOptions, usersPermissionsOptions } from './options';
import { createParts, once } from './provide';
import { connectProviders } from './providers/connect';
import { createRateLimit, rateLimitName, unlistedProxies } from './rate-limit/rate-limit';
import { addMissingRoles } from './roles/missing-roles';
import { authRoutes, sendAdmitted } from './routes/auth-routes';
import { roleRoutes } from './routes/role-routes';
import { userRoutes } from './routes/user-routes';
import { createUserWrites } from './routes/user-writes';
import { AUTH, KNOWN_ACTIONS, ROLES, SESSIONS, USERS } from './services';
import { endingSessions } from './tokens/ending-sessions';
import { ownTypes, userUid } from './types/definitions';
import { withOwnTypes } from './types/extended';
import {
  refuseNamedEmail,
  refuseSharedIdentifiers,
  refuseTakenEmail,
  withLowerEmail,
} from './users/unique-identifiers';
import { withdrawCodes } from './users/withdrawn-codes';

const name = 'users-permissions';

const noPanel = 'there is no administration panel';

export default definePlugin<UsersPermissionsOptions>({
  name,
  requires: ['sql', 'passwords'],
  after: ['rest', 'email', 'i18n', 'graphql'],
  options: usersPermissionsOptions,
  apply(heddle, options) {
    const { hooks, declare, config, service, log, app } = heddle;
    refuseIfAny(environmentProblems(options, app.env['JWT_SECRET']));
    const parts = createParts(heddle, options);
    const { database, freshness, use, settings, background, prefix, provide } = parts;

    declare.declare('admin', adminKeys);
    declare.inert('admin', { '*': noPanel });
    let known: readonly string[] = [];
    hooks.lifecycle.provide.tap(name, (services) => {
      provide(services);
      services.add(KNOWN_ACTIONS, () => ({ list: () => known }));
      if (options.ratelimit.enabled && config().server.proxy === true) heddle.notice(unlistedProxies);
    });
    hooks.http.routesReady.tap(name, (routes) => {
      known = knownActions(routes, service(CONTENT));
    });

    const authentication = once(() =>
      createAuthentication({
        lookups: createLookups(database()),
        freshness,
        jwt: parts.jwt,
        hashOf: parts.hashOf(),
        use,
        sessions: () => service(SESSIONS),
        demandsConfirmation: async () => (await settings.advanced()).email_confirmation,
      }),
    );
    hooks.http.authenticate.tapPromise(name, (context) => authentication().authenticate(context));

    // Never a no, so that other plugins may allow more; what nobody allows is refused anyway.
    hooks.http.authorize.tapPromise(name, async ({ principal, action }: AccessRequest) =>
      isAccessPrincipal(principal) && principal.granted.allows(action) ? true : undefined,
    );

    hooks.content.types.tapPromise(name, async (definitions) => withOwnTypes(definitions));

    hooks.document.data.tapPromise(name, async (data, { type, documentId }) => {
      if (type.uid !== userUid) return data;
      const kept = withLowerEmail(data);
      await refuseNamedEmail(kept, { documentId }, service(USERS));
      return kept;
    });

    hooks.document.validate.tapPromise(name, async (validation) => {
      if (validation.operation.type.uid !== userUid) return;
      await withdrawCodes(validation);
      await refuseSharedIdentifiers(validation);
      if ((await settings.advanced()).unique_email) await refuseTakenEmail(validation);
    });

    // Users and roles are documents like others, and may be changed around this plugin's services.
    const own = new Set(ownTypes.map(({ uid }) => uid));
    const endSessions = endingSessions({ users: () => service(USERS), sessions: () => service(SESSIONS) });
    hooks.document.committed.tapPromise(name, async (written) => {
      if (!own.has(written.operation.type.uid)) return;
      freshness.changed();
      await endSessions(written);
    });

    const rateLimit = createRateLimit(options.ratelimit, log);
    hooks.http.middlewares.tap(name, (middlewares) =>
      middlewares.add(rateLimitName, { make: () => rateLimit.middleware }),
    );

    const mayDo = async (principal: Principal, action: string): Promise<boolean> =>
      (await hooks.http.authorize.promise({ principal, action })) === true;
    const type = () => service(CONTENT).get(userUid);
    const users = () => service(USERS);
    const defaultRole = async () => service(ROLES).ofType((await settings.advanced()).default_role);
    const written = { type, documents: () => service(DOCUMENTS), users, defaultRole, mayDo };
    if (hooks.graphql)
      addToGraphql(hooks.graphql, {
        auth: () => service(AUTH),
        users,
        roles: () => service(ROLES),
        writes: once(() => createUserWrites(written)),
        rateLimit,
        prefix,
        everyoneMay: async (action) => mayDo(await authentication().everyone(), action),
        me: (documentId) =>
          service(DOCUMENTS)
            .of(userUid)
            .findOne(documentId, { populate: { role: true } }),
      });

    // Before any token is made, and after all that starts make have been.
    hooks.lifecycle.boot.tapPromise(name, () => parts.salt.compare());
    hooks.lifecycle.ready.tapPromise(name, () => parts.salt.warn());

    declareAccess(heddle);
    connectProviders(heddle, {
      configured: options.providers,
      secret: parts.jwtSecret,
      prefix,
      url: parts.url,
      middlewares: [rateLimitName],
      welcome: async (context, user) => sendAdmitted(context, await service(AUTH).admit(user)),
    });

    hooks.http.routes.tap(name, (routes) => {
      const parse = createQueryReader(queryLimits(config()));
      const auth = { auth: () => service(AUTH), users, sessions: () => service(SESSIONS), parse };
      const actions = () => service(KNOWN_ACTIONS).list();
      const listed = { ...written, parse };
      const all = [
        ...authRoutes(prefix(), { ...auth, keepsSessions: options.jwtManagement === 'refresh' }),
        ...userRoutes(prefix(), { ...listed, maxLimit: config().api?.rest.maxLimit }),
        ...roleRoutes(prefix(), { roles: () => service(ROLES), actions }),
      ];
      for (const route of all) routes.add(route);
    });

    hooks.lifecycle.boot.tapPromise(name, () => addMissingRoles(database(), () => service(ROLES)));
    hooks.lifecycle.close.tapPromise(name, async () => {
      await background.finish();
      await together([use.write(), rateLimit.close()]);
    });
  },
});

export type { KnownActions } from './access/known-actions';
export { type AccessPrincipal, isAccessPrincipal, type KnownToken, type KnownUser } from './access/rights';
export type { Admitted, Auth, ShownUser } from './auth/parts';
export { ACCESS_DECLARATION, type AccessDeclaration } from './declared/declared-access';
export { expandActions } from './declared/permissions';
export { carryCounts } from './rate-limit/counters';
export type { RoleInput, RoleRow, Roles } from './roles/roles';
export * from './services';
export type { ApiTokens, TokenInput, TokenRow } from './tokens/api-tokens';
export type { Credentials, ListedSession, Sessions } from './tokens/sessions';
export type { TokenType } from './tokens/token-types';
export type { UserInput, UserRow, Users } from './users/users';
