import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AppFolder, appFolder } from '../../../core/testing/app-folder';
import { schema, schemaFile } from '../../rest/rest-app.fixture';
import { type Browser, browser, type Page } from './browser.fixture';
import { freePort, type Process, start } from './process.fixture';

// The library is an ES module, which Jest can't load: the service and the provider are processes of their own.

const launcher = join(__dirname, '..', '..', '..', 'scripts', 'heddle');
const script = (name: string): string => join(__dirname, `${name}.fixture.mjs`);
const shop = 'http://127.0.0.1:9/connect/company?shop=1';
const secret = 'oidc-secret-0815';

let folder: AppFolder;
let issuer: string;
let url: string;
const processes: Process[] = [];
const outputs = () => processes.map(({ output }) => output()).join('');

const answers = (address: string): Promise<boolean> =>
  fetch(`${address}/_ready`, { headers: { connection: 'close' } }).then(
    ({ status }) => status === 204,
    () => false,
  );

async function server(name: string, ...args: string[]): Promise<string> {
  const server = await start([script(name), ...args], (output) => output.includes('ready http'));
  processes.push(server);
  return /ready (\S+)/.exec(server.output())![1]!;
}

const settings = (providers: object, port: number, advanced: object = {}) => ({
  'config/server.json': { url: `http://127.0.0.1:${port}`, host: '127.0.0.1', port, logger: { level: 'debug' } },
  'config/plugins.json': {
    'users-permissions': { enabled: true, config: { providers, advanced, ratelimit: { enabled: false } } },
  },
  [schemaFile('note')]: schema('note', { text: { type: 'string' } }),
});

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  issuer = await server('oidc-server', `${url}/api/connect/company/callback,${url}/api/connect/wrong/callback`);
  const posting = await server('oidc-server', `${url}/api/connect/posting/callback`, 'client_secret_post');
  const common = { key: 'heddle', secret, callbackUrl: shop };
  folder = appFolder(
    settings(
      {
        company: { ...common, issuer },
        posting: { ...common, issuer: posting },
        github: { ...common, secret: 'github-secret-0815', issuer: await server('github-server') },
        wrong: { ...common, secret: 'wrong-secret-4711', issuer },
        gone: { ...common, issuer: 'http://127.0.0.1:9' },
        off: { ...common, issuer, enabled: false },
      },
      port,
    ),
  );
  const args = [launcher, 'start', '--app', folder.appDir, '--data', folder.dataDir];
  processes.push(await start(args, () => answers(url)));
}, 60_000);
afterAll(async () => {
  for (const one of processes) await one.stop();
  folder.remove();
});

/** Logs in at the provider, and answers where it sends the browser back to. */
async function atProvider(user: Browser, address: string, login: string): Promise<string> {
  const server = new URL(address).origin;
  let page: Page = await user.follow(address, server);
  const forms: Record<string, string>[] = [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }];
  for (const form of forms) {
    if (page.location) break;
    const sent = await user.visit(page.url, form);
    page = sent.location?.startsWith(server) ? await user.follow(sent.location, server) : sent;
  }
  return page.location!;
}

async function backAtShop(login: string, provider = 'company', user = browser()): Promise<URL> {
  const { location } = await user.visit(`${url}/api/connect/${provider}`);
  const back = await user.visit(await atProvider(user, location!, login));
  expect(back.status).toBe(302);
  expect(back.headers.get('cache-control')).toBe('no-store');
  return new URL(back.location!);
}

async function exchange(search: string, provider = 'company') {
  const answer = await fetch(`${url}/api/auth/${provider}/callback${search}`, { headers: { connection: 'close' } });
  return { status: answer.status, body: (await answer.json()) as { jwt?: string; user?: { id: number } } };
}

const refusal = (message: string) => ({
  status: 400,
  body: { data: null, error: { status: 400, name: 'ApplicationError', message, details: {} } },
});
const incomplete = refusal('OAuth authentication requires a completed provider session');
const disabled = refusal('This provider is disabled');

