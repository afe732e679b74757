import { type UsersApp, usersApp } from '../app.fixture';

const max = 3;
let app: UsersApp;
beforeAll(async () => {
  app = await usersApp({ plugins: { 'users-permissions': { enabled: true, config: { ratelimit: { max } } } } });
});
afterAll(() => app.remove());

const refusal = {
  data: null,
  error: { status: 429, name: 'RateLimitError', message: 'Too many requests, please try again later.', details: {} },
};

test.each([
  ['POST', '/api/auth/local/register'],
  ['POST', '/api/auth/forgot-password'],
  ['POST', '/api/auth/reset-password'],
  ['POST', '/api/auth/send-email-confirmation'],
  ['GET', '/api/auth/email-confirmation'],
  ['GET', '/api/connect/nobody'],
  ['GET', '/api/connect/nobody/callback'],
  ['GET', '/api/auth/nobody/callback'],
])('%s %s is limited', async (method, path) => {
  const ask = (index: number) =>
    method === 'GET' ? app.get(path) : app.post(path, { email: `a${index}@example.org`, identifier: `a${index}` });
  for (let index = 0; index < max; index += 1) expect((await ask(index)).status).not.toBe(429);
  const { status, body } = await ask(max);
  expect([status, body]).toEqual([429, refusal]);
});

test('logging in is limited, however the path is spelt and whoever is named', async () => {
  const paths = ['/api/auth/local', '/api/AUTH/Local', '/api/auth/local/', '/api/auth/loc%61l', '/API/auth/local?x=1'];
  const statuses: number[] = [];
  for (const [index, path] of paths.entries())
    statuses.push((await app.post(path, { identifier: `user${index}@example.org`, password: 'wrong-1' })).status);
  expect(statuses.slice(0, max)).toEqual([400, 400, 400]);
  expect(statuses.slice(max)).toEqual([429, 429]);
  expect((await app.post('/api/auth/local', { identifier: 'x', password: 'y' })).body).toEqual(refusal);
});

test('who may not change a password at all is told so, and is not counted', async () => {
  for (let index = 0; index <= max; index += 1)
    expect((await app.post('/api/auth/change-password', {})).status).toBe(403);
});
