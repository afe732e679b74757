import { createHmac } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DATABASE } from '../../sql';
import { API_TOKENS } from '..';
import { type UsersApp, usersApp } from '../app.fixture';

const told: { tokens: string[]; msg: string }[] = [];

let app: UsersApp;
beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    for (const line of String(text).split('\n').filter(Boolean)) {
      const entry = JSON.parse(line);
      if (entry.tokens) told.push(entry);
    }
    return true;
  });
  const tokens = { declared: { key: 'a-key-in-the-environment', type: 'read-only' } };
  app = await usersApp({ env: { LOG_LEVEL: 'warn' }, files: { 'config/access.json': { tokens } } });
});
afterAll(async () => {
  await app.remove();
  jest.restoreAllMocks();
});

const toldNow = () => told.splice(0).map(({ tokens }) => tokens);

async function restart(): Promise<void> {
  const again = await app.start();
  await again.close();
}

test('tokens that the salt of this start does not fit are named at every start, until they are gone', async () => {
  await app.service(API_TOKENS).create({ name: 'website', type: 'read-only' });
  await restart();
  await restart();
  expect(toldNow()).toEqual([]);

  // Another salt is made, as on a database that comes from elsewhere; what is declared is made again.
  rmSync(join(app.folder.dataDir, 'secrets', 'api-token-salt'));
  await restart();
  expect(told[0]!.msg).toContain('apiToken.salt in config/admin');
  await restart();
  expect(toldNow()).toEqual([
    ['full', 'website'],
    ['full', 'website'],
  ]);
  for (const name of ['full', 'website']) await app.service(API_TOKENS).revoke(name);
  await restart();
  expect(toldNow()).toEqual([]);
});

test('the salt of the environment is that of the tokens', async () => {
  const salted = await usersApp({ env: { API_TOKEN_SALT: 'the-salt' } });
  const { key } = await salted.service(API_TOKENS).create({ name: 'site', type: 'read-only' });
  const [row] = await salted.service(DATABASE).knex()('strapi_api_tokens').where({ name: 'site' });
  expect(row.access_key).toBe(createHmac('sha512', 'the-salt').update(key).digest('hex'));
  await salted.remove();
});
