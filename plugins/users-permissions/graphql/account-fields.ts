import type { GraphqlContext, Resolver } from '../../graphql';
import { isAccessPrincipal } from '../access/rights';
import type { Auth } from '../auth/parts';
import { unauthorized, unfit } from '../errors';
import type { RateLimit } from '../rate-limit/rate-limit';
import type { Users } from '../users/users';

type Args = Readonly<Record<string, unknown>>;

export interface AccountFieldParts {
  readonly auth: () => Auth;
  readonly users: () => Users;
  readonly rateLimit: RateLimit;
  /** Where the routes begin. */
  readonly prefix: () => string;
  /** Whether something is allowed without credentials. */
  everyoneMay(action: string): Promise<boolean>;
  /** The user with their role, as they may see themselves. */
  me(documentId: string): Promise<unknown>;
}

/** A user is shown spelt as JSON; with them are the tokens that they were given. */
const payloadOf = ({ user, ...credentials }: { readonly user: string; readonly jwt?: string }) => ({
  ...credentials,
  user: JSON.parse(user) as unknown,
});

/** Told with the place in the document, as the peer tells it. */
function authenticationRequested(): Error {
  const { GraphQLError } = require('graphql') as typeof import('graphql');
  return new GraphQLError('Authentication requested');
}

/** What people do about their own accounts. Over GraphQL and REST together, an address may do each so often. */
export function accountFields({ auth, users, rateLimit, prefix, everyoneMay, me }: AccountFieldParts) {
  /** Clients send the token that they have with whatever they ask: it takes nothing away. */
  async function permitWhatEveryoneMay(permission: string, context: GraphqlContext): Promise<void> {
    if (!(await everyoneMay(permission))) await context.permit(permission);
  }

  /** What everyone may is not enough: it is the user who must be allowed to, as over REST. */
  const permitUser = (permission: string, { permit }: GraphqlContext): Promise<void> => permit(permission);

  /** Counts as the route that does the same. */
  const limited =
    (
      action: string,
      method: 'GET' | 'POST',
      path: string,
      answer: (args: Args, context: GraphqlContext) => Promise<unknown>,
      permit = permitWhatEveryoneMay,
    ): Resolver =>
    async (_source, args, context) => {
      await rateLimit.count(context.http, `${method} ${`${prefix()}${path}`.slice(1).toLowerCase()}`);
      await permit(`plugin::users-permissions.auth.${action}`, context);
      return answer(args, context);
    };

  const login = async ({ input }: Args): Promise<unknown> => {
    const { provider, ...credentials } = input as Args;
    if (provider !== 'local') throw unfit('This provider is disabled');
    return payloadOf(await auth().login(credentials));
  };

  const changePassword = async (args: Args, { principal }: GraphqlContext): Promise<unknown> => {
    if (!isAccessPrincipal(principal)) throw unauthorized('Unauthorized');
    return payloadOf(await auth().changePassword(args, principal));
  };

  const forgotPassword = async (args: Args): Promise<unknown> => {
    await auth().forgotPassword(args);
    return { ok: true };
  };

  const confirmEmail = async ({ confirmation }: Args): Promise<unknown> => {
    const user = await users().having('confirmationToken', String(confirmation));
    await auth().confirmEmail({ confirmation });
    return user && payloadOf(await auth().admit({ ...user, confirmed: true }));
  };

  const ownAccount: Resolver = async (_source, _args, { permit, principal }) => {
    await permit('plugin::users-permissions.user.me');
    const user = isAccessPrincipal(principal) ? principal.user : undefined;
    if (!user) throw authenticationRequested();
    return me(user.documentId);
  };

  return {
    Query: { me: ownAccount },
    Mutation: {
      login: limited('callback', 'POST', '/auth/local', login),
      register: limited('register', 'POST', '/auth/local/register', async ({ input }) =>
        payloadOf(await auth().register(input)),
      ),
      forgotPassword: limited('forgotPassword', 'POST', '/auth/forgot-password', forgotPassword),
      resetPassword: limited('resetPassword', 'POST', '/auth/reset-password', async (args) =>
        payloadOf(await auth().resetPassword(args)),
      ),
      emailConfirmation: limited('emailConfirmation', 'GET', '/auth/email-confirmation', confirmEmail),
      changePassword: limited('changePassword', 'POST', '/auth/change-password', changePassword, permitUser),
    },
  };
}
