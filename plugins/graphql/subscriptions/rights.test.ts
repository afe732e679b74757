import { ROLES } from '../../users-permissions';
import { noteUid } from '../../users-permissions/app.fixture';
import { begun, hearing, type Served, served } from './subscribed-app.fixture';

let site: Served;
beforeAll(async () => {
  site = await served();
});
afterEach(() => site.leave());
afterAll(() => site.remove());

test('who may not find is told so, and a right that ends ends the subscription', async () => {
  const forbidden = [expect.objectContaining({ message: 'Forbidden access' })];
  const closed = hearing(site.client(), 'subscription { noteCreated { text } }');
  expect((await closed.next()).errors ?? 'none').toEqual(forbidden);
  await site.app.grant([`${noteUid}.find`]);
  const open = await begun(site.client(), 'subscription { noteCreated { text } }');
  await site.app.service(ROLES).revoke('public', [`${noteUid}.find`]);
  await site.write('post', '/api/notes', { text: 'unheard' });
  expect(await open.next()).toMatchObject({ data: { noteCreated: null }, errors: [{ message: 'Forbidden access' }] });
  expect(await open.next()).toBe('over');
});

test('a right that ends ends the subscription, also when nothing happens', async () => {
  await site.app.grant([`${noteUid}.find`]);
  const open = await begun(site.client(), 'subscription { noteCreated { text } }');
  await site.app.service(ROLES).revoke('public', [`${noteUid}.find`]);
  expect((await open.next()).errors).toMatchObject([{ message: 'Forbidden access' }]);
  expect(await open.next()).toBe('over');
});

test('a key that is none opens nothing', async () => {
  const { error } = await hearing(site.client('nonsense'), 'subscription { noteCreated { text } }').next();
  expect(error.code).toBe(4403);
});

test('who may not find is told so by server-sent events, too', async () => {
  const subscription = hearing(site.streamed(), 'subscription { noteCreated { text } }');
  expect((await subscription.next()).errors).toMatchObject([{ message: 'Forbidden access' }]);
  expect(await subscription.next()).toBe('over');
});
