import { type Application, createApplication } from '../../../core';
import { type AppFolder, appFolder } from '../../../core/testing/app-folder';
import { LOCALES } from '../../i18n';
import { schema, schemaFile } from '../../rest/rest-app.fixture';
import { shipped } from '../../shipped';
import { DATABASE } from '../../sql';
import { client, connectionTo } from '../../sql/store/database-app.fixture';
import { createDatabase, dropDatabase } from '../../sql/sync/databases.fixture';
import { ACCESS_DECLARATION, API_TOKENS, ROLES } from '..';

const own = 'plugin::users-permissions';
const key = 'a-key-from-the-environment';

let folder: AppFolder;
let database: string;
let databases = 0;
const running: Application[] = [];
beforeEach(async () => {
  folder = appFolder({
    [schemaFile('note')]: schema('note', { text: { type: 'string' } }),
    [schemaFile('tag')]: schema('tag', { name: { type: 'string' } }),
  });
  databases += 1;
  database = client === 'sqlite' ? 'data.db' : `heddle_declared_${process.pid}_${databases}`;
  if (client !== 'sqlite') await createDatabase(client, database);
});
afterEach(async () => {
  for (const app of running.splice(0)) await app.close();
  if (client !== 'sqlite') await dropDatabase(client, database);
  folder.remove();
});

async function started(access: object, plugins: object = {}): Promise<Application> {
  const env = { NODE_ENV: 'test', LOG_LEVEL: 'silent' };
  const connection = { client, connection: connectionTo[client](database) };
  const overrides = { access, plugins, database: { connection } };
  const app = await createApplication({ ...folder, shipped, env, overrides });
  running.push(app);
  await app.start();
  return app;
}

const refusal = async (access: object, plugins: object = {}): Promise<string> =>
  createApplication({ ...folder, shipped, env: { NODE_ENV: 'test' }, overrides: { access, plugins } }).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

async function actionsOf(app: Application, type: string): Promise<string[]> {
  const roles = app.kernel.services.get(ROLES);
  const role = await roles.ofType(type);
  return role ? (await roles.actionsOf(role.id)).sort() : [];
}

const content = (actions: readonly string[]): string[] => actions.filter((action) => action.startsWith('api::'));
const differences = async (app: Application): Promise<string[]> =>
  (await app.kernel.services.get(ACCESS_DECLARATION).changes()).flatMap(({ lines }) => lines);

test('a start makes roles, tokens and locales be as they are declared', async () => {
  const app = await started({
    roles: {
      public: ['api::*.*.find', 'api::note.note.findOne'],
      editor: { name: 'Editors', description: 'They write.', permissions: ['api::note.note.*'] },
    },
    tokens: {
      website: { key, permissions: ['api::tag.tag.*'] },
      backup: { key: `${key}-2`, type: 'read-only' },
    },
    locales: ['fr', { code: 'de', name: 'Deutsch' }],
  });
  const { services } = app.kernel;
  expect(content(await actionsOf(app, 'public'))).toEqual([
    'api::note.note.find',
    'api::note.note.findOne',
    'api::tag.tag.find',
  ]);
  expect(await actionsOf(app, 'editor')).toEqual(
    ['create', 'delete', 'find', 'findOne', 'update'].map((action) => `api::note.note.${action}`),
  );
  expect(await services.get(ROLES).ofType('editor')).toMatchObject({ name: 'Editors', description: 'They write.' });
  expect(await services.get(API_TOKENS).list()).toMatchObject([
    { name: 'website', type: 'custom', actions: expect.arrayContaining(['api::tag.tag.find', 'api::tag.tag.delete']) },
    { name: 'backup', type: 'read-only', actions: [] },
  ]);
  expect((await services.get(LOCALES).list()).map(({ code, name }) => [code, name])).toEqual([
    ['en', 'English (en)'],
    ['fr', 'French (fr)'],
    ['de', 'Deutsch'],
  ]);
  expect(await differences(app)).toEqual([]);
});

test('where all is as declared, a start writes nothing', async () => {
  const access = {
    roles: { public: ['api::note.note.find'], editor: ['api::note.note.*'] },
    tokens: { website: { key, type: 'full-access' } },
    locales: ['fr'],
  };
  await (await started(access)).close();
  const state = async (app: Application): Promise<unknown[]> => {
    const knex = app.kernel.services.get(DATABASE).knex();
    const tables = ['up_roles', 'up_permissions', 'up_permissions_role_lnk', 'strapi_api_tokens', 'i18n_locale'];
    return Promise.all(tables.map((table) => knex(table).select('*').orderBy('id')));
  };
  const second = await started(access);
  const before = await state(second);
  await second.close();
  const third = await started(access);
  expect(await state(third)).toEqual(before);
});

