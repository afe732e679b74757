import type { ProviderKind } from './provider-kind';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Any OpenID Connect provider: it tells itself where its endpoints are. */
export const openIdAt: ProviderKind = {
  signs: true,

  async configure({ allowInsecureRequests, ClientSecretBasic, ClientSecretPost, Configuration, discovery }, provider) {
    const { issuer, key, secret } = provider;
    const isPlain = issuer.startsWith('http:');
    const found = await discovery(new URL(issuer), key, secret, undefined, {
      timeout: 10,
      ...(isPlain && { execute: [allowInsecureRequests] }),
    });
    const server = found.serverMetadata();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const proof = methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
    return new Configuration(server, key, {}, proof);
  },

  async identify({ fetchUserInfo }, configuration, tokens) {
    const claims = tokens.claims()!;
    const isTold = claims['email'] !== undefined && claims['email_verified'] !== undefined;
    const told = isTold
      ? claims
      : { ...claims, ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)) };
    return {
      email: text(told['email']),
      isVerified: told['email_verified'] === true || told['email_verified'] === 'true',
      username: text(told['preferred_username']) ?? text(told['nickname']),
    };
  },
};
