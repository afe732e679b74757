import supertest from 'supertest';
import { createApplication } from '../../core';
import { appFolder } from '../../core/testing/app-folder';
import { pluginOf } from '../../core/testing/test-application';
import { schema, schemaFile } from '../rest/rest-app.fixture';
import { shipped } from '../shipped';

const writer = { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' };
const open = pluginOf('open', ({ hooks }) => hooks.http.authorize.tap('open', () => true));

async function withoutUsers(isOpen: boolean) {
  const folder = appFolder({ [schemaFile('note')]: schema('note', { text: { type: 'string' }, writer }) });
  const app = await createApplication({
    ...folder,
    env: { NODE_ENV: 'test', LOG_LEVEL: 'silent' },
    shipped: { ...shipped, plugins: { ...shipped.plugins, open: { default: isOpen, load: () => open } } },
    overrides: { plugins: { 'users-permissions': false } },
  });
  await app.start();
  return {
    agent: supertest(app.handler),
    async remove() {
      await app.close();
      folder.remove();
    },
  };
}

test('without it nobody may do anything', async () => {
  const { agent, remove } = await withoutUsers(false);
  expect((await agent.get('/api/notes')).status).toBe(403);
  expect((await agent.post('/api/notes').send({ data: {} })).status).toBe(403);
  expect((await agent.get('/api/notes').set('Authorization', 'Bearer any')).status).toBe(403);
  expect((await agent.get('/api/users')).status).toBe(404);
  await remove();
});

test('another plugin may take its place; links to users are kept, but not shown', async () => {
  const { agent, remove } = await withoutUsers(true);
  expect((await agent.post('/api/notes').send({ data: { text: 'x' } })).status).toBe(201);
  const { body } = await agent.get('/api/notes?populate=*').expect(200);
  expect(body.data[0]).toMatchObject({ text: 'x' });
  await remove();
});
