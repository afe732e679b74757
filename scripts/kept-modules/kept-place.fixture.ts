import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageRoot } from '../package-root';

const built = join(packageRoot, 'dist', 'scripts');
const program = `
const { keepModules } = require(${JSON.stringify(join(built, 'kept-modules', 'keep-modules.js'))});
const { packageFolders } = require(${JSON.stringify(join(built, 'package-root.js'))});
const [root, file] = process.argv.slice(1);
const modules = keepModules(file, packageFolders(root));
const { Module } = require('node:module');
const { _extensions } = Module;
const theirs = (module, path) => _extensions.before(module, path);
if (process.env.HOOKED) { _extensions.before = _extensions['.js']; _extensions['.js'] = theirs; }
try { console.log(JSON.stringify(require(root + '/dist/main.js'))); } catch (error) { console.log(error.name + ': ' + error.message.split('\\n')[0]); }
modules.keep().catch((error) => console.log('not kept: ' + error.code));
if (process.env.HOOKED) console.log(_extensions['.js'] === theirs);
`;

/** A folder with an application's modules, and the file that they are kept in; `hooked` has others take a place among the loader's. */
export const place = { root: '', file: '', hooked: '' };

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'heddle-kept-'));
  Object.assign(place, { root, file: join(root, 'cache', 'loaded-modules'), hooked: '' });
  write({
    'dist/main.js': `module.exports = [require('./part'), require('pack'), require('./data.json').x];`,
    'dist/part.js': `module.exports = 'a part';`,
    'dist/data.json': '{ "x": 1 }',
    'node_modules/pack/package.json': '{ "main": "lib/pack.js" }',
    'node_modules/pack/lib/pack.js': `const pack = () => 'a pack';\nmodule.exports = pack();`,
    'node_modules/.package-lock.json': '{}',
  });
});
afterEach(() => rmSync(place.root, { recursive: true }));

export function write(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(place.root, path)), { recursive: true });
    writeFileSync(join(place.root, path), content);
  }
}

/** What starts with a dash is meant for Node, all else for the modules. */
export function run(...flags: string[]): string {
  const options = { encoding: 'utf8', env: { ...process.env, HOOKED: place.hooked } } as const;
  const [node, own] = [true, false].map((isFlag) => flags.filter((flag) => flag.startsWith('-') === isFlag));
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...node!, '-e', program, place.root, place.file, ...own!],
    options,
  );
  return (stdout + stderr).trim();
}

/** Whether a run found everything kept that it loaded: one that does writes nothing. */
export function writesNothing(...flags: string[]): boolean {
  const before = statSync(place.file).ino;
  run(...flags);
  return statSync(place.file).ino === before;
}

export const all = '["a part","a pack",1]';
