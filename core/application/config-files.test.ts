import { join, relative } from 'node:path';
import { appFolder } from '../testing/app-folder';
import { readConfigFiles, unreadFolders } from './config-files';
import { createEnv } from './env';
import { createModuleLoader } from './module-loader';

async function read(files: Record<string, string | object>, environment = 'development') {
  const folder = appFolder(files);
  try {
    return await readConfigFiles({
      appDir: folder.appDir,
      environment,
      env: createEnv({ PORT: '8080' }),
      load: createModuleLoader(folder.appDir, folder.dataDir),
    });
  } finally {
    folder.remove();
  }
}

test('every language and every form of export is read', async () => {
  const { config, problems } = await read({
    'config/a.json': { from: 'json' },
    'config/b.js': `module.exports = ({ env }) => ({ port: env.int('PORT') });`,
    'config/c.cjs': `exports.x = 1; exports.y = 2;`,
    'config/d.ts': `import type { Nothing } from 'nowhere';\nimport path from 'node:path';\nexport default ({ env }: { env: (name: string) => string }) => ({ path: path.join('a', 'b'), port: env('PORT') });`,
    'config/e.ts': `const config: { a: number } = { a: 1 };\nexport default config;`,
    'config/f.ts': `export = { old: true };`,
    'config/g.mjs': `export default { module: true };`,
    'config/h.js': `export default async () => ({ later: true });`,
    'config/notes.md': 'not configuration',
    'config/types.d.ts': 'export {};',
  });
  expect(problems).toEqual([]);
  expect(config).toEqual({
    a: { from: 'json' },
    b: { port: 8080 },
    c: { x: 1, y: 2 },
    d: { path: 'a/b', port: '8080' },
    e: { a: 1 },
    f: { old: true },
    g: { module: true },
    h: { later: true },
  });
});

test('files import one another', async () => {
  const { config } = await read({
    'config/a.ts': `import { size } from '../shared/size';\nexport default { size };`,
    'shared/size.ts': 'export const size: number = 3;',
  });
  expect(config['a']).toEqual({ size: 3 });
});

test('the files of the environment are merged over the others; lists are replaced', async () => {
  const files = {
    'config/server.js': `module.exports = { host: 'a', http: { x: 1, y: [1, 2] } };`,
    'config/env/production/server.json': { http: { y: [3] } },
    'config/env/production/extra.json': { only: 'here' },
  };
  expect((await read(files, 'production')).config).toEqual({
    server: { host: 'a', http: { x: 1, y: [3] } },
    extra: { only: 'here' },
  });
  expect((await read(files)).config).toEqual({ server: { host: 'a', http: { x: 1, y: [1, 2] } } });
});

test('paths in the TypeScript of an existing project count from where it would be compiled to', async () => {
  const database = `import path from 'path';\nexport default { file: path.relative(process.cwd(), path.join(__dirname, '..', '..', '.tmp/data.db')) };`;
  const where = async (dependencies: object) => {
    const folder = appFolder({ 'package.json': { dependencies }, 'config/database.ts': database });
    const load = createModuleLoader(folder.appDir, folder.dataDir);
    const { config } = await readConfigFiles({ appDir: folder.appDir, environment: 'test', env: createEnv({}), load });
    folder.remove();
    return relative(folder.appDir, (config['database'] as { file: string }).file);
  };
  expect(await where({ '@strapi/strapi': '5' })).toBe('.tmp/data.db');
  expect(await where({})).toBe('../.tmp/data.db');
});

test('broken files are named, all of them', async () => {
  const { problems } = await read({
    'config/a.js': `throw new Error('no database today');`,
    'config/b.ts': 'export default {',
    'config/c.json': '{ "x": }',
    'config/d.js': `module.exports = ({ env }) => ({ n: env.int('PORT') + env.json('PORT2').x });`,
    'config/e.js': `module.exports = ({ env }) => env.oneOf('PORT', ['1']);`,
  });
  expect(problems.map(({ where }) => where)).toEqual([
    'config/a.js',
    'config/b.ts',
    'config/c.json',
    'config/d.js',
    'config/e.js',
  ]);
  expect(problems[0]!.what).toBe(`can't be read: Error: no database today (line 1).`);
  expect(problems[4]!.what).toContain('environment variable PORT, which is "8080"');
});

test('what is wrong in a file is told with its line, in whatever language', async () => {
  const { problems } = await read({
    'config/a.js': `const names = [];\nmodule.exports = { a: names.x.y };`,
    'config/b.ts': `const names: string[] = [];\n\nexport default { a: (names as any).x.y };`,
    'config/c.js': `module.exports = {\n  a: 1, ,\n};`,
    'config/d.ts': `export default {\n\n  a: 1, ,\n};`,
  });
  expect(problems.map(({ what }) => /\(line (\d)\)\.$/.exec(what)?.[1])).toEqual(['2', '3', '2', '3']);
});

test('two files of one name are refused', async () => {
  const { problems } = await read({
    'config/api.js': 'module.exports = {}',
    'config/api.ts': 'export default {}',
  });
  expect(problems).toMatchObject([
    { where: 'config/api.ts', what: 'stands beside config/api.js, which configures the same.' },
  ]);
});

test('folders in config are named where nothing reads them', () => {
  const { appDir, remove } = appFolder({
    'config/sync/x.json': {},
    'config/env/test/server.json': {},
    'config/api/note/content-types/note/schema.json': {},
    'config/components/shared/seo.json': {},
    'config/extensions/accounts/content-types/user/schema.json': {},
    'config/sample/index.ts': '',
    'config/own/deep/index.ts': '',
  });
  const plugins = [join(appDir, 'config/sample'), join(appDir, 'config/own/deep')];
  expect(unreadFolders(appDir, plugins)).toEqual([
    'config/sync/ is without effect: nothing that is switched on reads it.',
  ]);
  remove();
});

test('without a config folder there is nothing', async () => {
  expect(await read({})).toEqual({ config: {}, problems: [] });
});
