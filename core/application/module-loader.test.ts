import { appFolder } from '../testing/app-folder';

type Loader = typeof import('./module-loader');

const { appDir, dataDir, remove } = appFolder({
  'config/alone.ts': `import { HeddleError } from 'heddle';
export default ({ name }: { name: string }) => [name, typeof HeddleError];`,
  'config/together.ts': `import { other } from './other';
export default () => other;`,
  'config/other.ts': 'export const other: string = "other";',
});
afterAll(remove);

const read = (file: string): unknown => {
  jest.resetModules();
  const { createModuleLoader } = require('./module-loader') as Loader;
  const make = createModuleLoader(appDir, dataDir)(`${appDir}/config/${file}.ts`) as (env: object) => unknown;
  return make({ name: file });
};

test('where no translation can be kept, the file is read all the same', () => {
  const { createModuleLoader } = require('./module-loader') as Loader;
  const dataDir = `${appDir}/config/other.ts`;
  const make = createModuleLoader(appDir, dataDir)(`${appDir}/config/alone.ts`) as (env: object) => unknown;
  expect(make({ name: 'unkept' })).toEqual(['unkept', 'function']);
});

test('the next start translates nothing, but for files that need others of the application', () => {
  expect(read('alone')).toEqual(['alone', 'function']);
  expect(read('together')).toBe('other');
  jest.doMock('jiti', () => {
    throw new Error('jiti is loaded');
  });
  expect(read('alone')).toEqual(['alone', 'function']);
  expect(() => read('together')).toThrow('jiti is loaded');
  jest.dontMock('jiti');
});
