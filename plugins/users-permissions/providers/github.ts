import type { ProviderKind } from './provider-kind';

interface Address {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
}

/** GitHub's own server answers at another host than those that companies run. */
const apiOf = (issuer: string): string =>
  issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer.replace(/\/$/, '')}/api/v3`;

/** GitHub speaks OAuth 2, and tells in its interface who the user is. */
export const githubAt: ProviderKind = {
  signs: false,

  async configure({ ClientSecretPost, Configuration }, { issuer, key, secret }) {
    const place = `${issuer.replace(/\/$/, '')}/login/oauth`;
    const endpoints = { authorization_endpoint: `${place}/authorize`, token_endpoint: `${place}/access_token` };
    return new Configuration({ issuer, ...endpoints }, key, {}, ClientSecretPost(secret));
  },

  async identify({ fetchProtectedResource }, configuration, { access_token }, { issuer }) {
    const ask = async (path: string): Promise<unknown> => {
      const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'heddle' });
      const url = new URL(apiOf(issuer) + path);
      const answer = await fetchProtectedResource(configuration, access_token, url, 'GET', null, headers);
      if (answer.status !== 200) throw Object.assign(new Error('not told'), { code: `status-${answer.status}` });
      return answer.json();
    };
    const [user, addresses] = (await Promise.all([ask('/user'), ask('/user/emails')])) as [
      { login: string },
      Address[],
    ];
    const address = addresses.find(({ primary }) => primary);
    return { email: address?.email, isVerified: address?.verified === true, username: user.login };
  },
};
