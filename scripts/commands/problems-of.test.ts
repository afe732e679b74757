import { spawnSync } from 'node:child_process';
import { appFolder } from '../../core/testing/app-folder';
import { launcher } from '../ci/running';
import { problemsOf } from './problems-of';

/** What doctor says is wrong with an application of these files. */
function doctored(files: Record<string, string | object>): string {
  const { appDir, remove } = appFolder(files);
  const { stdout, status } = spawnSync(process.execPath, [launcher, 'doctor', '--app', appDir], { encoding: 'utf8' });
  remove();
  expect(status).toBe(1);
  return stdout.slice(stdout.indexOf('Problems'));
}

test('a plugin that fails in a hook is named with the place, and without all that led there', () => {
  const told = doctored({
    'config/plugins.js': "module.exports = { mine: { resolve: './mine.js' } };",
    'mine.js':
      "module.exports = { name: 'mine', apply({ hooks }) { hooks.content.schemaReady.tap('mine', () => null.x); } };",
  });
  expect(told).toMatch(
    /^Problems \(1\)\n {2}- plugin "mine": fails in hook content\.schemaReady: TypeError: .* \(at .*mine\.js:1:\d+\)\. Mend it there\.\n\n$/,
  );
});

test('a database that does not answer is told with what to do', () => {
  const connection = { client: 'postgres', connection: { host: '127.0.0.1', port: 9 } };
  expect(doctored({ 'config/database.json': { connection } })).toMatch(
    /^Problems \(1\)\n {2}- config\/database: names a database that can't be looked at: .*ECONNREFUSED.*\. Correct it, or see/,
  );
});

test('whatever else fails is told in a line with its place', () => {
  const { what, remedy } = problemsOf(new RangeError('too much'))[0]!;
  expect(what).toMatch(/^can't be looked at: RangeError: too much \(at .+\)\.$/);
  expect(remedy).toBe('Mend what is named there.');
});
