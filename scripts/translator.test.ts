import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { appFolder } from '../core/testing/app-folder';
import { packageRoot } from './package-root';

const { appDir, dataDir, remove } = appFolder({
  'config/one.ts': 'export default 1 as number;',
  'config/two.ts': 'export default 2 as number;',
  'config/generic.mts': 'export default Number<String>(3);',
  'config/list.ts': 'export default [] as string[];',
  'config/length.ts': `import list from './list';\nexport default () => list.length;`,
});
afterAll(remove);

const built = join(packageRoot, 'dist', 'core', 'application');

/** What a process of its own tells, which has Node's modules, and so needs a build: Jest has its own. */
function toldBy(program: string): unknown {
  const before = `
    const [appDir, dataDir, built] = process.argv.slice(1);
    const { createModuleLoader } = require(built + '/module-loader.js');
    const { forgetTranslator } = require(built + '/translator.js');
    const load = (name) => createModuleLoader(appDir, dataDir)(appDir + '/config/' + name);
    const tell = (told) => console.log(JSON.stringify(told));
  `;
  const args = ['--expose-gc', '-e', before + program, appDir, dataDir, built];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('what translates is gone once it is forgotten, and comes again when it is needed', () => {
  const told = toldBy(`
    const { prepareStackTrace, stackTraceLimit } = Error;
    const parts = () => Object.values(require.cache).filter(({ id }) => /[/\\\\]jiti[/\\\\]/.test(id));
    const told = [load('one.ts'), parts().length > 0];
    const [translating] = parts().map(({ exports }) => new WeakRef(exports));
    forgetTranslator();
    told.push(parts().length);
    setTimeout(() => {
      gc();
      const isAsBefore = Error.prepareStackTrace === prepareStackTrace && Error.stackTraceLimit === stackTraceLimit;
      tell([...told, typeof translating.deref(), isAsBefore, load('two.ts')]);
    });
  `);
  expect(told).toEqual([1, true, 0, 'undefined', true, 2]);
});

test('each spelling of TypeScript is translated as such', () => {
  expect(toldBy(`tell(load('generic.mts'));`)).toBe(3);
});

test('who imports a file shares what is in it, whether it was translated before or not', () => {
  for (const _ of ['before', 'after'])
    expect(toldBy(`load('list.ts').push('one'); tell(load('length.ts')());`)).toBe(1);
});
