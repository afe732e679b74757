import { type AnyPlugin, CONTENT, createApplication, DOCUMENTS, definePlugin } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { shipped } from '../shipped';
import { DATABASE } from '../sql';
import { LOCALES } from '.';

const localized = { i18n: { localized: true } };
const files = {
  'config/database.ts': "export default { connection: { client: 'sqlite', connection: { filename: 'data.db' } } };",
  'src/api/page/content-types/page/schema.json': {
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
    options: { draftAndPublish: false },
    pluginOptions: localized,
    attributes: {
      title: { type: 'string', pluginOptions: localized },
      code: { type: 'string' },
      key: { type: 'password', maxLength: 10 },
      fact: { type: 'component', component: 'part.fact' },
      facts: { type: 'dynamiczone', components: ['part.fact'] },
    },
  },
  'src/components/part/other.json': {
    collectionName: 'components_part_others',
    info: { displayName: 'other' },
    attributes: { text: { type: 'string' } },
  },
  'src/components/part/fact.json': {
    collectionName: 'components_part_facts',
    info: { displayName: 'fact' },
    attributes: { text: { type: 'string' }, pin: { type: 'password', maxLength: 10 } },
  },
};

let folder: AppFolder;

beforeEach(() => {
  folder = appFolder(files);
});
afterEach(() => folder.remove());

async function started(options: object, own: readonly AnyPlugin[] = []) {
  const overrides = { plugins: { i18n: { config: options } } };
  const plugins = {
    ...shipped.plugins,
    ...Object.fromEntries(own.map((plugin) => [plugin.name, { default: true, load: () => plugin }])),
  };
  const app = await createApplication({
    ...folder,
    shipped: { ...shipped, plugins },
    env: { NODE_ENV: 'test' },
    overrides,
  });
  await app.start();
  const { services } = app.kernel;
  const documents = services.get(DOCUMENTS);
  return {
    documents,
    pages: documents.of('api::page.page'),
    type: services.get(CONTENT).get('api::page.page'),
    locales: services.get(LOCALES),
    database: services.get(DATABASE),
    close: () => app.close(),
  };
}

const french = { parameters: { locale: 'fr' } };

test('a new locale takes over hashes as they are, and judges none as a password', async () => {
  const { pages, database, close } = await started({ locales: ['en', 'fr'] });
  const fact = { text: 'shared', pin: 'pin' };
  const { documentId } = await pages.create({ title: 'en', code: 'c', key: 'secret', fact });
  await pages.update(String(documentId), { title: 'fr' }, french);
  const kept = async (sql: string): Promise<unknown[]> => (await database.rows({ sql }, [])).flat();
  for (const sql of ['select `key` from pages', 'select pin from components_part_facts']) {
    const [first, second] = await kept(sql);
    expect(first).toMatch(/^\$2b\$10\$.{53}$/);
    expect(second).toBe(first);
  }
  await close();
});

test('a start adds the locales that the configuration wants, and removes none', async () => {
  const first = await started({ locales: ['fr', { code: 'de', name: 'Deutsch' }], defaultLocale: 'fr' });
  await first.close();
  const second = await started({ locales: ['es'] });
  const listed = (await second.locales.list()).map(({ code, name, isDefault }) => [code, name, isDefault]);
  expect(listed).toEqual([
    ['en', 'English (en)', false],
    ['fr', 'French (fr)', true],
    ['de', 'Deutsch', false],
    ['es', 'Spanish (es)', false],
  ]);
  await second.close();
});

test('a start refuses a default that is no locale, and does not keep it', async () => {
  await expect(started({ defaultLocale: 'fr' })).rejects.toThrow(
    /names "fr" as default, which is none of the application's locales: en/,
  );
  const { locales, close } = await started({});
  expect(locales.byDefault()).toBe('en');
  await close();
});

test('the default locale is known where there is no locale, and the other way round', async () => {
  const { locales, database, close } = await started({ locales: ['fr'], defaultLocale: 'fr' });
  const known = () => [locales.byDefault(), locales.codes()];
  for (const code of ['en', 'fr']) await locales.remove(code);
  expect(known()).toEqual(['fr', []]);
  await locales.add({ code: 'de', name: 'Deutsch' });
  expect(known()).toEqual(['fr', ['de']]);
  await locales.makeDefault('de');
  expect(known()).toEqual(['de', ['de']]);
  await database.knex()('strapi_core_store_settings').where({ key: 'plugin_i18n_default_locale' }).delete();
  await locales.reload();
  expect(known()).toEqual(['en', ['de']]);
  await close();
});

