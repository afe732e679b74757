import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../package-root';
import { foldersOf, keepingFoldersOf } from './application-folder';

let folder: string;
const before = process.cwd();

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'heddle-folder-')));
  mkdirSync(join(folder, 'config'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const depend = (dependencies?: object): void =>
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));

test.each(['heddle', '@strapi/strapi'])('a folder whose package depends on %s is the application', (name) => {
  depend({ [name]: '^5.0.0' });
  expect(foldersOf({})).toEqual({ appDir: folder, dataDir: join(folder, '.data') });
});

test('a folder inside of an application is that', () => {
  depend({ heddle: '^1.0.0' });
  const inner = join(folder, 'src', 'api');
  mkdirSync(inner, { recursive: true });
  process.chdir(inner);
  expect(foldersOf({})).toEqual({ appDir: folder, dataDir: join(folder, '.data') });
  writeFileSync(join(folder, 'package.json'), '{');
  expect(foldersOf({}).appDir).toBe(packageRoot);
  process.chdir(packageRoot);
  expect(foldersOf({}).appDir).toBe(packageRoot);
});

test('in any other folder it is the sample, unless one is named', () => {
  expect(foldersOf({}).appDir).toBe(packageRoot);
  depend({ express: '^5.0.0' });
  expect(foldersOf({}).appDir).toBe(packageRoot);
  expect(foldersOf({ app: '.', data: 'there' })).toEqual({ appDir: folder, dataDir: join(folder, 'there') });
});

test('a package that is no JSON, and a folder that is no application, are told', () => {
  writeFileSync(join(folder, 'package.json'), '{');
  expect(() => foldersOf({})).toThrow(/package\.json: can't be read/);
  expect(() => foldersOf({ app: 'nowhere' })).toThrow(/does not exist/);
});

test('data that is, or lies in, what is no folder is told', () => {
  depend({ heddle: '^1.0.0' });
  writeFileSync(join(folder, 'data.db'), '');
  const told = `${join(folder, 'data.db')}: is no folder, and data can only be kept in one.`;
  for (const data of ['data.db', 'data.db/of/mine']) expect(() => foldersOf({ data })).toThrow(told);
  expect(foldersOf({ data: 'of/mine' }).dataDir).toBe(join(folder, 'of', 'mine'));
});

test('a folder for data is made, and one that can not be made is told', () => {
  depend({ heddle: '^1.0.0' });
  const { dataDir } = keepingFoldersOf({ data: 'of/mine' });
  expect(existsSync(dataDir)).toBe(true);
  expect(keepingFoldersOf({ data: 'of/mine' }).dataDir).toBe(dataDir);
  if (process.platform !== 'linux') return;
  expect(() => keepingFoldersOf({ data: '/proc/of/mine' })).toThrow("/proc/of/mine: can't be made: ENOENT");
});
