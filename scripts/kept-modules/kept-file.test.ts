import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../package-root';
import { type KnownFile, readKept, writeKept } from './kept-file';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-kept-'));
  file = join(folder, 'loaded-modules');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** More pieces than a system takes at once. */
const many = Array.from({ length: 1_000 }, (_, at) => `/part${at}.js`);
const compiledOf = (path: string) => ({ code: Buffer.from(`code of ${path}`), text: Buffer.from(`text of ${path}`) });

test('what as many modules as a service has were made into is found again', async () => {
  const files = new Map<string, KnownFile>(many.map((path) => [path, { stamp: path, compiled: compiledOf(path) }]));
  files.set('/data.json', { stamp: 'data' });
  await writeKept(file, 'key', { meanings: [['/', './part1', '/part1.js']], files });
  const kept = readKept(file, 'key');
  expect(kept.meant).toEqual({ '/': { './part1': many.indexOf('/part1.js') } });
  expect(kept.files.map(({ path }) => path)).toEqual([...files.keys()]);
  for (const each of kept.files)
    expect([each.stamp, kept.compiled(each)]).toEqual([files.get(each.path)!.stamp, files.get(each.path)!.compiled]);
  kept.close();
});

test('a file that finds no room says why, and leaves nothing behind', () => {
  const built = join(packageRoot, 'dist', 'scripts', 'kept-modules', 'kept-file.js');
  const program = `
    const { writeKept } = require(${JSON.stringify(built)});
    const compiled = { code: Buffer.alloc(1000), text: Buffer.alloc(1000) };
    const files = new Map(${JSON.stringify(many)}.map((path) => [path, { stamp: path, compiled }]));
    writeKept(${JSON.stringify(file)}, 'key', { meanings: [], files }).catch(({ code }) => console.log(code));
  `;
  // A limit that a file may grow to ends writes as a full disk does.
  const args = ['-c', 'ulimit -f 1000; exec "$0" -e "$1"', process.execPath, program];
  expect(spawnSync('sh', args, { encoding: 'utf8' }).stdout.trim()).toBe('EFBIG');
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});
