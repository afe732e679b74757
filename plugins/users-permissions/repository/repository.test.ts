import { DATABASE } from '../../sql';
import { API_TOKENS, ROLES } from '..';
import { type UsersApp, usersApp } from '../app.fixture';

let app: UsersApp;
beforeAll(async () => {
  app = await usersApp();
});
afterAll(() => app.remove());

test('a database that is gone is told as such, whatever is asked of roles and tokens', async () => {
  const [roles, tokens] = [app.service(ROLES), app.service(API_TOKENS)];
  const { id } = (await roles.ofType('public'))!;
  await app.service(DATABASE).close();
  const token = { name: 'website', type: 'full-access', key: 'a-key-of-a-website' } as const;
  for (const asked of [
    roles.list(),
    roles.find(id),
    roles.ofType('public'),
    roles.actionsOf(id),
    roles.create({ name: 'Editor' }),
    roles.ensure({ name: 'Editor', type: 'editor' }),
    roles.update(id, { name: 'Everyone' }),
    roles.grant('public', ['x.y.z']),
    roles.revoke('public', ['x.y.z']),
    tokens.list(),
    tokens.create(token),
    tokens.ensure(token),
    tokens.revoke('website'),
  ])
    await expect(asked).rejects.toMatchObject({ status: 503, message: 'The database can not be reached' });
});
