import { DATABASE } from '../../sql';
import { USERS } from '..';
import { type UsersApp, usersApp } from '../app.fixture';
import { mailedCode } from './outbox.fixture';

const config = { ratelimit: { enabled: false }, advanced: { email_reset_password: 'https://site.example/new' } };

// Passwords are hashed by threads that a busy machine lets wait.
jest.setTimeout(120_000);

let app: UsersApp;
beforeAll(async () => {
  app = await usersApp({ plugins: { 'users-permissions': { enabled: true, config } } });
});
afterAll(() => app.remove());

const register = (username: string, more: object = {}) =>
  app.post('/api/auth/local/register', { username, email: `${username}@example.org`, password: 'secret-1', ...more });
const login = (identifier: string, password = 'secret-1') => app.post('/api/auth/local', { identifier, password });

describe('a new password by mail', () => {
  const choose = (code: unknown, password = 'secret-2') =>
    app.post('/api/auth/reset-password', { code, password, passwordConfirmation: password });

  test('is chosen with a code that only the mailbox gets, that is good once, and leads to the configured address', async () => {
    await register('dora').expect(200);
    await app.post('/api/auth/forgot-password', { email: 'Dora@example.org' }).set('Host', 'evil.example').expect(200);
    const code = await mailedCode(app, /https:\/\/site\.example\/new\?code=([\w-]{60,})/);
    expect((await choose(code, 'x')).body.error.message).toBe('password must be at least 6 characters');
    const answers = await Promise.all([choose(code), choose(code), choose(code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    await login('dora').expect(400);
    await login('dora', 'secret-2').expect(200);
  });

  test.each([{ $ne: null }, ['x'], null, 5, '', 'wrong', true])('is not chosen with the code %j', async (code) => {
    await choose(code).expect(400);
  });

  test('is not chosen with a code that is a day old', async () => {
    await register('old').expect(200);
    const code = `${(Date.now() - 90_000_000).toString(36)}-${'a'.repeat(96)}`;
    await app.service(DATABASE).knex()('up_users').where({ username: 'old' }).update({ reset_password_token: code });
    expect((await choose(code)).body.error.message).toBe('Incorrect code provided');
    await app.service(DATABASE).knex()('up_users').where({ username: 'old' }).update({ reset_password_token: 'peers' });
    await choose('peers').expect(200);
  });

  test.each([
    [{ email: 'other@example.org' }, 400],
    [{ password: 'secret-3' }, 400],
    [{ blocked: true }, 400],
    [{ email: 'stays@example.org', blocked: false, username: 'renamed' }, 200],
  ])('after a change of %j its code answers %d', async (change, status) => {
    const key = `peers-${Object.keys(change).length}-${status}`;
    const username = 'email' in change && status === 200 ? 'stays' : `changing-${Object.keys(change)[0]}`;
    await register(username).expect(200);
    const [user] = await app.service(USERS).ofIdentifier(username);
    const rows = app.service(DATABASE).knex()('up_users').where({ id: user!.id });
    await rows.update({ reset_password_token: key, confirmation_token: key });
    await app.service(USERS).update(user!.id, change);
    if (status === 400) await app.service(USERS).update(user!.id, { blocked: false });
    const after = (await app.service(USERS).find(user!.id))!;
    expect(after.confirmationToken).toBe(status === 400 ? null : key);
    await choose(key).expect(status);
  });

  test('is asked for alike whether there is such a user or not', async () => {
    const answers = [];
    for (const email of ['dora@example.org', 'nobody@example.org'])
      answers.push(await app.post('/api/auth/forgot-password', { email }));
    expect(answers[0]!.text).toBe(answers[1]!.text);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });
});

test('an address that must be confirmed is, with a code that is good once; until then nobody gets in', async () => {
  const confirming = await usersApp({
    plugins: {
      'users-permissions': {
        enabled: true,
        config: {
          ...config,
          advanced: { email_confirmation: true, email_confirmation_redirection: 'https://site.example/' },
        },
      },
    },
  });
  const before = app;
  app = confirming;
  try {
    const { body } = await register('eve').expect(200);
    expect(Object.keys(body)).toEqual(['user']);
    expect((await login('eve')).body.error.message).toBe('Your account email is not confirmed');
    const code = await mailedCode(app, /\/api\/auth\/email-confirmation\?confirmation=([0-9a-f]{40})/);

    await app.post('/api/auth/forgot-password', { email: 'eve@example.org' }).expect(200);
    const reset = await mailedCode(app, /reset-password\?code=([\w-]{60,})/);
    const choose = () =>
      app.post('/api/auth/reset-password', { code: reset, password: 'secret-2', passwordConfirmation: 'secret-2' });
    expect((await choose()).body.error.message).toBe('Your account email is not confirmed');
    const confirm = () => app.get(`/api/auth/email-confirmation?confirmation=${code}`).redirects(0);
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400]);
    expect(answers.find(({ status }) => status === 302)!.headers['location']).toBe('https://site.example/');
    await login('eve').expect(200);
    // The code to choose a new password with was not used up.
    const { body: chosen } = await choose().expect(200);
    await app.get('/api/users/me', chosen.jwt).expect(200);
  } finally {
    app = before;
    await confirming.remove();
  }
});
