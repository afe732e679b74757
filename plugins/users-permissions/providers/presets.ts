import { type ProviderOptions, providerOptions } from './options';

/** A provider with all that is needed to ask it. */
export interface Provider {
  readonly name: string;
  readonly key: string;
  readonly secret: string;
  readonly callbackUrl: string;
  readonly scope: readonly string[];
  readonly issuer: string;
  readonly kind: 'openid' | 'github';
}

type Issuer = (subdomain: string) => string;

/** Where the providers of existing projects are that tell whether an address is verified. */
const issuers: Readonly<Record<string, Issuer>> = {
  github: () => 'https://github.com',
  google: () => 'https://accounts.google.com',
  linkedin: () => 'https://www.linkedin.com/oauth',
  auth0: (subdomain) => `https://${subdomain}.auth0.com/`,
  keycloak: (subdomain) => `https://${subdomain}`,
};

const needsSubdomain: readonly string[] = ['auth0', 'keycloak'];

export const presetNames: readonly string[] = Object.keys(issuers);

/** What must be asked for, so that the provider says who the user is, and what else is unless the project says. */
const scopes = {
  openid: { needed: ['openid'], usual: ['email', 'profile'] },
  github: { needed: ['user:email'], usual: ['read:user'] },
} as const;

function scopeOf(kind: Provider['kind'], given: readonly string[] | undefined): readonly string[] {
  const { needed, usual } = scopes[kind];
  return [...new Set([...needed, ...(given ?? usual)])];
}

/** The provider, or why there can be none. */
export function providerOf(name: string, options: ProviderOptions): Provider | { readonly problem: string } {
  const { key, secret, callbackUrl, scope, subdomain } = options;
  const preset = Object.hasOwn(issuers, name) ? issuers[name] : undefined;
  if (!options.issuer && !preset) return { problem: 'has no issuer: give the address of its OpenID Connect service' };
  if (!options.issuer && needsSubdomain.includes(name) && !subdomain)
    return { problem: 'has neither subdomain nor issuer' };
  const issuer = options.issuer ?? preset!(subdomain ?? '');
  const kind = name === 'github' ? name : 'openid';
  return { name, key, secret, callbackUrl, scope: scopeOf(kind, scope), issuer, kind };
}

/** One of the providers that an administration panel set up, if it can be used here. */
export function storedProvider(name: string, stored: unknown): Provider | undefined {
  if (typeof stored !== 'object' || stored === null || !presetNames.includes(name)) return undefined;
  const { enabled, key, secret, callbackUrl, scope, subdomain } = stored as Record<string, unknown>;
  if (enabled !== true) return undefined;
  const own = name === 'linkedin' ? undefined : scope;
  const parsed = providerOptions.safeParse({
    key,
    secret,
    callbackUrl,
    ...(Array.isArray(own) && { scope: own.flatMap((each) => String(each).split(' ')) }),
    ...(typeof subdomain === 'string' && subdomain !== '' && { subdomain }),
  });
  const provider = parsed.success ? providerOf(name, parsed.data) : undefined;
  return provider && !('problem' in provider) ? provider : undefined;
}

/** Whether an administration panel switched it on, and it can't be used here. `email` is no provider but a password. */
export const isLost = (name: string, stored: unknown): boolean =>
  name !== 'email' && (stored as { enabled?: unknown } | null)?.enabled === true && !storedProvider(name, stored);
