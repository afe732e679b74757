import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { packageRoot } from '../package-root';
import { type KnownFile, nothingKept, readKept, writeKept } from './kept-file';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-kept-'));
  file = join(folder, 'loaded-modules');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** More than is written at once. */
const many = Array.from({ length: 5_000 }, (_, at) => `/part${at}.js`);
const compiledOf = (path: string) => ({ code: Buffer.from(`code of ${path}`), text: `text ö of ${path}` });

test('what as many modules as a service has were made into is found again', async () => {
  const files: KnownFile[] = many.map((path) => ({ path, stamp: `stamp of ${path}`, compiled: compiledOf(path) }));
  const long = { code: Buffer.alloc(300_000, 'code'), text: 'text'.repeat(100_000) };
  files.push({ path: '/data.json', stamp: 'data' }, { path: '/long.js', stamp: 'long', compiled: long });
  await writeKept(file, 'key', { meanings: [['/', './part1', '/part1.js']], files });
  const kept = readKept(file, 'key');
  expect(kept.meant).toEqual({ '/': { './part1': many.indexOf('/part1.js') } });
  const found = kept.files.map((each): KnownFile => {
    const { code, text } = kept.compiled(each) ?? {};
    // V8 takes a copy of what begins elsewhere.
    expect((each.place?.[0] ?? 0) % 8).toBe(0);
    const { path, stamp } = each;
    return { path, stamp, ...(code && { compiled: { code: Buffer.from(code), text: text!.toString() } }) };
  });
  expect(found).toEqual(files);
  kept.close();
});

test('a file that was cut off, or says nothing, is none', async () => {
  await writeKept(file, 'key', { meanings: [], files: [] });
  const whole = readFileSync(file);
  for (let length = 0; length < whole.length; length += 1) {
    writeFileSync(file, whole.subarray(0, length));
    expect(readKept(file, 'key')).toBe(nothingKept);
  }
  const nothing = Buffer.alloc(8);
  nothing.writeUInt32LE(crc32(nothing.subarray(0, 4)), 4);
  writeFileSync(file, nothing);
  expect(readKept(file, 'key')).toBe(nothingKept);
});

test('a file that finds no room says why, and leaves nothing behind', () => {
  const built = join(packageRoot, 'dist', 'scripts', 'kept-modules', 'kept-file.js');
  const program = `
    const { writeKept } = require(${JSON.stringify(built)});
    const compiled = { code: Buffer.alloc(1000), text: 'x'.repeat(1000) };
    const files = ${JSON.stringify(many)}.map((path) => ({ path, stamp: path, compiled }));
    writeKept(${JSON.stringify(file)}, 'key', { meanings: [], files }).catch(({ code }) => console.log(code));
  `;
  // A limit that a file may grow to ends writes as a full disk does.
  const args = ['-c', 'ulimit -f 1000; exec "$0" -e "$1"', process.execPath, program];
  expect(spawnSync('sh', args, { encoding: 'utf8' }).stdout.trim()).toBe('EFBIG');
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
});
