import { fullKey, type UsersApp, usersApp } from '../app.fixture';

let app: UsersApp;
beforeAll(async () => {
  const config = { ratelimit: { enabled: false } };
  app = await usersApp({ plugins: { 'users-permissions': { enabled: true, config } } });
  await app.grant(['plugin::users-permissions.auth.callback']);
});
afterAll(() => app.remove());

const get = (path: string) => app.get(path, fullKey);
const treeOf = (owner: string, controller: string, action: string) =>
  JSON.parse(
    `{${JSON.stringify(owner)}:{"controllers":{${JSON.stringify(controller)}:{${JSON.stringify(action)}:{"enabled":true}}}}}`,
  );
const make = (name: string, permissions: object = {}) =>
  app.post('/api/users-permissions/roles', { name, description: '', permissions }, fullKey);

test("a number that no row can have is nobody's, on every database", async () => {
  for (const id of ['3000000000', '999999999999999', '99999999999999999999']) {
    await get(`/api/users-permissions/roles/${id}`).expect(404);
    await get(`/api/users/${id}`).expect(204);
  }
});

test('a text that some database can not keep is refused', async () => {
  expect((await make('a\0b').expect(400)).body.error.message).toContain('U+0000');
  await app.post('/api/auth/local', { identifier: 'a\0b', password: 'secret-1' }).expect(400);
});

test('of several who make a role of one type at once one does; of one name each makes one', async () => {
  const typesOf = async (name: string) =>
    (await get('/api/users-permissions/roles').expect(200)).body.roles
      .filter((role: { name: string }) => role.name === name)
      .map(({ type }: { type: string }) => type);
  const body = { name: 'Of one type', type: 'one-type' };
  const ask = () => app.post('/api/users-permissions/roles', body, fullKey);
  const answers = await Promise.all([ask(), ask(), ask(), ask()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect(await typesOf('Of one type')).toEqual(['one-type']);
  for (const { status } of await Promise.all([make('Twins'), make('Twins'), make('Twins')])) expect(status).toBe(200);
  expect(await typesOf('Twins')).toEqual(['twins', 'twins_2', 'twins_3']);
});

test('a name that every object has is one like others', async () => {
  await make('odd', treeOf('api::note', 'constructor', 'toString')).expect(200);
  const { body } = await get('/api/users-permissions/roles').expect(200);
  const { id } = body.roles.find(({ type }: { type: string }) => type === 'odd');
  const { role } = (await get(`/api/users-permissions/roles/${id}`).expect(200)).body;
  expect(role.permissions['api::note'].controllers.constructor.toString).toEqual({ enabled: true, policy: '' });
});

test.each([
  ['toString', 'note', 'find'],
  ['api::note', 'note', 'find,api::tag.tag.delete'],
  ['api::note', 'note.x', 'find'],
  ['api::note', 'note', 'a\0'],
])('what is no name of an action is not granted: %s.%s.%s', async (owner, controller, action) => {
  const { body } = await make('wrong', treeOf(owner, controller, action)).expect(400);
  expect(body.error.message).toContain('is no name of an action');
});

test('a body that is nested thousands of times is a mistake of who sent it', async () => {
  const depth = 20_000;
  const body = `{"password":"secret-1","identifier":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  await app.agent.post('/api/auth/local').set('Content-Type', 'application/json').send(body).expect(400);
});
