import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appFolder } from '../core/testing/app-folder';
import { launcher } from './ci/running';
import { packageRoot } from './package-root';

const examples = join(packageRoot, 'plugins', 'examples');
const readme = readFileSync(join(examples, 'README.md'), 'utf8');
const names = readdirSync(examples, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** How the README switches an example on. */
function switchOf(name: string): string {
  const line = new RegExp(`^\\| \\[${name}\\].*\`([^\`]*resolve: [^\`]*)\` \\|$`, 'm').exec(readme)?.[1];
  if (!line) throw new Error(`plugins/examples/README.md does not say how ${name} is switched on`);
  return line;
}

test('there are three', () => expect(names.sort()).toEqual(['color', 'market', 'reading-time']));

test.each(names)('%s, copied into an application, passes its tests', (name) => {
  const { appDir, remove } = appFolder({ 'config/plugins.ts': `export default { ${switchOf(name)} };` });
  try {
    cpSync(join(examples, name), join(appDir, 'src', 'plugins', name), { recursive: true });
    const args = [launcher, 'plugin', 'test', name, '--app', appDir];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect({ status, stderr, stdout: status === 0 ? '' : stdout }).toEqual({ status: 0, stderr: '', stdout: '' });
    expect(stdout).toMatch(/pass [4-9]\n/);
  } finally {
    remove();
  }
});
