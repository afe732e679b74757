import { DATABASE } from '../../sql';
import { API_TOKENS } from '..';
import { type UsersApp, usersApp } from '../app.fixture';
import { mailedCode } from './outbox.fixture';

// Everything that a log at its lowest level says of people who register, log in and care for their passwords.

let app: UsersApp;
let logged = '';

beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    logged += String(text);
    return true;
  });
  const config = {
    jwtSecret: 'the-jwt-secret-4711',
    jwtManagement: 'refresh',
    ratelimit: { enabled: false },
    advanced: { email_confirmation: true },
  };
  app = await usersApp({
    plugins: { 'users-permissions': { enabled: true, config } },
    env: { LOG_LEVEL: 'trace' },
    files: { 'config/middlewares.json': ['heddle::logger', 'heddle::query', 'heddle::body'] },
  });
});
afterAll(async () => {
  await app.remove();
  jest.restoreAllMocks();
});

const mailed = (name: string): Promise<string> => mailedCode(app, new RegExp(`${name}=([\\w-]+)`));

test('no password, token or code gets into the log, whatever goes well or wrong', async () => {
  const secrets = ['the-jwt-secret-4711'];
  const secret = (value: string): string => {
    secrets.push(value);
    return value;
  };
  const password = secret('password-of-ann');
  await app.post('/api/auth/local/register', { username: 'ann', email: 'ann@example.org', password }).expect(200);
  const confirmation = secret(await mailed('confirmation'));
  await app.get(`/api/auth/email-confirmation?confirmation=${secret('wrong-confirmation')}`).expect(400);
  await app.get(`/api/auth/email-confirmation?confirmation=${confirmation}`).expect(302);

  await app.post('/api/auth/local', { identifier: 'ann', password: secret('wrong-password-1') }).expect(400);
  await app.post('/api/auth/local', { identifier: { password: secret('wrong-password-2') }, password }).expect(400);
  await app.agent
    .post('/api/auth/local')
    .set('Content-Type', 'application/json')
    .send(`{"identifier":"ann","password":"${secret('wrong-password-3')}`)
    .expect(400);
  const { body } = await app.post('/api/auth/local', { identifier: 'ann', password }).expect(200);
  const [jwt, refresh] = [secret(body.jwt), secret(body.refreshToken)];
  await app.get('/api/users/me', jwt).expect(200);
  await app.get(`/api/users/me?access_token=${jwt}`).expect(403);
  await app.get('/api/users/me', secret('wrong-token-of-nobody')).expect(401);
  const renewed = await app.post('/api/auth/refresh', { refreshToken: refresh }).expect(200);
  for (const value of [renewed.body.jwt, renewed.body.refreshToken]) secret(value);

  const next = secret('password-of-ann-2');
  await app
    .post(
      '/api/auth/change-password',
      { currentPassword: password, password: next, passwordConfirmation: next },
      renewed.body.jwt,
    )
    .expect(200);
  await app.post('/api/auth/forgot-password', { email: 'ann@example.org' }).expect(200);
  const code = secret(await mailed('code'));
  const last = secret('password-of-ann-3');
  const reset = { password: last, passwordConfirmation: last };
  await app.post('/api/auth/reset-password', { ...reset, code: secret('wrong-code-of-ann') }).expect(400);
  await app.post('/api/auth/reset-password', { ...reset, code }).expect(200);

  const { key } = await app.service(API_TOKENS).create({ name: 'website', type: 'full-access' });
  await app.get('/api/notes', secret(key)).expect(200);
  await app.get('/api/auth/nobody/callback?access_token=wrong-handover').expect(400);
  secret('wrong-handover');

  // What can't be written, because its table is gone, is told with an error of the database.
  const knex = app.service(DATABASE).knex();
  await knex.schema.dropTable('strapi_sessions');
  await app.post('/api/auth/local', { identifier: 'ann', password: last }).expect(500);
  const hash = String((await knex('up_users').where({ username: 'ann' }).first('password')).password);
  secrets.push(hash, hash.slice(-31));
  await knex.schema.dropTable('strapi_api_token_permissions_token_lnk');
  await expect(
    app
      .service(API_TOKENS)
      .ensure({ name: 'lost', type: 'custom', actions: ['x'], key: secret('key-of-a-lost-token') }),
  ).rejects.toMatchObject({ message: expect.not.stringContaining('key-of-a-lost-token') });

  expect(logged).toContain('"path":"/api/auth/local"');
  expect(logged).toContain('"path":"/api/auth/email-confirmation"');
  expect(logged).toMatch(/no such table|doesn't exist|does not exist/);
  expect(secrets.length).toBeGreaterThan(18);
  expect(secrets.filter((value) => logged.includes(value))).toEqual([]);
});
