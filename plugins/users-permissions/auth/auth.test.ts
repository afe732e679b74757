import { EMAIL } from '../../email';
import { DATABASE } from '../../sql';
import { USERS } from '..';
import { fullKey, type UsersApp, usersApp } from '../app.fixture';

const config = { ratelimit: { enabled: false } };

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

test.each([
  '"a b"@example.org',
  '"ab"@example.org',
  `${'a'.repeat(65)}@example.org`,
  `${'ü'.repeat(65)}@example.org`,
  `a@${'b'.repeat(252)}.org`,
  'a\u0001b@example.org',
  'a\u007fb@example.org',
])('nobody registers with an address that no message can be sent to: %j', async (email) => {
  const { status, body } = await register('unreachable', { email });
  expect([status, body.error.message]).toEqual([400, 'email must be a valid email']);
  const created = await app.agent
    .post('/api/users')
    .set('Authorization', `Bearer ${fullKey}`)
    .send({ username: 'unreachable', email, password: 'secret-1', role: 1 });
  expect([created.status, created.body.error.message]).toEqual([400, 'email must be a valid email']);
  await expect(app.service(EMAIL).rehearse({ to: email, subject: 'Hello', text: 'Hi' })).rejects.toThrow('to must be');
});

test('an address is one for accounts only where it is one for attributes', async () => {
  for (const email of ['😀@example.org', 'a@𝒃.example']) {
    const { status, body } = await register('emoji', { email });
    expect([status, body.error.message]).toEqual([400, 'email must be a valid email']);
  }
});

test.each([`${'a'.repeat(64)}@example.org`, `${'ü'.repeat(64)}@example.org`, 'ü+b@bü.example', "o'neil@example.org"])(
  'a message can be sent to who registers with %j',
  async (email) => {
    await register(`reached by ${email}`, { email }).expect(200);
    await app.service(EMAIL).rehearse({ to: email, subject: 'Hello', text: 'Hi' });
  },
);

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
