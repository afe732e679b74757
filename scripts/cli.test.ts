import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appFolder } from '../core/testing/app-folder';
import { launcher } from './ci/running';
import { packageRoot } from './package-root';

const fixture = join(packageRoot, 'conformance', 'fixtures', 'app');

function heddle(...args: string[]) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [launcher, ...args], { encoding: 'utf8' });
  return { stdout, stderr, status };
}

test('every command has help', () => {
  const { stdout, status } = heddle('--help');
  expect(status).toBe(0);
  const commands = [...stdout.matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, name]) => name!);
  expect(commands).toEqual(['start', 'dev', 'routes', 'types', 'doctor', 'conform']);
  for (const command of commands) {
    const help = heddle(command, '--help');
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining(`Usage: heddle ${command} [options]`) });
  }
});

test.each([
  [['strat'], 'Did you mean start?'],
  [['start', '--prot', '1'], 'Did you mean --port?'],
  [['start', '--port', '70000'], 'A port is a number from 0 to 65535.'],
  [['start', 'there'], 'too many arguments'],
  [['conform'], 'Say where the deployment answers: --url'],
  [[], 'Usage: heddle'],
])('%j is refused with a hint, and ends with 2', (args, hint) => {
  expect(heddle(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(hint), stdout: '' });
});

test('routes are listed as a table and as JSON', () => {
  const table = heddle('routes', '--app', fixture);
  expect(table.status).toBe(0);
  expect(table.stdout).toMatch(/^METHOD +PATH +PLUGIN +ACCESS\n/);
  expect(table.stdout).toMatch(/^PUT +\/api\/articles\/:documentId +rest +api::article\.article\.update$/m);
  const listed = JSON.parse(heddle('routes', '--app', fixture, '--json').stdout) as unknown[];
  expect(listed).toContainEqual({
    method: 'GET',
    path: '/api/homepage',
    plugin: 'rest',
    access: 'api::homepage.homepage.find',
  });
});

test('a reader that leaves early ends a command quietly', () => {
  const piped = `{ "${process.execPath}" "${launcher}" routes --app "${fixture}"; echo "ended with $?" >&2; } | true`;
  const { stderr } = spawnSync('sh', ['-c', piped], { encoding: 'utf8' });
  expect(stderr).toBe('ended with 0\n');
});

test('types are printed, or written where asked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-types-'));
  const file = join(folder, 'types', 'content.ts');
  expect(heddle('types', '--out', file)).toMatchObject({ status: 0, stdout: '' });
  expect(heddle('types').stdout).toContain("'api::article.article': Article;");
  expect(existsSync(file)).toBe(true);
  rmSync(folder, { recursive: true });
});

test('doctor tells everything and writes nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-doctor-'));
  const { stdout, status } = heddle('doctor', '--data', join(folder, 'data'));
  expect(status).toBe(0);
  for (const part of [
    /1\. +sql +0\.\d/,
    /http\.authorize +users-permissions/,
    /api::article\.article \(collectionType\)\n +title +string +required/,
    /Lists sorted by an index.*\n(?: {2}.*\n)* {2}api::article\.article +id, slug\n/,
    /create table "articles"/,
    /Problems\n {2}none/,
  ])
    expect(stdout).toMatch(part);
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('data that is to be kept in a file is refused by whoever would keep some, doctor as well', () => {
  const file = join(packageRoot, 'package.json');
  for (const command of ['doctor', 'start']) {
    const { stderr, status } = heddle(command, '--data', file);
    expect(status).toBe(1);
    expect(stderr).toContain(`${file}: is no folder`);
  }
});

test('a broken project hears of everything at once, from doctor and from start', () => {
  const { appDir, remove } = appFolder({
    'config/server.js': 'module.exports = { prot: 1 };',
    'src/api/a/content-types/a/schema.json': {
      info: { singularName: 'a', pluralName: 'as' },
      attributes: { title: { type: 'strng' } },
    },
    'src/api/b/content-types/b/schema.json': '{',
  });
  const doctor = heddle('doctor', '--app', appDir);
  expect(doctor.status).toBe(1);
  const start = heddle('start', '--app', appDir);
  expect(start.status).toBe(1);
  for (const output of [doctor.stdout, start.stderr]) {
    expect(output).toContain('Did you mean "port"?');
    expect(output).toContain('src/api/b/content-types/b/schema.json');
    expect(output).toContain('Did you mean "string"?');
    expect(output).not.toMatch(/\n\s+at /);
  }
  remove();
});

test('doctor makes the GraphQL schema, which a start leaves to the first request', () => {
  const { appDir, remove } = appFolder({
    'config/plugins.js': "module.exports = { shop: { resolve: './shop.js' } };",
    'shop.js': `module.exports = {
      name: 'shop',
      after: ['graphql'],
      apply: ({ hooks }) =>
        hooks.graphql.contribute.tap({ name: 'shop', mayWait: true }, (all) =>
          all.add({ plugin: 'shop', typeDefs: 'type Query { till: Tlil }' })),
    };`,
    'src/api/.gitkeep': '',
  });
  const { stdout, status } = heddle('doctor', '--app', appDir);
  expect(stdout).toMatch(
    /Pending table changes.*Problems \(1\)\n {2}- plugin "shop": refers to GraphQL type "Tlil", which nobody defines\./s,
  );
  expect(status).toBe(1);
  remove();
});

test('a folder that is no application is told apart from one that does not exist', () => {
  expect(heddle('start', '--app', '/nowhere/at/all').stderr).toContain('does not exist');
  expect(heddle('routes', '--app', join(packageRoot, 'core')).stderr).toContain('holds neither config nor src');
});
