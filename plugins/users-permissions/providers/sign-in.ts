import type * as OpenIdClient from 'openid-client';
import type { Logger } from '../../../core';
import { unfit } from '../errors';
import { githubAt } from './github';
import { openIdAt } from './openid';
import type { Provider } from './presets';
import type { Identity, ProviderKind } from './provider-kind';

/** What the way to the provider and back has in common; the browser keeps it, sealed. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignIn {
  begin(redirectUri: string): Promise<{ readonly url: string; readonly attempt: Attempt }>;
  finish(answer: URL, attempt: Attempt): Promise<Identity>;
}

const kinds = { openid: openIdAt, github: githubAt } satisfies Record<Provider['kind'], ProviderKind>;

/** Seconds. */
const patience = 10;

/** The library is an ES module, and needed by few. */
const load = (): Promise<typeof OpenIdClient> => import('openid-client');

async function configured(provider: Provider): Promise<OpenIdClient.Configuration> {
  const client = await load();
  const configuration = await kinds[provider.kind].configure(client, provider);
  configuration.timeout = patience;
  // Only ever to this machine: anything else is refused with the configuration.
  if (provider.issuer.startsWith('http:')) client.allowInsecureRequests(configuration);
  return configuration;
}

/** What the provider or the way to it got wrong, without what was sent: that holds secrets. */
const reasonOf = (error: unknown): string => {
  const { code, error: reason } = error as { code?: unknown; error?: unknown };
  const isName = (part: unknown): part is string => typeof part === 'string' && /^[\w.-]{1,64}$/.test(part);
  return [reason, code].find(isName) ?? 'unknown';
};

/** Asks one provider, by a code and its proof (PKCE), with state and, where it signs, nonce. */
export function createSignIn(provider: Provider, log: Logger): SignIn {
  const { signs, identify } = kinds[provider.kind];
  let found: Promise<OpenIdClient.Configuration> | undefined;

  // What failed is tried again by the next who asks.
  function configuration(): Promise<OpenIdClient.Configuration> {
    found ??= configured(provider).catch((error) => {
      found = undefined;
      throw error;
    });
    return found;
  }

  function failed(error: unknown): never {
    log.info({ provider: provider.name, reason: reasonOf(error) }, 'a provider did not say who a user is');
    throw unfit('The provider did not say who the user is');
  }

  return {
    async begin(redirectUri) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge, randomNonce, randomPKCECodeVerifier, randomState } =
        await load();
      const settings = await configuration().catch(failed);
      const attempt = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(settings, {
        redirect_uri: redirectUri,
        scope: provider.scope.join(' '),
        state: attempt.state,
        ...(signs && { nonce: attempt.nonce }),
        code_challenge: await calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },

    async finish(answer, { state, nonce, verifier }) {
      const client = await load();
      try {
        const settings = await configuration();
        const tokens = await client.authorizationCodeGrant(settings, answer, {
          expectedState: state,
          pkceCodeVerifier: verifier,
          ...(signs && { expectedNonce: nonce, idTokenExpected: true }),
        });
        return await identify(client, settings, tokens, provider);
      } catch (error) {
        return failed(error);
      }
    },
  };
}