test('the search finds documents by their locale, too, in whatever case', async () => {
  const { pages, close } = await started({ locales: ['pt-BR'] });
  const { documentId } = await pages.create({ title: 'x' });
  await pages.update(String(documentId), { title: 'y' }, { parameters: { locale: 'pt-BR' } });
  const found = await pages.find({ search: 'T-br', parameters: { locale: '*' } });
  expect(found.map(({ title }) => title)).toEqual(['y']);
  await close();
});

test('a locale that another process adds or removes is known or unknown to the next write', async () => {
  const [here, there] = [await started({ locales: ['fr'] }), await started({})];
  await here.pages.create({ title: 'un' }, french);
  const document = (await here.pages.find(french))[0]!;
  await here.pages.delete(String(document['documentId']), french);
  await there.locales.remove('fr');
  await expect(here.pages.create({ title: 'un' }, french)).rejects.toThrow(
    'The locale "fr" is none of this application',
  );
  await there.locales.add({ code: 'fr', name: 'French' });
  await here.pages.create({ title: 'un' }, french);
  await Promise.all([here.close(), there.close()]);
});

test('adding a locale asks for a permission, takes over what is shared, and refuses to change it', async () => {
  const { documents, pages, type, close } = await started({ locales: ['fr', 'de'] });
  const { documentId } = await pages.create({ title: 'a', code: 'x', fact: { text: 'f' } });
  const id = String(documentId);
  const write = (data: object, may: (action: string) => boolean) =>
    documents.update({
      action: 'update',
      type,
      documentId: id,
      data: data as Record<string, unknown>,
      query: french,
      rights: 'some',
      may,
    });
  const asked: string[] = [];
  await expect(
    write({ title: 'b' }, (action) => {
      asked.push(action);
      return !action.endsWith('createLocalization');
    }),
  ).rejects.toMatchObject({ status: 403 });
  expect(asked).toContain('api::page.page.createLocalization');
  await expect(pages.update(id, { title: 'b', code: 'y' }, french)).rejects.toThrow('Invalid key code');
  await expect(pages.update(id, { title: 'b' }, { parameters: { locale: 'xx' } })).rejects.toThrow('"xx" is none of');
  expect(await pages.update(id, { title: 'b' }, { ...french, populate: 'fact' })).toMatchObject({
    title: 'b',
    code: 'x',
    fact: { text: 'f' },
    locale: 'fr',
  });
  await close();
});

test('a locale that is added takes over no component that its place no longer lists', async () => {
  const { pages, database, close } = await started({ locales: ['fr'] });
  const { documentId, id } = await pages.create({ title: 'a', facts: [{ __component: 'part.fact', text: 'f' }] });
  await database.knex()('components_part_others').insert({ id: 7, text: 'gone' });
  for (const field of ['fact', 'facts'])
    await database
      .knex()('pages_cmps')
      .insert({ entity_id: id, cmp_id: 7, component_type: 'part.other', field, order: 0 });
  const shown = { ...french, populate: ['fact', 'facts'] };
  expect(await pages.update(String(documentId), { title: 'b' }, shown)).toMatchObject({
    fact: null,
    facts: [{ __component: 'part.fact', text: 'f' }],
  });
  await close();
});

test('an attempt to add a locale that lost against another who added it is no refusal', async () => {
  let addedByOther: (() => Promise<unknown>) | undefined;
  let other: Promise<unknown> | undefined;
  const losing = definePlugin({
    name: 'losing',
    after: ['i18n'],
    apply: ({ hooks }) =>
      hooks.document.variant.tap('losing', (data) => {
        if (data['code'] !== 'y') return data;
        other ??= addedByOther!();
        throw Object.assign(new Error('busy'), { code: 'SQLITE_BUSY' });
      }),
  });
  const { pages, close } = await started({ locales: ['fr'] }, [losing]);
  const id = String((await pages.create({ title: 'a', code: 'x' }))['documentId']);
  addedByOther = () => pages.update(id, { title: 'b' }, french);
  expect(await pages.update(id, { code: 'y' }, french)).toMatchObject({ title: 'b', code: 'y' });
  await other;
  await close();
});

test('shared values and components follow each write; components that are equal keep their ids', async () => {
  const { pages, close } = await started({ locales: ['fr'] });
  const id = String((await pages.create({ title: 'a', code: 'x', fact: { text: 'f' } }))['documentId']);
  const seen = async (locale: string) => pages.findOne(id, { populate: 'fact', parameters: { locale } });
  await pages.update(id, { title: 'b' }, french);
  const before = await seen('fr');
  await pages.update(id, { title: 'c' });
  expect(await seen('fr')).toEqual(before);
  await pages.update(id, { code: 'y', fact: { text: 'g' } }, french);
  expect(await seen('en')).toMatchObject({ title: 'c', code: 'y', fact: { text: 'g' } });
  await pages.update(id, { fact: null });
  expect(await seen('fr')).toMatchObject({ title: 'b', code: 'y', fact: null });
  await close();
});
