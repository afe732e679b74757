import { schema, schemaFile } from '../../rest/rest-app.fixture';
import { fullKey, type UsersApp, usersApp } from '../app.fixture';
import { userType } from './definitions';
import { withOwnTypes } from './extended';

const extension = (attributes: object) => ({
  kind: 'collectionType',
  collectionName: 'up_users',
  info: { name: 'user', singularName: 'user', pluralName: 'users', displayName: 'User' },
  options: { timestamps: true },
  attributes,
});

test("an application's attributes come in its order, and nothing that is secret becomes known", () => {
  const attributes = {
    nick: { type: 'string' },
    password: { type: 'string', minLength: 8 },
    resetPasswordToken: { type: 'string', private: false },
    role: { type: 'relation', relation: 'oneToOne', target: 'api::x.x' },
  };
  const [user] = withOwnTypes([{ ...userType, collectionName: 'others', attributes }]).filter(
    ({ uid }) => uid === userType.uid,
  );
  expect(Object.keys(user!.attributes).slice(0, 4)).toEqual(['nick', 'password', 'resetPasswordToken', 'role']);
  expect(Object.keys(user!.attributes)).toEqual(expect.arrayContaining(Object.keys(userType.attributes)));
  expect(user!.collectionName).toBe('up_users');
  expect(user!.attributes).toMatchObject({
    password: { type: 'password', private: true, minLength: 8 },
    resetPasswordToken: { private: true },
    confirmationToken: { private: true },
    role: userType.attributes['role']!,
  });
});

describe('an application with an extended user', () => {
  let app: UsersApp;
  beforeAll(async () => {
    app = await usersApp({
      files: {
        'src/extensions/users-permissions/content-types/user/schema.json': extension({
          username: { type: 'string', minLength: 3, unique: true, configurable: false, required: true },
          email: { type: 'email', minLength: 6, configurable: false, required: true },
          password: { type: 'password', minLength: 6, configurable: false, searchable: false },
          nick: { type: 'string', maxLength: 5 },
          salary: { type: 'integer', private: true },
          posts: { type: 'relation', relation: 'oneToMany', target: 'api::post.post', mappedBy: 'owner' },
        }),
        [schemaFile('post')]: schema('post', {
          title: { type: 'string' },
          owner: {
            type: 'relation',
            relation: 'manyToOne',
            target: 'plugin::users-permissions.user',
            inversedBy: 'posts',
          },
        }),
      },
      plugins: { 'users-permissions': { enabled: true, config: { register: { allowedFields: ['nick'] } } } },
    });
  });
  afterAll(() => app.remove());

  test('serves it like any type: in bodies, populated from both sides, in filters and sorts', async () => {
    const who = { username: 'ann', email: 'ann@example.org', password: 'secret-1' };
    const register = (more: object) => app.post('/api/auth/local/register', { ...who, ...more });
    expect((await register({ nick: 'too long' })).body.error.message).toBe('nick must be at most 5 characters');
    expect((await register({ salary: 5 })).body.error.message).toBe('Invalid parameters: salary');
    const { body } = await register({ nick: 'annie' }).expect(200);
    expect(Object.keys(body.user).slice(0, 5)).toEqual(['id', 'documentId', 'username', 'email', 'nick']);
    const { id, documentId } = body.user;
    await app.post('/api/posts', { data: { title: 'one', owner: id } }, fullKey).expect(201);
    await app.post('/api/posts', { data: { title: 'two', owner: documentId } }, fullKey).expect(201);

    const posts = await app.get('/api/posts?populate=owner&filters[owner][nick]=annie&sort=title:desc', fullKey);
    expect(posts.body.data.map(({ title, owner }: { title: string; owner: object }) => [title, owner])).toEqual([
      ['two', expect.objectContaining({ nick: 'annie' })],
      ['one', expect.objectContaining({ nick: 'annie' })],
    ]);
    const user = await app.get(`/api/users/${id}?populate=posts`, fullKey).expect(200);
    expect(user.body.posts).toMatchObject([{ title: 'one' }, { title: 'two' }]);

    const put = app.agent.put(`/api/users/${id}`).set('Authorization', `Bearer ${fullKey}`);
    const changed = await put.send({ nick: 'anna', salary: 5, posts: [] }).expect(200);
    expect(changed.body).toMatchObject({ nick: 'anna' });
    expect(changed.text).not.toContain('salary');
    expect((await app.get(`/api/users/${id}?populate=posts`, fullKey)).body.posts).toEqual([]);
    for (const query of ['filters[salary]=5', 'sort=salary', 'fields=salary'])
      await app.get(`/api/users?${query}`, fullKey).expect(400);
  });
});
