import { providersOptions } from './options';
import { isLost, providerOf, storedProvider } from './presets';

const common = { key: 'k', secret: 's', callbackUrl: 'https://shop.example/connect' };
const options = (given: object) => providersOptions.parse({ one: { ...common, ...given } })['one']!;

test.each([
  ['google', {}, 'https://accounts.google.com'],
  ['linkedin', {}, 'https://www.linkedin.com/oauth'],
  ['auth0', { subdomain: 'shop.eu' }, 'https://shop.eu.auth0.com/'],
  ['keycloak', { subdomain: 'id.example.com/realms/shop' }, 'https://id.example.com/realms/shop'],
  ['keycloak', { issuer: 'https://id.example.com/x' }, 'https://id.example.com/x'],
  ['company', { issuer: 'https://login.example.com' }, 'https://login.example.com'],
])('%s with %j is at %s', (name, given, issuer) => {
  expect(providerOf(name, options(given))).toEqual({
    name,
    ...common,
    scope: ['openid', 'email', 'profile'],
    issuer,
    kind: 'openid',
  });
});

test('GitHub is one by itself, also where a company runs it', () => {
  expect(providerOf('github', options({}))).toMatchObject({
    issuer: 'https://github.com',
    kind: 'github',
    scope: ['user:email', 'read:user'],
  });
  expect(providerOf('github', options({ issuer: 'https://git.example.com' }))).toMatchObject({
    issuer: 'https://git.example.com',
    kind: 'github',
  });
});

test('what is asked for always has who the user is', () => {
  expect(providerOf('google', options({ scope: ['email'] }))).toMatchObject({ scope: ['openid', 'email'] });
});

test.each([
  ['company', {}, 'has no issuer'],
  ['keycloak', {}, 'has neither subdomain nor issuer'],
])('%s with %j is refused', (name, given, problem) => {
  expect(providerOf(name, options(given))).toEqual({ problem: expect.stringContaining(problem) });
});

test.each([
  [{ issuer: 'http://login.example.com' }, /must begin with https:/],
  [{ issuer: 'ftp://login.example.com' }, /issuer/],
  [{ callbackUrl: 'javascript:alert(1)' }, /callbackUrl/],
  [{ callbackUrl: undefined }, /callbackUrl/],
  [{ secret: undefined }, /secret.*set the variable|set the variable.*secret/s],
  [{ clientId: 'x' }, /clientId/],
])('%j is refused', (given, message) => {
  const { error } = providersOptions.safeParse({ one: { ...common, ...given } });
  expect(String(error)).toMatch(message);
});

test.each(['http://localhost:8080/realms/x', 'http://127.0.0.1:1', 'http://[::1]:1'])(
  'on the machine itself, %s need not be encrypted',
  (issuer) => expect(options({ issuer }).issuer).toBe(issuer),
);

const stored = { enabled: true, icon: 'google', ...common, scope: ['email'] };

test('what an administration panel set up is used, where it can be', () => {
  expect(storedProvider('google', stored)).toMatchObject({ key: 'k', scope: ['openid', 'email'] });
  expect(storedProvider('cas', { ...stored, scope: ['openid email'] })).toBeUndefined();
  expect(storedProvider('keycloak', { ...stored, subdomain: 'id.example.com/realms/x' })).toMatchObject({
    issuer: 'https://id.example.com/realms/x',
  });
  // LinkedIn's older permissions are none of OpenID Connect.
  expect(storedProvider('linkedin', { ...stored, scope: ['r_liteprofile'] })).toMatchObject({
    scope: ['openid', 'email', 'profile'],
  });
  for (const given of [{ ...stored, enabled: false }, { ...stored, key: '' }, { ...stored, callbackUrl: '' }, null, 5])
    expect(storedProvider('google', given)).toBeUndefined();
});

test('what is switched on there and can not be used is known', () => {
  expect(isLost('discord', stored)).toBe(true);
  expect(isLost('google', { ...stored, secret: '' })).toBe(true);
  expect(isLost('google', stored)).toBe(false);
  expect(isLost('discord', { ...stored, enabled: false })).toBe(false);
  expect(isLost('email', { enabled: true })).toBe(false);
});

test.each(['nourl', 'http://id.example.com', 'ftp://id.example.com'])('%s is no issuer', (issuer) => {
  const given = { company: { key: 'k', secret: 's', callbackUrl: 'https://example.com', issuer } };
  expect(providersOptions.safeParse(given).error?.issues.map(({ path }) => path)).toContainEqual(['company', 'issuer']);
});
