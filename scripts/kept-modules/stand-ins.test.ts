import { run, write, writesNothing } from './kept-place.fixture';

test('the languages of zod are read when one is used', () => {
  write({
    'dist/main.js': `
      const { locales } = require('zod');
      const before = globalThis.read ?? 'unread';
      module.exports = [before, locales.__esModule, locales.de(), globalThis.read, Object.keys(locales)];`,
    'node_modules/zod/index.cjs': `
      const star = (module) => (module.__esModule ? module : {});
      exports.locales = star(require('./v4/locales/index.cjs'));`,
    'node_modules/zod/package.json': '{ "main": "index.cjs" }',
    'node_modules/zod/v4/locales/index.cjs': `
      Object.defineProperty(exports, '__esModule', { value: true });
      exports.de = require('./de.cjs');
      Object.freeze(exports);`,
    'node_modules/zod/v4/locales/de.cjs': `globalThis.read = 'de'; module.exports = () => 'Wort';`,
  });
  const answer = ['unread', true, 'Wort', 'de', ['de']];
  for (const round of [1, 2, 3]) expect([round, JSON.parse(run())]).toEqual([round, answer]);
  expect(writesNothing()).toBe(true);
});

test('the names of failures on MySQL are read when one is asked for', () => {
  write({
    'dist/main.js': `
      const names = require('mysql2/lib/constants/errors.js');
      const before = globalThis.read ?? 'unread';
      module.exports = [before, names[1062], names.ER_DUP_ENTRY, names[0] ?? 'none', globalThis.read];`,
    'node_modules/mysql2/lib/constants/errors.js': `
      globalThis.read = (globalThis.read ?? 0) + 1; exports.ER_DUP_ENTRY = 1062; exports[1062] = 'ER_DUP_ENTRY';`,
  });
  for (const round of [1, 2, 3])
    expect([round, JSON.parse(run())]).toEqual([round, ['unread', 'ER_DUP_ENTRY', 1062, 'none', 1]]);
  expect(writesNothing()).toBe(true);
});

test('the list of media types is read when one is asked for', () => {
  write({
    'dist/main.js': `
      const { lookup } = require('mime-types'), types = require('mime-types');
      const before = globalThis.read;
      const answers = [lookup('a.txt'), types.lookup('b'), types.types.txt, 'lookup' in types, Object.keys(types), { ...types }.types];
      types.lookup = (name) => 'all of ' + name;
      module.exports = [before ?? 'unread', ...answers, require('mime-types').lookup('c'), lookup('c'), globalThis.read];`,
    'node_modules/mime-types/index.js': `
      globalThis.read = (globalThis.read ?? 0) + 1;
      exports.types = require('./types.json');
      exports.lookup = (name) => exports.types[name.split('.')[1]] ?? false;`,
    'node_modules/mime-types/types.json': '{ "txt": "text/plain" }',
  });
  const types = { txt: 'text/plain' };
  const answers = ['text/plain', false, 'text/plain', true, ['types', 'lookup'], types];
  for (const round of [1, 2])
    expect([round, JSON.parse(run())]).toEqual([round, ['unread', ...answers, 'all of c', false, 1]]);
  expect(writesNothing()).toBe(true);
});

test('a list of media types that fails is read again', () => {
  write({
    'dist/main.js': `
      const { lookup } = require('mime-types');
      const attempt = () => { try { return lookup('a'); } catch (error) { return error.message; } };
      module.exports = [attempt(), attempt()];`,
    'node_modules/mime-types/index.js': `
      globalThis.tried = (globalThis.tried ?? 0) + 1;
      if (globalThis.tried < 2) throw new Error('refused');
      exports.lookup = () => 'found';`,
  });
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, '["refused","found"]']);
});
