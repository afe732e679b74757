import type { Context } from 'koa';
import { type Heddle, problem, refuseIfAny } from '../../../core';
import { DATABASE, withToldFailures } from '../../sql';
import { ROLES, SETTINGS, USERS } from '../services';
import type { UserRow } from '../users/users';
import { accountOf } from './account';
import { createHandovers } from './handover';
import type { ProviderOptions } from './options';
import { isLost, type Provider, providerOf, storedProvider } from './presets';
import { connectRoutes } from './routes';
import { createSeal, type Seal } from './sealed';
import { createSignIn, type SignIn } from './sign-in';

interface Parts {
  /** Those of the configuration, which go before those of the database. */
  readonly configured: Readonly<Record<string, ProviderOptions>>;
  readonly secret: () => string;
  /** Where the routes begin, such as `/api`. */
  readonly prefix: () => string;
  /** The address under which the world reaches the service. */
  readonly url: () => string;
  /** In front of all routes. */
  readonly middlewares: readonly string[];
  /** Answers a user with credentials, as a login does. */
  welcome(context: Context, user: UserRow): Promise<void>;
}

function configuredProviders(configured: Parts['configured']): Map<string, Provider | undefined> {
  const found = Object.entries(configured).map(([name, options]) => ({
    name,
    options,
    made: providerOf(name, options),
  }));
  refuseIfAny(
    found.flatMap(({ name, made }) =>
      'problem' in made
        ? [
            problem(
              'config/plugins',
              `${made.problem}.`,
              'Add it, or take the provider out.',
              `users-permissions.config.providers.${name}`,
            ),
          ]
        : [],
    ),
  );
  return new Map(found.map(({ name, options, made }) => [name, options.enabled ? (made as Provider) : undefined]));
}

/** Lets users log in by providers that know them: the routes, and who takes part in them. */
export function connectProviders({ hooks, service, log }: Heddle, parts: Parts): void {
  const configured = configuredProviders(parts.configured);
  const signIns = new Map<string, { readonly of: string; readonly signIn: SignIn }>();

  async function providerNamed(name: string) {
    const stored = configured.has(name)
      ? undefined
      : ((await service(SETTINGS).stored('grant')) as Record<string, unknown>);
    const provider =
      configured.get(name) ?? (stored && Object.hasOwn(stored, name) ? storedProvider(name, stored[name]) : undefined);
    if (!provider) return undefined;
    const of = JSON.stringify(provider);
    const known = signIns.get(name);
    const { signIn } = known?.of === of ? known : { signIn: createSignIn(provider, log) };
    if (known?.signIn !== signIn) signIns.set(name, { of, signIn });
    return { provider, signIn };
  }

  hooks.lifecycle.boot.tapPromise('users-permissions', async () => {
    const stored = ((await service(SETTINGS).stored('grant')) ?? {}) as Record<string, unknown>;
    const lost = Object.keys(stored).filter((name) => !configured.has(name) && isLost(name, stored[name]));
    if (lost.length > 0) log.warn({ providers: lost }, 'providers that the database has are not served');
  });

  hooks.http.routes.tap('users-permissions', (routes) => {
    // Made when first needed, so that looking at an application writes no secret.
    let seal: Seal | undefined;
    const made = connectRoutes({
      prefix: parts.prefix(),
      url: parts.url(),
      seal: () => (seal ??= createSeal(parts.secret(), 'heddle connect')),
      handovers: withToldFailures(createHandovers(() => service(DATABASE))),
      middlewares: parts.middlewares,
      providerNamed,
      async answer(context, provider, identity) {
        const account = { users: service(USERS), roles: service(ROLES), settings: service(SETTINGS) };
        await parts.welcome(context, await accountOf(provider, identity, account));
      },
    });
    for (const route of made) routes.add(route);
  });
}
