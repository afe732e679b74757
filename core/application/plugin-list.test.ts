import { appFolder } from '../testing/app-folder';
import { pluginOf } from '../testing/test-application';
import { createModuleLoader } from './module-loader';
import { choosePlugins } from './plugin-list';

const none = () => undefined;
const loaded: string[] = [];
const shippedAs = (name: string, on: boolean) => ({
  default: on,
  load() {
    loaded.push(name);
    return pluginOf(name, none);
  },
});
const shipped = {
  plugins: { charts: shippedAs('charts', true), maps: shippedAs('maps', false) },
  inert: { mail: 'nothing is sent.' },
};

function choose(given: unknown, files: Record<string, string | object> = {}) {
  const folder = appFolder(files);
  loaded.length = 0;
  try {
    const choice = choosePlugins(given, shipped, folder.appDir, createModuleLoader(folder.appDir, folder.dataDir));
    return { ...choice, chosen: choice.chosen.map(({ plugin, options }) => [plugin.name, options]) };
  } finally {
    folder.remove();
  }
}

test('without a list, the defaults are on, and only they are loaded', () => {
  expect(choose(undefined).chosen).toEqual([['charts', undefined]]);
  expect(loaded).toEqual(['charts']);
});

test.each([
  [{ charts: false }, []],
  [{ charts: { enabled: false, config: { x: 1 } } }, []],
  [{ charts: { config: { x: 1 } } }, [['charts', { x: 1 }]]],
  [
    { maps: true },
    [
      ['charts', undefined],
      ['maps', undefined],
    ],
  ],
  [
    { maps: { enabled: true } },
    [
      ['charts', undefined],
      ['maps', undefined],
    ],
  ],
])('%j', (given, chosen) => {
  expect(choose(given)).toMatchObject({ chosen, problems: [], notices: [] });
});

test('wrong spellings are refused with what was meant', () => {
  const { problems } = choose({ chart: true, map: false, charts: { enable: true }, maps: 'yes' });
  expect(problems.map(({ at, what, remedy }) => `${at}: ${what} ${remedy}`)).toEqual([
    'charts.enable: is no known option. Remove it, or put it into "config" if it is an option of the plugin. Did you mean "enabled"?',
    'maps: Invalid input: expected boolean or object. Correct the value.',
    'chart: is no known plugin. Remove it, or say where it is by resolve. Did you mean "charts"?',
    'map: is no known plugin. Remove it, or say where it is by resolve. Did you mean "maps"?',
  ]);
  expect(choose([]).problems).toHaveLength(1);
});

test('plugins of existing projects that do nothing here are accepted', () => {
  expect(choose({ mail: { enabled: true, config: { provider: 'x' } } }).notices).toEqual([
    'config/plugins mail is without effect: nothing is sent.',
  ]);
  expect(choose({ mail: false }).notices).toEqual([]);
});

const local = `import { definePlugin } from 'heddle';\nexport default definePlugin({ name: 'local', apply() {} });`;

test.each([
  ['a folder', './src/plugins/local', { 'src/plugins/local/index.ts': local }],
  ['a file', './local.ts', { 'local.ts': local }],
  ['JavaScript', './local', { 'local/index.js': `module.exports = { name: 'local', apply() {} };` }],
  [
    'a package',
    'heddle-local',
    {
      'node_modules/heddle-local/package.json': { main: 'main.js' },
      'node_modules/heddle-local/main.js': `exports.name = 'local'; exports.apply = () => {};`,
    },
  ],
  [
    'a folder with a manifest',
    './local',
    {
      'local/package.json': { main: './lib/x.js' },
      'local/lib/x.js': `module.exports = { name: 'local', apply() {} };`,
    },
  ],
])('a plugin of the project is found in %s', (_what, resolve, files) => {
  expect(choose({ local: { resolve, config: { a: 1 } } }, files)).toMatchObject({
    chosen: [
      ['charts', undefined],
      ['local', { a: 1 }],
    ],
    problems: [],
  });
});

test('a shipped plugin can be replaced', () => {
  const { chosen } = choose(
    { charts: { resolve: './charts.js' } },
    { 'charts.js': `module.exports = { name: 'charts', apply() {} };` },
  );
  expect(chosen).toEqual([['charts', undefined]]);
  expect(loaded).toEqual([]);
});

test('what is not there, exports no plugin, breaks or has another name is refused', () => {
  const files = {
    'a.js': 'module.exports = {}',
    'b.js': `throw new Error('broken')`,
    'c.js': `module.exports = { name: 'd', apply() {} }`,
  };
  const { problems } = choose(
    { nowhere: { resolve: './nowhere' }, a: { resolve: './a.js' }, b: { resolve: './b.js' }, c: { resolve: './c.js' } },
    files,
  );
  expect(problems.map(({ at, what }) => `${at} ${what}`)).toEqual([
    'nowhere.resolve names "./nowhere", which is neither a path in the application nor an installed package.',
    'a.resolve names "./a.js", which exports no plugin.',
    `b.resolve names "./b.js", which can't be loaded: broken.`,
    'c.resolve names a plugin that calls itself "d".',
  ]);
});

test('plugins for Strapi are noticed and not run', () => {
  const files = {
    'package.json': { dependencies: { 'strapi-plugin-menus': '1' } },
    'src/plugins/one/package.json': { strapi: { kind: 'plugin', name: 'one' } },
    'src/plugins/two/strapi-server.js': `throw new Error('never run')`,
    'node_modules/strapi-plugin-menus/package.json': { strapi: { name: 'menus' } },
  };
  const { problems, notices } = choose(
    {
      one: { resolve: './src/plugins/one' },
      two: { enabled: true, resolve: './src/plugins/two' },
      menus: { enabled: true },
    },
    files,
  );
  expect(problems).toEqual([]);
  expect(notices).toEqual([
    `config/plugins one is without effect: "./src/plugins/one" is a plugin for Strapi, which can't run here.`,
    `config/plugins two is without effect: "./src/plugins/two" is a plugin for Strapi, which can't run here.`,
    `config/plugins menus is without effect: the package strapi-plugin-menus is a plugin for Strapi, which can't run here.`,
  ]);
});
