import { type Application, createApplication } from '../../../core';
import { type AppFolder, appFolder } from '../../../core/testing/app-folder';
import { shipped } from '../../shipped';
import { DATABASE } from '../../sql';
import { client, connectionTo } from '../../sql/store/database-app.fixture';
import { createDatabase, dropDatabase } from '../../sql/sync/databases.fixture';
import { createHandovers, type Handovers } from './handover';

const name = client === 'sqlite' ? 'data.db' : `heddle_handover_${process.pid}`;
const ann = { email: 'ann@example.com', isVerified: true, username: 'ann' };

let folder: AppFolder;
let app: Application;
let handovers: Handovers;

beforeAll(async () => {
  if (client !== 'sqlite') await createDatabase(client, name);
  folder = appFolder();
  const overrides = { database: { connection: { client, connection: connectionTo[client](name) } } };
  app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test', LOG_LEVEL: 'silent' }, overrides });
  await app.start();
  handovers = createHandovers(() => app.kernel.services.get(DATABASE));
});
afterAll(async () => {
  await app.close();
  if (client !== 'sqlite') await dropDatabase(client, name);
  folder.remove();
});

const rows = () => app.kernel.services.get(DATABASE).knex()('strapi_sessions');

test('a code is good once, for the provider that it was given for', async () => {
  const code = await handovers.give('company', ann);
  expect(await handovers.take('other', code)).toBeUndefined();
  expect(await handovers.take('company', `${code}x`)).toBeUndefined();
  const taken = await Promise.all([1, 2, 3].map(() => handovers.take('company', code)));
  expect(taken.filter((identity) => identity !== undefined)).toEqual([ann]);
  expect(await handovers.take('company', code)).toBeUndefined();
});

test('only the hash of a code is kept, and what is too old is good no more and goes', async () => {
  const code = await handovers.give('company', ann);
  expect(JSON.stringify(await rows().select('*'))).not.toContain(code);
  const { dialect } = app.kernel.services.get(DATABASE);
  await rows().update({ expires_at: dialect.store(new Date(Date.now() - 1_000).toISOString(), 'datetime') as string });
  expect(await handovers.take('company', code)).toBeUndefined();
  await handovers.give('company', ann);
  expect(await rows().select('*')).toHaveLength(1);
});