test('a user logs in at the provider, and the website gets what a login answers', async () => {
  const page = await backAtShop('ann');
  expect(`${page.origin}${page.pathname}`).toBe('http://127.0.0.1:9/connect/company');
  expect([...page.searchParams.keys()].sort()).toEqual(['access_token', 'shop']);
  const { status, body } = await exchange(page.search);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    jwt: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    user: { username: 'ann', email: 'ann@example.com', provider: 'company', confirmed: true, blocked: false },
  });
  expect(JSON.stringify(body)).not.toMatch(/password|resetPasswordToken|confirmationToken/);
  const again = await exchange((await backAtShop('ann')).search);
  expect(again.body.user).toMatchObject({ id: body.user!.id });
});

test('what the website gets is good once, at its provider alone, also for two at once', async () => {
  const { search } = await backAtShop('bob');
  expect(await exchange(search, 'posting')).toEqual(incomplete);
  const both = await Promise.all([exchange(search), exchange(search)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await exchange(search)).toEqual(incomplete);
});

test('a provider may want the secret in the body', async () => {
  const { search } = await backAtShop('pia', 'posting');
  expect(await exchange(search, 'posting')).toMatchObject({ status: 200, body: { user: { provider: 'posting' } } });
});

test('GitHub is asked who the user is, and which address is verified', async () => {
  const atGithub = async (login: string) => {
    const user = browser();
    const { location } = await user.visit(`${url}/api/connect/github`);
    const parameters = Object.fromEntries(new URL(location!).searchParams);
    expect(parameters).toMatchObject({ scope: 'user:email read:user', code_challenge_method: 'S256' });
    const { location: back } = await user.visit(`${location}&login=${login}`);
    return exchange(new URL((await user.visit(back!)).location!).search, 'github');
  };
  expect(await atGithub('octo')).toMatchObject({
    status: 200,
    body: { user: { username: 'octo', email: 'octo@git.example.com', provider: 'github' } },
  });
  expect(await atGithub('unproven-octo')).toEqual(refusal('Email was not verified by the provider.'));
});

test('the way to the provider has a state, a nonce and a proof', async () => {
  const user = browser();
  const { status, location, headers } = await user.visit(`${url}/api/connect/company`);
  expect(status).toBe(302);
  const parameters = Object.fromEntries(new URL(location!).searchParams);
  expect(parameters).toMatchObject({
    client_id: 'heddle',
    response_type: 'code',
    redirect_uri: `${url}/api/connect/company/callback`,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  const cookie = headers.get('set-cookie')!;
  expect(cookie).toMatch(/; Max-Age=600; Path=\/api\/connect; HttpOnly; SameSite=Lax$/);
  for (const value of [parameters['state']!, parameters['nonce']!]) expect(cookie).not.toContain(value);
});

test('an answer that somebody else asked for, or that was changed, is nothing', async () => {
  const [ann, eve] = [browser(), browser()];
  const start = `${url}/api/connect/company`;
  const stolen = await atProvider(eve, (await eve.visit(start)).location!, 'eve');
  // Without the cookie of whoever began, with that of another attempt, and with another state.
  expect((await browser().visit(stolen)).status).toBe(400);
  await ann.visit(start);
  expect((await ann.visit(stolen)).status).toBe(400);
  const changed = new URL(stolen);
  changed.searchParams.set('state', 'x'.repeat(43));
  expect((await eve.visit(changed.href)).status).toBe(400);
  // An attempt is over with its first answer, whatever that was.
  expect((await eve.visit(stolen)).status).toBe(400);
});

test('a cookie of another provider, or one that was made up, is none', async () => {
  const user = browser();
  await user.visit(`${url}/api/connect/posting`);
  expect(JSON.parse((await user.visit(`${url}/api/connect/company/callback?code=x&state=y`)).text)).toEqual(
    incomplete.body,
  );
  const { heddle_connect: good = '' } = user.cookies(url);
  for (const value of ['', 'x', good.slice(0, -4), `${good}AAAA`]) {
    const headers = { cookie: `heddle_connect=${value}`, connection: 'close' };
    const answer = await fetch(`${url}/api/connect/posting/callback?code=x&state=y`, { headers, redirect: 'manual' });
    expect([value.length, answer.status, await answer.json()]).toEqual([value.length, 400, incomplete.body]);
  }
});

test('a user who is refused, or refuses, comes back to the website with the reason', async () => {
  const user = browser();
  const { location } = await user.visit(`${url}/api/connect/company`);
  const state = new URL(location!).searchParams.get('state')!;
  const back = await user.visit(`${url}/api/connect/company/callback?error=access_denied&state=${state}`);
  expect(back.location).toBe(`${shop}&error=access_denied`);
  const other = browser();
  await other.visit(`${url}/api/connect/company`);
  expect((await other.visit(`${url}/api/connect/company/callback?error=access_denied&state=z`)).status).toBe(400);
});

test.each([
  ['unproven-ann', 'Email was not verified by the provider.'],
  ['nomail', 'Email was not available.'],
])('%s gets no account: %s', async (login, message) => {
  const { search } = await backAtShop(login);
  expect(await exchange(search)).toEqual(refusal(message));
});

test('nobody gets at the account that was opened in another way under the same address', async () => {
  await exchange((await backAtShop('kim')).search);
  const { search } = await backAtShop('kim', 'posting');
  expect(await exchange(search, 'posting')).toEqual(refusal('Email is already taken.'));
});

test('the page that users come back to is the configured one', async () => {
  const visit = (callback: string) =>
    browser().visit(`${url}/api/connect/company?callback=${encodeURIComponent(callback)}`);
  for (const callback of ['https://evil.example/', 'http://127.0.0.1:9@evil.example/', `${shop}&x=1`, '']) {
    const { status, text } = await visit(callback);
    expect(status).toBe(400);
    expect(JSON.parse(text).error).toEqual({
      status: 400,
      name: 'ValidationError',
      message: 'Invalid callback URL provided',
      details: { callback },
    });
  }
  expect((await visit(shop)).status).toBe(302);
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', connection: 'close' };
  const answer = await fetch(`${url}/api/connect/company`, { headers, redirect: 'manual' });
  expect(decodeURIComponent(answer.headers.get('location')!)).toContain(`redirect_uri=${url}/`);
});

test('a provider that is off, unknown or no provider', async () => {
  for (const name of ['off', 'nobody', 'google', 'constructor', '__proto__', 'Company'])
    for (const path of [
      `/api/connect/${name}`,
      `/api/connect/${name}/callback`,
      `/api/auth/${name}/callback?access_token=x`,
    ])
      expect([path, JSON.parse((await browser().visit(url + path)).text)]).toEqual([path, disabled.body]);
  expect(JSON.parse((await browser().visit(`${url}/api/connect/email`)).text)).toEqual(
    refusal('Unknown OAuth provider').body,
  );
  expect(await exchange('?access_token=x', 'email')).toEqual(incomplete);
  for (const search of ['', '?access_token=x', '?access_token[]=x', '?access_token[$ne]=1', '?error=access_denied'])
    expect(await exchange(search)).toEqual(incomplete);
});

test('a provider that is gone, or does not take our secret, is told without what was sent', async () => {
  const gone = await browser().visit(`${url}/api/connect/gone`);
  expect(gone.status).toBe(400);
  expect(JSON.parse(gone.text)).toEqual(refusal('The provider did not say who the user is').body);
  const user = browser();
  const { location } = await user.visit(`${url}/api/connect/wrong`);
  const back = await user.visit(await atProvider(user, location!, 'ann'));
  expect(back.status).toBe(400);
  expect(JSON.parse(back.text)).toEqual(refusal('The provider did not say who the user is').body);
  // The log of another process may come later than its answer.
  const told = /"provider":"wrong","reason":"\w+"/;
  for (let tries = 0; tries < 100 && !told.test(outputs()); tries++) await sleep(20);
  expect(outputs()).toMatch(told);
});

test('no secret, code or token is in the log', async () => {
  const { search } = await backAtShop('log');
  const { body } = await exchange(search);
  const log = outputs();
  expect(log).toContain('/api/connect/company/callback');
  const values = [secret, 'wrong-secret-4711', new URLSearchParams(search).get('access_token')!, String(body.jwt)];
  for (const value of values) expect(log.includes(value)).toBe(false);
  expect(log).not.toMatch(/code=|state=|access_token=/);
});
