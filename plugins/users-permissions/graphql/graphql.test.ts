import { fullKey, type UsersApp, usersApp } from '../app.fixture';
import { ROLES } from '../services';

let app: UsersApp;

beforeAll(async () => {
  app = await usersApp({ plugins: { 'users-permissions': { enabled: true, config: { ratelimit: { max: 50 } } } } });
  await app.grant(['plugin::users-permissions.user.me'], 'authenticated');
});
afterAll(() => app.remove());

async function ask(query: string, key?: string) {
  const { status, body } = await app.post('/graphql', { query }, key);
  return { status, data: body.data, messages: (body.errors ?? []).map(({ message }: { message: string }) => message) };
}

const register = (name: string, more = '') =>
  ask(`mutation { register(input: { username: "${name}", email: "${name}@x.org", password: "secret1"${more} }) {
    jwt user { id username confirmed role { type } } } }`);

test('who registers is known by the token that they are given, and logs in again', async () => {
  const { data } = await register('ann');
  expect(data.register.user).toMatchObject({ username: 'ann', confirmed: true });
  const me = await ask('{ me { documentId email role { name type } } }', data.register.jwt);
  expect(me.data.me).toMatchObject({ email: 'ann@x.org', role: { name: 'Authenticated', type: 'authenticated' } });
  const login = await ask('mutation { login(input: { identifier: "ann@x.org", password: "secret1" }) { jwt } }');
  expect(login.data.login.jwt).toEqual(expect.any(String));
  expect(await ask('mutation { login(input: { identifier: "ann", password: "wrong" }) { jwt } }')).toMatchObject({
    messages: ['Invalid identifier or password'],
  });
  expect((await ask('{ me { username } }')).messages).toEqual(['Forbidden access']);
});

test('who is logged in sees themselves where their role may, as over REST', async () => {
  const { data } = await register('zoe');
  const action = 'plugin::users-permissions.user.me';
  await app.service(ROLES).revoke('authenticated', [action]);
  const refused = await ask('{ me { username } }', data.register.jwt);
  const overRest = await app.get('/api/users/me', data.register.jwt);
  await app.grant([action], 'authenticated');
  expect([refused.messages, overRest.status]).toEqual([['Forbidden access'], 403]);
  expect((await ask('{ me { username } }', data.register.jwt)).data.me).toEqual({ username: 'zoe' });
});

test('who changes their password over GraphQL needs the permission themselves, as over REST', async () => {
  const { data } = await register('dee');
  const action = 'plugin::users-permissions.auth.changePassword';
  const change = `mutation { changePassword(
    currentPassword: "secret1", password: "secret2", passwordConfirmation: "secret2") { user { username } } }`;
  await app.service(ROLES).revoke('authenticated', [action]);
  await app.grant([action], 'public');
  const refused = await ask(change, data.register.jwt);
  await app.service(ROLES).revoke('public', [action]);
  await app.grant([action], 'authenticated');
  expect(refused.messages).toEqual(['Forbidden access']);
  expect((await ask(change, data.register.jwt)).messages).toEqual([]);
});

test('a token takes nothing away of what everyone may, and nobody registers where nobody may', async () => {
  const { data } = await register('bea');
  expect(
    (await ask('mutation { login(input: { identifier: "bea", password: "secret1" }) { jwt } }', data.register.jwt))
      .messages,
  ).toEqual([]);
  const action = 'plugin::users-permissions.auth.register';
  await app.service(ROLES).revoke('public', [action]);
  const closed = await register('cid');
  await app.grant([action], 'public');
  expect(closed.messages).toEqual(['Forbidden access']);
});

test('nobody registers with a role of their choice, and passwords are no field of anything', async () => {
  expect((await register('eve', ', role: 1')).status).toBe(400);
  expect((await ask('{ usersPermissionsUsers { password } }', fullKey)).status).toBe(400);
  expect((await ask('{ usersPermissionsUsers { resetPasswordToken } }', fullKey)).status).toBe(400);
});

test('a password is changed by who knows it', async () => {
  const { data } = await register('dan');
  const change = (current: string, key?: string) =>
    ask(
      `mutation { changePassword(currentPassword: "${current}", password: "secret2", passwordConfirmation: "secret2") {
        user { username } } }`,
      key,
    );
  await app.grant(['plugin::users-permissions.auth.changePassword'], 'authenticated');
  expect((await change('secret1')).messages).toEqual(['Forbidden access']);
  expect((await change('nope', data.register.jwt)).messages).toEqual(['The provided current password is invalid']);
  expect((await change('secret1', data.register.jwt)).data.changePassword.user).toEqual({ username: 'dan' });
});

test('who may, writes users and roles', async () => {
  const create = `mutation { createUsersPermissionsUser(data: { username: "may", email: "May@x.org", password: "secret1",
    role: "1" }) { data { username email role { type } } } }`;
  expect((await ask(create)).messages).toEqual(['Forbidden access']);
  const created = await ask(create, fullKey);
  expect(created.data.createUsersPermissionsUser.data).toMatchObject({ username: 'may', email: 'may@x.org' });
  const { body: users } = await app.get('/api/users?filters[username]=may', fullKey);
  const of = (field: string) => `mutation { ${field} { data { username } } }`;
  const renamed = await ask(of(`updateUsersPermissionsUser(id: ${users[0].id}, data: { username: "mae" })`), fullKey);
  expect(renamed.data.updateUsersPermissionsUser.data).toEqual({ username: 'mae' });
  const gone = await ask(of(`deleteUsersPermissionsUser(id: ${users[0].id})`), fullKey);
  expect(gone.data.deleteUsersPermissionsUser.data).toEqual({ username: 'mae' });
  const unspelt = 'mutation ($data: UsersPermissionsRoleInput!) { createUsersPermissionsRole(data: $data) { ok } }';
  for (const name of ['', 'n'.repeat(256), 'a\0b'])
    expect(
      (await app.post('/graphql', { query: unspelt, variables: { data: { name } } }, fullKey)).body.errors,
    ).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  const role = await ask('mutation { createUsersPermissionsRole(data: { name: "Editors" }) { ok } }', fullKey);
  expect(role.data.createUsersPermissionsRole).toEqual({ ok: true });
  expect((await ask('{ usersPermissionsRoles { name } }', fullKey)).data.usersPermissionsRoles).toContainEqual({
    name: 'Editors',
  });
});

test.each([
  ['POST', '/auth/local', 'login(input: { identifier: "x", password: "y" }) { jwt }'],
  ['POST', '/auth/local/register', 'register(input: { username: "x", email: "y", password: "z" }) { jwt }'],
  ['POST', '/auth/forgot-password', 'forgotPassword(email: "x") { ok }'],
  ['POST', '/auth/reset-password', 'resetPassword(password: "x", passwordConfirmation: "x", code: "y") { jwt }'],
  ['GET', '/auth/email-confirmation', 'emailConfirmation(confirmation: "x") { jwt }'],
])('an address may do so often what %s %s does, over GraphQL and REST together', async (method, path, field) => {
  const few = await usersApp({
    plugins: { 'users-permissions': { enabled: true, config: { ratelimit: { max: 2 } } } },
    files: { 'config/api.js': "module.exports = { rest: { prefix: '/V1' } };" },
  });
  const query = `mutation { ${field} }`;
  const statuses = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await few.post('/graphql', { query })).status);
  const overRest = method === 'GET' ? await few.get(`/V1${path}`) : await few.post(`/V1${path}`, {});
  await few.remove();
  expect([...statuses, overRest.status]).toEqual([200, 200, 429, 429]);
});
