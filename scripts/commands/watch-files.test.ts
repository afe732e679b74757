import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Watch, watchFiles } from './watch-files';

const folder = mkdtempSync(join(tmpdir(), 'heddle-watch-'));
const dataDir = join(folder, 'data');
const seen: string[] = [];
let watch: Watch;

let written = '';

/** Each time a longer text: two that a file system gives one time differ in their size. */
function write(path: string): void {
  written += '.';
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), written);
}

async function told(): Promise<string[]> {
  await sleep(400);
  return seen.splice(0);
}

beforeAll(() => {
  write('src/api/a/schema.json');
  watch = watchFiles(folder, dataDir, (file) => seen.push(file));
});
afterAll(() => {
  watch.stop();
  rmSync(folder, { recursive: true });
});

test('files that change, come and go are told', async () => {
  write('src/api/a/schema.json');
  expect(await told()).toEqual(['src/api/a/schema.json']);
  write('config/plugins.ts');
  expect(await told()).toEqual(['config/plugins.ts']);
  rmSync(join(folder, 'config/plugins.ts'));
  expect(await told()).toEqual(['config/plugins.ts']);
});

test('what the application writes, and what it is not made of, is not', async () => {
  for (const path of ['data/cache/a.js', 'node_modules/b/index.js', '.git/c.json', 'notes.md']) write(path);
  expect(await told()).toEqual([]);
});
