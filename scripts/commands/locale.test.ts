import { createApplication, DOCUMENTS } from '../../core';
import { type AppFolder, appFolder } from '../../core/testing/app-folder';
import { shipped } from '../../plugins/shipped';
import { run } from '../cli';

const localized = { i18n: { localized: true } };
const files = {
  'config/database.ts': "export default { connection: { client: 'sqlite', connection: { filename: 'data.db' } } };",
  'src/api/page/content-types/page/schema.json': {
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'page' },
    options: { draftAndPublish: true },
    pluginOptions: localized,
    attributes: { title: { type: 'string', pluginOptions: localized } },
  },
};

let folder: AppFolder;
let out: string;
let complaints: string;

beforeEach(() => {
  folder = appFolder(files);
  out = '';
  complaints = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
    complaints += String(text);
    return true;
  });
  jest.spyOn(console, 'log').mockImplementation(() => undefined);
  jest.spyOn(console, 'error').mockImplementation((text) => {
    complaints += String(text);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  folder.remove();
});

async function locale(...args: string[]): Promise<number> {
  out = '';
  complaints = '';
  return run(['locale', ...args, '--app', folder.appDir, '--data', folder.dataDir]);
}

const listed = async (): Promise<string[]> => {
  expect(await locale('list')).toBe(0);
  return out
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replace(/ {2,}/g, ' | '));
};

test('locales are added, listed, made the default and removed', async () => {
  expect(await listed()).toEqual(['en | English (en) | default']);
  expect(await locale('add', 'fr')).toBe(0);
  expect(out).toBe('The locale "fr" was added: French (fr).\n');
  expect(await locale('add', 'pt-BR', '--name', 'Brazil')).toBe(0);
  expect(await locale('default', 'fr')).toBe(0);
  expect(await listed()).toEqual(['en | English (en)', 'fr | French (fr) | default', 'pt-BR | Brazil']);
  expect(await locale('remove', 'en')).toBe(0);
  expect(await listed()).toEqual(['fr | French (fr) | default', 'pt-BR | Brazil']);
});

test('the default locale stays, and so does one that is there already or not at all', async () => {
  expect(await locale('remove', 'en')).toBe(1);
  expect(complaints).toMatch(/locale "en" is the default/);
  expect(await locale('add', 'en')).toBe(1);
  expect(complaints).toMatch(/is there already/);
  expect(await locale('remove', 'xx')).toBe(1);
  expect(complaints).toMatch(/locale "xx" is none of this application\. Its locales are en\./);
  expect(await locale('default', 'xx')).toBe(1);
  expect(await listed()).toEqual(['en | English (en) | default']);
});

test('a code that can be none is a wrong command line', async () => {
  expect(await locale('add', 'f/r')).toBe(2);
  expect(complaints).toMatch(/such as en or pt-BR/);
  expect(await locale('add')).toBe(2);
});

test('a locale with content stays, and the content is counted', async () => {
  await locale('add', 'fr');
  const app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test' } });
  await app.start();
  const pages = app.kernel.services.get(DOCUMENTS).of('api::page.page');
  const { documentId } = await pages.create({ title: 'a' }, { parameters: { locale: 'fr' } });
  await pages.create({ title: 'b' }, { parameters: { locale: 'fr', status: 'draft' } });
  await pages.update(String(documentId), { title: 'c' }, { parameters: { locale: 'en' } });
  await app.close();
  expect(await locale('remove', 'fr')).toBe(1);
  expect(complaints).toMatch(/has content: 2 documents of api::page\.page\./);
  expect(await listed()).toContain('fr | French (fr)');
});

test('what the configuration says is not changed behind its back', async () => {
  folder.remove();
  folder = appFolder({
    ...files,
    'config/plugins.ts': "export default { i18n: { config: { locales: ['fr'], defaultLocale: 'en' } } };",
  });
  expect(await locale('remove', 'fr')).toBe(1);
  expect(complaints).toMatch(/listed in config\/plugins/);
  expect(await locale('default', 'fr')).toBe(1);
  expect(complaints).toMatch(/config\/plugins says that "en" is/);
});

test('without the plugin there are no locales to change', async () => {
  folder.remove();
  folder = appFolder({ ...files, 'config/plugins.ts': 'export default { i18n: false };' });
  expect(await locale('list')).toBe(1);
  expect(complaints).toMatch(/plugin "i18n" is switched off/);
});
