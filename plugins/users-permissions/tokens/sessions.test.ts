import supertest from 'supertest';
import { PASSWORDS } from '../../passwords';
import { DATABASE } from '../../sql';
import { ROLES, SESSIONS, USERS } from '..';
import { fullKey, type UsersApp, usersApp } from '../app.fixture';
import { newCode } from '../auth/codes';

// Passwords are hashed by threads that a busy machine lets wait.
jest.setTimeout(120_000);

const config = { ratelimit: { enabled: false } };

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

const kept = async (id: number) =>
  (
    await sessions
      .service(DATABASE)
      .knex()('strapi_sessions')
      .where({ user_id: String(id) })
  ).length;

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

test('of those who show one refresh token at once, in two processes, exactly one is answered, and nobody goes on', async () => {
  const other = await sessions.start();
  const elsewhere = supertest(other.handler);
  try {
    const [ann] = await sessions.service(USERS).ofIdentifier('ann');
    const { id } = ann!;
    const others = await kept(id);
    for (let round = 0; round < 5; round += 1) {
      const { refreshToken } = await begin();
      const asked = Array.from({ length: 6 }, (_, index) =>
        index % 2 ? renew(refreshToken) : elsewhere.post('/api/auth/refresh').send({ refreshToken }),
      );
      const answers = await Promise.all(asked);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
      // Shown more than once, it ended what came of it, that of the one who was first included.
      expect(await kept(id)).toBe(others);
    }
  } finally {
    await other.close();
  }
});

test('logging out ends one session, a new password and a block end all of them, for good', async () => {
  const [one, two] = [await begin(), await begin()];
  expect((await sessions.get('/api/auth/sessions', two.jwt)).body.data).toMatchObject([{ current: true }, {}, {}]);
  await sessions.post('/api/auth/logout', {}, one.jwt).expect(200);
  expect([await me(one.jwt), await me(two.jwt)]).toEqual([401, 200]);
  await renew(one.refreshToken).expect(401);

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

const change = { currentPassword: 'secret-1', password: 'secret-2', passwordConfirmation: 'secret-2' };
const setPassword = (id: number) =>
  sessions.agent
    .put(`/api/users/${id}`)
    .set('Authorization', `Bearer ${fullKey}`)
    .send({ password: 'secret-3' })
    .expect(200);

describe('a password that is changed while somebody logs in by the old one', () => {
  /** A login whose password was found to be the right one just before something else happens. */
  async function loginAround(identifier: string, meanwhile: () => Promise<unknown>): Promise<void> {
    const passwords = sessions.service(PASSWORDS);
    const { matches } = passwords;
    jest.spyOn(passwords, 'matches').mockImplementationOnce(async (...given) => {
      const isRight = await matches(...given);
      await meanwhile();
      return isRight;
    });
    const { status, body } = await sessions.post('/api/auth/local', { identifier, password: 'secret-1' });
    expect([status, body.error?.message]).toEqual([400, 'Invalid identifier or password']);
  }

  test.each([
    ['by who has it', 1, ({ jwt }: { jwt: string }) => sessions.post('/api/auth/change-password', change, jwt)],
    ['by an administrator', 0, ({ user }: { user: { id: number } }) => setPassword(user.id)],
  ])('%s', async (who, left, changing) => {
    const username = who.replaceAll(' ', '-');
    const known = await registered(username);
    await loginAround(username, async () => changing(known).expect(200));
    expect(await kept(known.user.id)).toBe(left);
  });

  test('by a code', async () => {
    const { user } = await registered('by-code');
    const resetPasswordToken = newCode();
    const users = sessions.service(USERS);
    await users.settle((await users.find(user.id))!, {}, { resetPasswordToken });
    const reset = { code: resetPasswordToken, password: 'secret-2', passwordConfirmation: 'secret-2' };
    await loginAround('by-code', async () => sessions.post('/api/auth/reset-password', reset).expect(200));
    expect(await kept(user.id)).toBe(1);
  });

  test('by a code, whatever fails once it is changed', async () => {
    const { user, refreshToken } = await registered('failing');
    const resetPasswordToken = newCode();
    const users = sessions.service(USERS);
    await users.settle((await users.find(user.id))!, {}, { resetPasswordToken });
    const ends = sessions.service(SESSIONS);
    const { end } = ends;
    let isChanged = false;
    const { settle } = users;
    jest.spyOn(users, 'settle').mockImplementationOnce(async (...given) => {
      isChanged = await settle(...given);
      return isChanged;
    });
    const ending = jest.spyOn(ends, 'end').mockImplementation(async (...given) => {
      if (isChanged) throw new Error('the database is gone');
      return end.call(ends, ...given);
    });
    const reset = { code: resetPasswordToken, password: 'secret-2', passwordConfirmation: 'secret-2' };
    await sessions.post('/api/auth/reset-password', reset).expect(500);
    ending.mockRestore();
    await renew(refreshToken).expect(401);
  });

  test('by who has not committed it when the session is to begin', async () => {
    const { user } = await registered('waiting');
    const before = await kept(user.id);
    let end = (): void => {};
    let changing: Promise<void> | undefined;
    await loginAround('waiting', async () => {
      await new Promise<void>((resolve) => {
        changing = sessions
          .service(DATABASE)
          .knex()
          .transaction(async (transaction) => {
            await transaction('up_users').where({ id: user.id }).update({ password: 'another' });
            resolve();
            await new Promise<void>((done) => {
              end = done;
            });
          });
      });
      setTimeout(() => end(), 150);
    });
    await changing;
    expect(await kept(user.id)).toBe(before);
  });
});

// Of PostgreSQL: elsewhere one waits for the other anyway.
test('what ends sessions ends also the one that is being renewed', async () => {
  const { user, refreshToken } = await registered('renewing');
  const database = sessions.service(DATABASE);
  const { transaction } = database;
  let ending: Promise<unknown> | undefined;
  jest.spyOn(database, 'transaction').mockImplementationOnce((work) =>
    transaction(async (connection) => {
      const answer = await work(connection);
      ending = sessions.service(SESSIONS).end(user.id);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return answer;
    }),
  );
  await renew(refreshToken).expect(200);
  await ending;
  expect(await kept(user.id)).toBe(0);
});

test('a password that is changed again admits nobody by the first change', async () => {
  const { jwt, user } = await registered('twice');
  const service = sessions.service(SESSIONS);
  const { end } = service;
  jest.spyOn(service, 'end').mockImplementationOnce(async (...given) => {
    const isEnded = await end(...given);
    await setPassword(user.id);
    return isEnded;
  });
  await sessions.post('/api/auth/change-password', change, jwt).expect(400);
  expect(await kept(user.id)).toBe(0);
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

test('a session ends when it ends, whoever was asked for it just before', async () => {
  const somebody = { username: 'late', email: 'late@b.org', password: 'secret-1' };
  const { jwt } = (await sessions.post('/api/auth/local/register', somebody).expect(200)).body;
  expect(await me(jwt)).toBe(200);
  const soon = new Date(Date.now() + 1_500);
  const database = sessions.service(DATABASE);
  const end = { absolute_expires_at: database.dialect.store(soon.toISOString(), 'datetime') };
  await database.knex()('strapi_sessions').update(end);
  expect(await me(jwt)).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_550));
  expect(await me(jwt)).toBe(401);
});
