import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appFolder } from '../../core/testing/app-folder';
import { launcher, running } from '../ci/running';

const { appDir: here, remove } = appFolder();
afterAll(remove);

const heddle = (cwd: string, ...args: string[]) =>
  spawnSync(process.execPath, [launcher, ...args], { cwd, encoding: 'utf8' });
const app = join(here, 'my-app');
const read = (path: string): string => readFileSync(join(app, path), 'utf8');

test('a new application is served at once, readable by everyone and written by nobody', async () => {
  const { status, stdout } = heddle(here, 'new', 'my-app');
  expect([status, stdout]).toEqual([0, expect.stringContaining('cd my-app\n  npm install\n  npm start\n')]);
  const service = await running(app, join(here, 'data'));
  try {
    expect(await (await fetch(`${service.url}/api/notes`)).json()).toMatchObject({ data: [] });
    const body = JSON.stringify({ data: { title: 'Hello' } });
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${service.url}/api/notes`, { method: 'POST', headers, body })).status).toBe(403);
  } finally {
    await service.stop();
  }
});

test('its package depends on Heddle, and keeps to itself what is secret', () => {
  expect(JSON.parse(read('package.json'))).toMatchObject({
    name: 'my-app',
    private: true,
    dependencies: { heddle: expect.stringMatching(/^file:/) },
    scripts: { start: 'heddle start' },
  });
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['node_modules', '.data/', '.env']));
  expect(read('README.md')).toMatch(/^# my-app\n/);
  expect(readdirSync(app)).not.toContain('gitignore');
});

test('commands given in its folder are about it, without --app', () => {
  const { stdout } = heddle(app, 'routes');
  expect(stdout).toMatch(/^GET +\/api\/notes +rest/m);
  expect(stdout).not.toContain('/api/articles');
});

test('a package.json that is no JSON is told', () => {
  const broken = join(here, 'broken');
  mkdirSync(broken);
  writeFileSync(join(broken, 'package.json'), '{');
  const { status, stderr } = heddle(broken, 'routes');
  expect([status, stderr]).toEqual([1, expect.stringContaining("package.json: can't be read")]);
});

test.each([
  ['a folder that is not empty', 'my-app', 'my-app is not empty, and nothing in it is overwritten.'],
  ['a file', 'package.json', 'package.json is a file.'],
  ['a name that no package can have', 'My App', '"My App" can\'t name an application.'],
])('%s is refused, and stays as it is', (_what, name, message) => {
  const before = readdirSync(here, { recursive: true });
  const { status, stderr, stdout } = heddle(here, 'new', name);
  expect([status, stderr, stdout]).toEqual([1, expect.stringContaining(message), '']);
  expect(readdirSync(here, { recursive: true })).toEqual(before);
});

test('an empty folder is filled', () => {
  mkdirSync(join(here, 'empty'));
  expect(heddle(here, 'new', 'empty').status).toBe(0);
});
