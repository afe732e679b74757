// An OpenID Connect provider of its own process, for tests: it says "ready" and its address, and knows whoever logs in.
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const [redirectUris, authMethod = 'client_secret_basic'] = process.argv.slice(2);

/** Whoever logs in as `ann` has the address ann@example.com; the name says what is wrong with others. */
const claimsOf = (login) => ({
  sub: login,
  ...(!login.startsWith('nomail') && { email: `${login}@Example.com` }),
  email_verified: !login.startsWith('unproven'),
  preferred_username: login,
});

const server = createServer((request, response) => provider.callback()(request, response));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'heddle',
      client_secret: 'oidc-secret-0815',
      redirect_uris: redirectUris.split(','),
      token_endpoint_auth_method: authMethod,
    },
  ],
  clientAuthMethods: [authMethod],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
  pkce: { required: () => true },
  findAccount: (_context, login) => ({ accountId: login, claims: async () => claimsOf(login) }),
});
console.log(`ready ${issuer}`);
