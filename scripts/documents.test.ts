import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createApplication } from '../core';
import { appFolder } from '../core/testing/app-folder';
import { shipped } from '../plugins/shipped';
import { packageRoot } from './package-root';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...['core', 'plugins', 'plugins/examples', 'plugins/sql/store', 'scripts/bench'].map(
    (folder) => `${folder}/README.md`,
  ),
];

test.each(documents)('the links of %s lead somewhere', (path) => {
  const targets = [...read(path).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target!);
  expect(targets.filter((target) => !existsSync(join(packageRoot, dirname(path), target)))).toEqual([]);
});

test('what is told of speed names files that are there, and parts that it has', () => {
  const text = read('scripts/bench/README.md');
  const named = [...text.matchAll(/`([\w/-]+(?:\.test)?\.ts)`/g)].map(([, path]) => path!);
  expect(named.filter((path) => !existsSync(join(packageRoot, path)))).toEqual([]);
  const parts = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title!.toLowerCase().replaceAll(' ', '-'));
  const linked = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, part]) => part!);
  expect(linked.length).toBeGreaterThan(10);
  expect(linked.filter((part) => !parts.includes(part))).toEqual([]);
});

test("every plugin's README lists the hooks that it taps", async () => {
  const { remove, ...folder } = appFolder();
  const plugins = Object.fromEntries(Object.keys(shipped.plugins).map((name) => [name, true]));
  const app = await createApplication({ ...folder, shipped, env: { NODE_ENV: 'test' }, overrides: { plugins } });
  const { hooks } = app.describe();
  for (const plugin of Object.keys(shipped.plugins)) {
    const tapped = hooks.filter(({ taps }) => taps.some((tap) => tap.split(':')[0] === plugin)).map(({ hook }) => hook);
    const listed = [...read(`plugins/${plugin}/README.md`).matchAll(/^\| `(\w+\.\w+)` \|/gm)].map(([, hook]) => hook!);
    expect([plugin, ...listed.sort()]).toEqual([plugin, ...tapped.sort()]);
  }
  remove();
});

test('CONTRIBUTING gives a reason for every dependency that the code uses', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
  const reasons = new Set(
    [...read('CONTRIBUTING.md').matchAll(/^\| (`.*`) \| /gm)].flatMap(([, names]) => names!.match(/[^`, ]+/g)!),
  );
  const unexplained = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !reasons.has(name));
  expect(unexplained).toEqual([]);
});
