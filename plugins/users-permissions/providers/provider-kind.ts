import type * as OpenIdClient from 'openid-client';
import type { Provider } from './presets';

/** Who the provider says the user is. */
export interface Identity {
  readonly email: string | undefined;
  /** Whether the provider has proof that the address is the user's. */
  readonly isVerified: boolean;
  readonly username: string | undefined;
}

type Tokens = Awaited<ReturnType<typeof OpenIdClient.authorizationCodeGrant>>;

/** How a sort of providers is asked. */
export interface ProviderKind {
  /** Where its endpoints are, and how we prove who we are. */
  configure(client: typeof OpenIdClient, provider: Provider): Promise<OpenIdClient.Configuration>;
  /** Whether it tells who the user is in a token that it signs. */
  readonly signs: boolean;
  identify(
    client: typeof OpenIdClient,
    configuration: OpenIdClient.Configuration,
    tokens: Tokens,
    provider: Provider,
  ): Promise<Identity>;
}
