import type { Context } from 'koa';
import { definePlugin } from '../../core';
import { shipped } from '../shipped';
import { noteUid, type UsersApp, usersApp } from '../users-permissions/app.fixture';

const gates = definePlugin({
  name: 'gates',
  apply({ hooks }) {
    hooks.http.policies.tap('gates', (policies) =>
      policies.add('has-header', (context, config) => context.get((config as { header: string }).header) !== ''),
    );
    hooks.http.middlewares.tap('gates', (middlewares) =>
      middlewares.add('stamp', {
        make: () => async (context, next) => {
          context.set('X-Stamp', 'yes');
          await next();
        },
      }),
    );
  },
});

const routes = {
  [noteUid]: {
    find: { auth: false },
    findOne: { auth: { scope: [`${noteUid}.find`, `${noteUid}.update`] } },
    create: {
      auth: false,
      policies: [{ name: 'has-header', config: { header: 'x-may' } }, ({ query }: Context) => query['pass'] !== 'no'],
      middlewares: ['stamp'],
    },
    delete: false,
  },
};

let app: UsersApp;
beforeAll(async () => {
  const catalogue = { ...shipped, plugins: { ...shipped.plugins, gates: { default: true, load: () => gates } } };
  app = await usersApp({ catalogue, plugins: { rest: { enabled: true, config: { routes } } } });
});
afterAll(() => app.remove());

test('a route can be open to everyone, or to who may do several things', async () => {
  expect((await app.get('/api/notes')).status).toBe(200);
  expect((await app.get('/api/notes/x')).status).toBe(403);
  await app.grant([`${noteUid}.find`, `${noteUid}.findOne`]);
  expect((await app.get('/api/notes/x')).status).toBe(403);
  await app.grant([`${noteUid}.update`]);
  expect((await app.get('/api/notes/x')).status).toBe(404);
});

test('policies by name with configuration and as functions decide, and middlewares stand around the handler', async () => {
  const create = (query = '') => app.post(`/api/notes${query}`, { data: { text: 'x' } });
  expect((await create()).status).toBe(403);
  expect((await create('?pass=no').set('X-May', '1')).status).toBe(403);
  const made = await create().set('X-May', '1');
  expect([made.status, made.headers['x-stamp']]).toEqual([201, 'yes']);
});

test('what is switched off is not there, and what is not named is as always', async () => {
  expect((await app.agent.delete('/api/notes/x')).status).toBe(405);
  expect((await app.get('/api/tags')).status).toBe(403);
  const wrong = { rest: { enabled: true, config: { routes: { [noteUid]: { finde: { auth: false } } } } } };
  await expect(usersApp({ plugins: wrong })).rejects.toThrow('"finde", which is no action');
});
