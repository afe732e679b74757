import { fullKey, type UsersApp, usersApp } from '../app.fixture';

let app: UsersApp;
beforeAll(async () => {
  const advanced = { default_role: 'guests' };
  app = await usersApp({ plugins: { 'users-permissions': { enabled: true, config: { advanced } } } });
});
afterAll(() => app.remove());

const create = (username: string, role: unknown) =>
  app.post('/api/users', { username, email: `${username}@x.org`, password: 'secret-1', role }, fullKey);

test('an empty role is the one of new users, which has to be there', async () => {
  const refused = (await create('early', '').expect(400)).body.error;
  expect(refused).toMatchObject({ name: 'ApplicationError', message: 'Impossible to find the default role' });
  await app.post('/api/users-permissions/roles', { name: 'Guests', description: '', permissions: {} }, fullKey);
  for (const [username, role] of Object.entries({ ann: '', bob: 0 }))
    expect((await create(username, role).expect(201)).body.role).toMatchObject({ type: 'guests' });
});

test('an empty role over GraphQL is the one of new users, too', async () => {
  const query = `mutation { createUsersPermissionsUser(data: { username: "cid", email: "cid@x.org", password: "secret-1",
    role: "" }) { data { role { type } } } }`;
  const { body } = await app.post('/graphql', { query }, fullKey);
  expect(body.data.createUsersPermissionsUser.data).toEqual({ role: { type: 'guests' } });
});

test('an empty role does not change the one that a user has', async () => {
  const { id } = (await create('dan', 1).expect(201)).body;
  await app.agent.put(`/api/users/${id}`).set('Authorization', `Bearer ${fullKey}`).send({ role: '' }).expect(400);
  const { body } = await app.get(`/api/users/${id}?populate=role`, fullKey);
  expect(body.role).toMatchObject({ type: 'authenticated' });
});

test('of a long list of wrong roles, a hundred are told', async () => {
  const wrong = Array<number>(1_000).fill(1);
  const { error } = (await create('fay', { connect: wrong }).expect(400)).body;
  expect(error.message).toBe('100 errors occurred');
  const { id } = (await create('gus', 1).expect(201)).body;
  const change = app.agent.put(`/api/users/${id}`).set('Authorization', `Bearer ${fullKey}`);
  const { body } = await change.send({ role: { connect: [{ id: 1 }, ...wrong], disconnect: wrong } }).expect(400);
  expect(body.error.details.errors).toHaveLength(200);
  expect(body.error.details.errors[0].path).toEqual(['role', 'connect', '1']);
});
