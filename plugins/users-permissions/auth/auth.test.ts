import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE } from '../../sql';
import { ROLES, USERS } from '..';
import { fullKey, type UsersApp, usersApp } from '../app.fixture';

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

/** A message out of the form in which it is sent. */
const decoded = (text: string): string =>
  text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** The code in the newest message. */
async function mailedCode(pattern: RegExp): Promise<string> {
  const folder = join(app.folder.dataDir, 'outbox');
  for (let tries = 0; tries < 400; tries += 1) {
    const names = existsSync(folder) ? readdirSync(folder) : [];
    for (const name of names.sort().reverse()) {
      const [, code] = pattern.exec(decoded(readFileSync(join(folder, name), 'utf8'))) ?? [];
      if (code) return code;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('no message came');
}

test('of several who register with one address or one name at once, one wins', async () => {
  for (const what of [
    (index: number) => ({ email: 'race@example.org', username: `racer${index}` }),
    (index: number) => ({ email: `race${index}@example.org`, username: 'racing' }),
    (index: number) =>
      index === 0
        ? { email: 'dual@example.org', username: 'dual' }
        : { email: `dual${index}@example.org`, username: 'dual@example.org' },
  ]) {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, index) =>
        app.post('/api/auth/local/register', { password: 'secret-1', ...what(index) }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    for (const { status, body } of answers)
      if (status === 400) expect(body.error.message).toBe('Email or Username are already taken');
  }
});

test('who registers may say nothing of their rights', async () => {
  for (const more of [
    { role: 1 },
    { confirmed: true },
    { blocked: false },
    { resetPasswordToken: 'x' },
    { confirmationToken: 'x' },
    { provider: 'x' },
    { id: 1 },
    { createdAt: '2020-01-01' },
  ]) {
    const { status, body } = await register('sneaky', more);
    expect([status, body.error.message]).toEqual([400, `Invalid parameters: ${Object.keys(more)[0]}`]);
  }
  expect(await app.service(USERS).ofIdentifier('sneaky')).toEqual([]);
});

describe('a new password by mail', () => {
  const choose = (code: unknown, password = 'secret-2') =>
    app.post('/api/auth/reset-password', { code, password, passwordConfirmation: password });

  test('is chosen with a code that only the mailbox gets, that is good once, and leads to the configured address', async () => {
    await register('dora').expect(200);
    await app.post('/api/auth/forgot-password', { email: 'Dora@example.org' }).set('Host', 'evil.example').expect(200);
    const code = await mailedCode(/https:\/\/site\.example\/new\?code=([\w-]{60,})/);
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

test('a login takes as long for nobody as for a wrong password', async () => {
  await register('timed').expect(200);
  const times: Record<string, number[]> = { timed: [], nobody: [] };
  // In turn, so that both meet the same machine.
  for (let round = 0; round < 8; round += 1)
    for (const [identifier, own] of Object.entries(times)) {
      const start = performance.now();
      await login(identifier, 'wrong').expect(400);
      own.push(performance.now() - start);
    }
  const [known, unknown] = Object.values(times).map((own) => Math.min(...own)) as [number, number];
  // Without the comparison with nobody's hash it would be a tenth.
  expect(unknown).toBeGreaterThan(known / 3);
  expect((await login('timed', 'wrong')).text).toBe((await login('nobody', 'wrong')).text);
});

test("an address is its owner's, even where somebody older has it for a name", async () => {
  await register('squatter').expect(200);
  const [squatter] = await app.service(USERS).ofIdentifier('squatter');
  await app.service(USERS).update(squatter!.id, { password: 'secret-9' });
  const owner = { username: 'owner', email: 'owner@example.org', password: 'secret-1', provider: 'local' };
  await app.service(USERS).create({ ...owner, confirmed: true });
  // As other systems let them.
  const rows = app.service(DATABASE).knex()('up_users').where({ id: squatter!.id });
  await rows.update({ username: 'owner@example.org' });
  await login('Owner@example.org').expect(200);
  await login('owner@example.org').expect(200);
  await login('owner@example.org', 'secret-9').expect(400);
});

test('who is blocked learns it only with the right password', async () => {
  await register('blocked').expect(200);
  const [user] = await app.service(USERS).ofIdentifier('blocked');
  await app.service(USERS).update(user!.id, { blocked: true });
  expect((await login('blocked', 'wrong')).body.error.message).toBe('Invalid identifier or password');
  expect((await login('blocked')).body.error.message).toBe('Your account has been blocked by an administrator');
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
    const code = await mailedCode(/\/api\/auth\/email-confirmation\?confirmation=([0-9a-f]{40})/);
    const confirm = () => app.get(`/api/auth/email-confirmation?confirmation=${code}`).redirects(0);
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400]);
    expect(answers.find(({ status }) => status === 302)!.headers['location']).toBe('https://site.example/');
    await login('eve').expect(200);
  } finally {
    app = before;
    await confirming.remove();
  }
});

test('a client that tries too often is told to wait, however it spells the path', async () => {
  const limited = await usersApp({
    plugins: { 'users-permissions': { enabled: true, config: { ratelimit: { max: 3 } } } },
  });
  const paths = ['/api/auth/local', '/API/auth/Local', '/api/auth/local/', '/api/auth/local?x=1'];
  const statuses = [];
  for (const [index, path] of paths.entries())
    statuses.push((await limited.post(path, { identifier: `user${index}`, password: 'x' })).status);
  expect(statuses).toEqual([400, 400, 400, 429]);
  await limited.remove();
});

describe('sessions', () => {
  let sessions: UsersApp;
  beforeAll(async () => {
    sessions = await usersApp({
      plugins: { 'users-permissions': { enabled: true, config: { ...config, jwtManagement: 'refresh' } } },
    });
    await sessions.service(ROLES).grant('authenticated', ['plugin::users-permissions.user.update']);
  });
  afterAll(() => sessions.remove());

  const me = async (key: string) => (await sessions.get('/api/users/me', key)).status;
  const renew = (refreshToken: unknown) => sessions.post('/api/auth/refresh', { refreshToken });
  const begin = async () =>
    (await sessions.post('/api/auth/local', { identifier: 'ann', password: 'secret-1' }).expect(200)).body;

  test('a refresh token is good for one renewal; shown again, it ends what came of it', async () => {
    await sessions.post('/api/auth/local/register', { username: 'ann', email: 'a@b.org', password: 'secret-1' });
    const first = await begin();
    expect(await me(first.jwt)).toBe(200);
    expect(await me(first.refreshToken)).toBe(401);
    const { body: second } = await renew(first.refreshToken).expect(200);
    expect(await me(second.jwt)).toBe(200);
    await renew(first.refreshToken).expect(401);
    expect(await me(second.jwt)).toBe(401);
    await renew(second.refreshToken).expect(401);
    for (const wrong of ['x', first.jwt]) await renew(wrong).expect(401);
    for (const none of [undefined, 5, '']) await renew(none).expect(400);
  });

  test('logging out ends one session, a new password and a block end all of them, for good', async () => {
    const [one, two] = [await begin(), await begin()];
    expect((await sessions.get('/api/auth/sessions', two.jwt)).body.data).toMatchObject([{ current: true }, {}, {}]);
    await sessions.post('/api/auth/logout', {}, one.jwt).expect(200);
    expect([await me(one.jwt), await me(two.jwt)]).toEqual([401, 200]);
    await renew(one.refreshToken).expect(401);

    const change = { currentPassword: 'secret-1', password: 'secret-2', passwordConfirmation: 'secret-2' };
    const { body: three } = await sessions.post('/api/auth/change-password', change, two.jwt).expect(200);
    expect([await me(two.jwt), await me(three.jwt)]).toEqual([401, 200]);
    await renew(two.refreshToken).expect(401);

    const [user] = await sessions.service(USERS).ofIdentifier('ann');
    const update = (values: object) =>
      sessions.agent.put(`/api/users/${user!.id}`).set('Authorization', `Bearer ${fullKey}`).send(values).expect(200);
    await update({ blocked: true });
    await update({ blocked: false });
    expect(await me(three.jwt)).toBe(401);
    await renew(three.refreshToken).expect(401);
  });

  const registered = async (username: string) => {
    const email = `${username}@b.org`;
    const body = { username, email, password: 'secret-1' };
    return (await sessions.post('/api/auth/local/register', body).expect(200)).body;
  };
  const kept = async (id: number) =>
    (
      await sessions
        .service(DATABASE)
        .knex()('strapi_sessions')
        .where({ user_id: String(id) })
    ).length;

  test("the sessions of who is deleted end, and are nobody else's whose number is the same", async () => {
    const gone = await registered('gone');
    const knex = sessions.service(DATABASE).knex();
    const rows = await knex('strapi_sessions').where({ user_id: String(gone.user.id) });
    expect(rows).toHaveLength(1);
    await sessions.agent.delete(`/api/users/${gone.user.id}`).set('Authorization', `Bearer ${fullKey}`).expect(200);
    expect(await kept(gone.user.id)).toBe(0);

    const next = await registered('next');
    await knex('up_users_role_lnk').where({ user_id: next.user.id }).delete();
    await knex('up_users').where({ id: next.user.id }).update({ id: gone.user.id });
    await knex('strapi_sessions').insert(rows);
    await renew(gone.refreshToken).expect(401);
  });

  test.each([true, 'true', 1])('a block ends them however it is spelt: %j', async (blocked) => {
    const { user } = await registered(`spelt-${typeof blocked}`);
    expect(await kept(user.id)).toBe(1);
    await sessions.service(USERS).update(user.id, { blocked: false });
    expect(await kept(user.id)).toBe(1);
    await sessions.service(USERS).update(user.id, { blocked } as object);
    expect(await kept(user.id)).toBe(0);
  });

  test('sessions of others that are over are cleared away when somebody logs in', async () => {
    const { user } = await registered('over');
    const knex = sessions.service(DATABASE).knex();
    const time = sessions.service(DATABASE).dialect.store('2020-01-01T00:00:00.000Z', 'datetime');
    const own = () => knex('strapi_sessions').where({ user_id: String(user.id) });
    await own().update({ absolute_expires_at: time as string });
    await registered('another');
    expect(await own()).toEqual([]);
  });
});