test('what is taken out of the file is taken away, and what it does not speak of stays', async () => {
  const first = await started({
    roles: { public: ['api::note.note.find', 'api::tag.tag.find'] },
    tokens: { website: { key, type: 'full-access' }, other: { key: `${key}-2`, type: 'read-only' } },
  });
  await first.kernel.services.get(ROLES).grant('authenticated', ['api::tag.tag.create']);
  await first.kernel.services.get(ROLES).grant('public', ['api::tag.tag.delete']);
  await first.kernel.services.get(API_TOKENS).create({ name: 'by hand', type: 'read-only' });
  await first.close();
  const app = await started({
    roles: { public: ['api::note.note.find'] },
    tokens: { other: { key: `${key}-3`, type: 'read-only' } },
  });
  expect(content(await actionsOf(app, 'public'))).toEqual(['api::note.note.find']);
  expect(content(await actionsOf(app, 'authenticated'))).toEqual(['api::tag.tag.create']);
  const tokens = await app.kernel.services.get(API_TOKENS).list();
  expect(tokens.map(({ name }) => name).sort()).toEqual(['by hand', 'other']);
});

test('registering and logging in go on working, unless the list says what the public may do about accounts', async () => {
  const first = await started({ roles: { public: ['api::note.note.find'] } });
  expect(await actionsOf(first, 'public')).toEqual(
    expect.arrayContaining([`${own}.auth.register`, `${own}.auth.callback`]),
  );
  await first.close();
  const second = await started({ roles: { public: ['api::note.note.find', `${own}.auth.callback`] } });
  expect(await actionsOf(second, 'public')).toEqual(['api::note.note.find', `${own}.auth.callback`]);
});

test('what would change is told without being done, and without a key', async () => {
  const app = await started({
    apply: false,
    roles: { public: ['api::note.note.find'], editor: [] },
    tokens: { website: { key, permissions: ['api::note.note.find'] } },
    locales: ['fr'],
  });
  const expected = [
    '+ role public: api::note.note.find',
    '+ role editor',
    '+ token website, custom: api::note.note.find',
    '+ locale fr',
  ];
  expect(await differences(app)).toEqual(expected);
  expect(content(await actionsOf(app, 'public'))).toEqual([]);
  expect(await differences(app)).toEqual(expected);
});

test.each([
  [
    { roles: { public: ['api::note.note.fnd'] } },
    /roles\.public: names "api::note\.note\.fnd", which is no permission.*Did you mean "api::note\.note\.find"\?/,
  ],
  [{ roles: { public: ['api::*.*.fly'] } }, /roles\.public: names "api::\*\.\*\.fly", which fits no permission/],
  [{ roles: { public: ['*'] } }, /fits no permission/],
  [{ roles: { 'A b': [] } }, /config\/access/],
  [{ roles: { public: { permission: [] } } }, /roles\.public\.permission: is no known option/],
  [{ tokens: { website: { permissions: ['x'] } } }, /tokens\.website\.key: is missing: set the variable/],
  [{ tokens: { website: { key: 'short', type: 'read-only' } } }, /tokens\.website\.key: is shorter than 16/],
  [{ tokens: { website: { key } } }, /must have permissions, or the type/],
  [{ tokens: { website: { key, type: 'custom' } } }, /must have permissions, or the type/],
  [{ tokens: { website: { key, type: 'read-only', permissions: [] } } }, /must have permissions, or the type/],
  [
    { tokens: { a: { key, type: 'read-only' }, b: { key, type: 'read-only' } } },
    /tokens\.b\.key: has the same key as the token "a"/,
  ],
  [{ locales: ['f/r'] }, /locales/],
  [{ role: {} }, /config\/access role: is no known key.*"roles"/],
])('%j is refused', async (access, message) => {
  const text = await refusal(access);
  expect(text).toMatch(message);
  expect(text).not.toContain(key);
});

test('a locale that several add at once is there once', async () => {
  const app = await started({});
  const locales = app.kernel.services.get(LOCALES);
  await Promise.all(Array.from({ length: 6 }, () => locales.add({ code: 'es', name: 'Spanish' })));
  expect((await locales.list()).map(({ code }) => code)).toEqual(['en', 'es']);
});

test('locales need the plugin that has them', async () => {
  expect(await refusal({ locales: ['fr'] }, { i18n: false })).toMatch(/config\/access locales:.*plugin "i18n"/);
});

test('a token of the same name that was made elsewhere is not replaced', async () => {
  const first = await started({});
  await first.kernel.services.get(API_TOKENS).create({ name: 'website', type: 'full-access' });
  const tokens = { website: { key, type: 'read-only' } };
  await expect(started({ tokens })).rejects.toThrow(/tokens\.website: .*made elsewhere.*heddle token revoke website/);
  const [token] = await first.kernel.services.get(API_TOKENS).list();
  expect(token).toMatchObject({ name: 'website', type: 'full-access' });
});
