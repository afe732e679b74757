import type { Context } from 'koa';
import { bodyOf, HeddleError, notFound, type Route } from '../../../core';
import { recordOf } from '../auth/body';
import type { Auth, ShownUser } from '../auth/parts';
import { missing, unauthorized } from '../errors';
import { rateLimitName } from '../rate-limit/rate-limit';
import type { Sessions } from '../tokens/sessions';
import type { Users } from '../users/users';
import { callingUser, knownCaller, sendJson } from './callers';

export interface AuthRouteParts {
  readonly auth: () => Auth;
  readonly users: () => Users;
  readonly sessions: () => Sessions;
  readonly keepsSessions: boolean;
  readonly parse: (query: string) => unknown;
}

/** Spells an answer that holds a user spelt already. */
export function sendAdmitted(context: Context, { user, ...credentials }: { readonly user: ShownUser }): void {
  const entries = Object.entries(credentials).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
  );
  sendJson(context, `{${entries.join('')}"user":${user}}`);
}

/** The routes by which people register, log in, and care for their passwords and sessions. */
export function authRoutes(prefix: string, parts: AuthRouteParts): Route[] {
  const { auth, users, sessions, parse } = parts;

  const route = (
    method: Route['method'],
    path: string,
    action: string,
    handle: Route['handle'],
    { isLimited = true }: { isLimited?: boolean } = {},
  ): Route => ({
    method,
    path: `${prefix}${path}`,
    access: { action: `plugin::users-permissions.auth.${action}` },
    ...(method === 'POST' && { body: 'json' as const }),
    ...(isLimited && { middlewares: [rateLimitName] }),
    handle,
  });

  /** Where no sessions are kept, there is nothing behind their paths. */
  const ofSessions =
    (handle: Route['handle']): Route['handle'] =>
    (context) => {
      if (!parts.keepsSessions) throw notFound();
      return handle(context);
    };

  return [
    route('POST', '/auth/local', 'callback', async (context) => {
      sendAdmitted(context, await auth().login(bodyOf(context)));
    }),
    route('POST', '/auth/local/register', 'register', async (context) => {
      sendAdmitted(context, await auth().register(bodyOf(context)));
    }),
    route('POST', '/auth/forgot-password', 'forgotPassword', async (context) => {
      await auth().forgotPassword(bodyOf(context));
      context.body = { ok: true };
    }),
    route('POST', '/auth/reset-password', 'resetPassword', async (context) => {
      sendAdmitted(context, await auth().resetPassword(bodyOf(context)));
    }),
    route('GET', '/auth/email-confirmation', 'emailConfirmation', async (context) => {
      context.redirect(await auth().confirmEmail(parse(context.querystring)));
    }),
    route('POST', '/auth/send-email-confirmation', 'sendEmailConfirmation', async (context) => {
      context.body = { email: await auth().sendConfirmation(bodyOf(context)), sent: true };
    }),
    route('POST', '/auth/change-password', 'changePassword', async (context) => {
      sendAdmitted(context, await auth().changePassword(bodyOf(context), knownCaller(context)));
    }),
    route(
      'POST',
      '/auth/refresh',
      'refresh',
      ofSessions(async (context) => {
        const { refreshToken } = recordOf(bodyOf(context));
        if (typeof refreshToken !== 'string' || refreshToken === '')
          throw new HeddleError('BadRequestError', 'Missing refresh token', {});
        const renewed = await sessions().renew(refreshToken, async (id) => {
          const user = await users().find(id);
          return user?.blocked ? undefined : user;
        });
        if (!renewed) throw unauthorized('Invalid refresh token');
        context.body = renewed;
      }),
    ),
    route(
      'POST',
      '/auth/logout',
      'logout',
      ofSessions(async (context) => {
        const { id } = callingUser(context, 'Missing authentication');
        await sessions().end(id, knownCaller(context).session);
        context.body = { ok: true };
      }),
      { isLimited: false },
    ),
    route(
      'GET',
      '/auth/sessions',
      'getSessions',
      ofSessions(async (context) => {
        const { id } = callingUser(context, 'Missing authentication');
        const own = await sessions().list(id);
        const { session } = knownCaller(context);
        context.body = {
          data: own.map(({ id: listed, deviceId, loginAt, lastActiveAt }) => ({
            id: listed,
            deviceId,
            current: listed === session,
            loginAt,
            lastActiveAt,
          })),
        };
      }),
      { isLimited: false },
    ),
    route(
      'DELETE',
      '/auth/sessions/:id',
      'revokeSession',
      ofSessions(async (context) => {
        const { id } = callingUser(context, 'Missing authentication');
        const { id: session } = context['params'] as { id: string };
        if (!(await sessions().end(id, session))) throw missing('Session');
        context.body = { ok: true };
      }),
      { isLimited: false },
    ),
  ];
}
