import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { appFolder } from '../../core/testing/app-folder';
import { launcher } from '../ci/running';

const info = { singularName: 'good-report', pluralName: 'good-ones', displayName: 'Good report' };

// Whatever the application says, its database is left alone: nothing answers there.
const { appDir, remove } = appFolder({
  'package.json': { name: 'app', dependencies: { heddle: '*' } },
  'src/api/good-report/content-types/good-report/schema.json': { kind: 'collectionType', info, attributes: {} },
  'config/database.json': { connection: { client: 'postgres', connection: { host: '127.0.0.1', port: 9 } } },
});
afterAll(remove);

const heddle = (...args: string[]) =>
  spawnSync(process.execPath, [launcher, ...args], { cwd: appDir, encoding: 'utf8' });
const read = (path: string): string => readFileSync(join(appDir, path), 'utf8');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(appDir, path)), { recursive: true });
  writeFileSync(join(appDir, path), text);
}

const plugin = (name: string, apply: string): string =>
  `import { definePlugin } from 'heddle';\nexport default definePlugin({ name: '${name}', apply({ hooks }) { ${apply} } });\n`;

const asserting = (claim: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\ntest('it does', async () => { ${claim} });\n`;

test('a new plugin passes its tests at once, and leaves nothing behind', () => {
  const made = heddle('plugin', 'new', 'reading-time');
  expect([made.status, made.stdout]).toEqual([
    0,
    expect.stringContaining("'reading-time': { resolve: './src/plugins/reading-time'"),
  ]);
  const before = readdirSync(appDir, { recursive: true });
  const tested = heddle('plugin', 'test', 'reading-time');
  expect([tested.status, tested.stdout]).toEqual([0, expect.stringMatching(/pass 3\n.*fail 0\n/)]);
  expect(readdirSync(appDir, { recursive: true })).toEqual(before);
});

test('its name is everywhere in the form that fits', () => {
  const source = read('src/plugins/reading-time/index.ts');
  expect(source).toContain("name: 'reading-time'");
  expect(source).toContain('type Query { readingTime: ReadingTimeReport! }');
  expect(source).not.toMatch(/my-?plugin/i);
});

test('what it told to put into config/plugins switches it on', () => {
  const { stdout } = heddle('plugin', 'new', 'switched');
  const line = /^ {2}('switched': .*)$/m.exec(stdout)![1];
  write('config/plugins.ts', `export default { ${line} };`);
  expect(heddle('routes').stdout).toMatch(/^GET +\/switched +switched +plugin::switched\.report\.find$/m);
});

test.each([
  ['a name that is taken', 'reading-time', 'src/plugins/reading-time is there already, and nothing is overwritten.'],
  ['a name of a plugin of Heddle', 'upload', '"upload" is the name of a plugin that Heddle knows already.'],
  ['a name of a plugin of Strapi', 'content-manager', 'that Heddle knows already.'],
  ['a path', '../outside', '"../outside" can\'t name a plugin.'],
  ['capitals', 'ReadingTime', '"ReadingTime" can\'t name a plugin.'],
  ['the name of a field', 'me', '"me" would give the plugin a name in GraphQL that is there in every application: me.'],
  ["the name of a shipped plugin's list", 'upload-files', 'uploadFiles. Choose another, as "upload-files-extras".'],
  ['the name of a content type', 'good-report', 'that the content type api::good-report.good-report has.'],
  ['the name of a list', 'good-ones', 'that the content type api::good-report.good-report has.'],
  ['a name whose report is a content type', 'good', 'that the content type api::good-report.good-report has.'],
])('%s is refused, and nothing is written', (_what, name, message) => {
  const before = readdirSync(dirname(appDir), { recursive: true });
  const { status, stderr } = heddle('plugin', 'new', name);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  expect(readdirSync(dirname(appDir), { recursive: true })).toEqual(before);
});

test('the sample takes no plugin', () => {
  const { status, stderr } = spawnSync(process.execPath, [launcher, 'plugin', 'new', 'mine'], {
    cwd: '/',
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, expect.stringContaining('Make one by "heddle new my-app"')]);
});

test('tests see content types of their own', () => {
  write('src/plugins/fitted/index.ts', plugin('fitted', "hooks.document.params.tap('fitted', (given) => given);"));
  write(
    'src/plugins/fitted/fixture/src/api/thing/content-types/thing/schema.json',
    JSON.stringify({
      kind: 'collectionType',
      info: { singularName: 'thing', pluralName: 'things', displayName: 'Thing' },
      attributes: { name: { type: 'string' } },
    }),
  );
  write(
    'src/plugins/fitted/fitted.test.ts',
    asserting(`
      const headers = { authorization: 'Bearer ' + process.env.HEDDLE_TOKEN };
      const answer = await fetch(process.env.HEDDLE_URL + '/api/things', { headers });
      assert.deepEqual((await answer.json()).data, []);`),
  );
  expect(heddle('plugin', 'test', 'fitted')).toMatchObject({ status: 0 });
  expect(heddle('routes').stdout).not.toContain('/api/things');
});

test('a test that fails makes the command fail', () => {
  write('src/plugins/failing/index.ts', plugin('failing', ''));
  write('src/plugins/failing/failing.test.ts', asserting('assert.equal(1, 2);'));
  const { status, stdout } = heddle('plugin', 'test', 'failing');
  expect([status, stdout]).toEqual([1, expect.stringContaining('fail 1\n')]);
});

test('a plugin that keeps the application from starting is told like anywhere else', () => {
  write('src/plugins/broken/index.ts', 'export default {};');
  write('src/plugins/broken/broken.test.ts', asserting(''));
  const { status, stderr } = heddle('plugin', 'test', 'broken');
  expect([status, stderr]).toEqual([1, expect.stringContaining('config/plugins broken.resolve: ')]);
});

test.each([
  ['redaing-time', 'There is no plugin "redaing-time"', 'Did you mean "reading-time"?'],
  ['untested', 'The plugin "untested" has no test', ''],
])('%s can not be tested, which is told', (name, message, hint) => {
  write('src/plugins/untested/index.ts', plugin('untested', ''));
  const { status, stderr } = heddle('plugin', 'test', name);
  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).toContain(hint);
});
