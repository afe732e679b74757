import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appFolder } from '../../core/testing/app-folder';
import { version } from '../package-root';
import { ownSource } from './own-source';

const { appDir: project, remove } = appFolder();
afterAll(remove);

const root = join(project, 'node_modules', 'heddle');

function installedFrom(resolved: string | undefined): void {
  mkdirSync(root, { recursive: true });
  const packages = resolved === undefined ? {} : { 'node_modules/heddle': { resolved } };
  writeFileSync(join(project, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }));
}

test('a checkout is named by its folder', () => {
  expect(ownSource('/somewhere/my-app', '/somewhere/heddle')).toBe('file:../heddle');
});

test.each([
  ['a file', 'file:../heddle-0.1.0.tgz', 'file:../../heddle-0.1.0.tgz'],
  ['the registry', 'https://registry.npmjs.org/heddle/-/heddle-0.1.0.tgz', `^${version()}`],
  ['elsewhere', 'git+ssh://git@example.org/heddle.git#abc', 'git+ssh://git@example.org/heddle.git#abc'],
  ['nobody knows where', undefined, 'file:../node_modules/heddle'],
])('what was installed from %s is named so', (_from, resolved, named) => {
  installedFrom(resolved);
  expect(ownSource(join(project, 'my-app'), root)).toBe(named);
});
