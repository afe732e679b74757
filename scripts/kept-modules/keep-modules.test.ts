import { chmodSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { all, place, run, write, writesNothing } from './kept-place.fixture';

test('what one run loaded, the next one finds kept', () => {
  expect(run()).toBe(all);
  expect(run()).toBe(all);
  expect(writesNothing()).toBe(true);
});

test('a file that has changed is loaded as it is, of the same length or not', () => {
  run();
  write({ 'dist/part.js': `module.exports = 'A PART';`, 'dist/data.json': '{ "x": 2 }' });
  expect(run()).toBe('["A PART","a pack",2]');
  expect(writesNothing()).toBe(true);
});

test('a module that has moved is found', () => {
  run();
  rmSync(join(place.root, 'dist/part.js'));
  write({ 'dist/part/index.js': `module.exports = 'moved';` });
  expect(run()).toBe('["moved","a pack",1]');
});

test('packages are looked for again where some were installed', () => {
  run();
  write({ 'dist/node_modules/pack/index.js': `module.exports = 'nearer';`, 'node_modules/.package-lock.json': '{ }' });
  expect(run()).toBe('["a part","nearer",1]');
});

test('what is no longer loaded is no longer kept', () => {
  run();
  const { size } = statSync(place.file);
  write({ 'dist/main.js': `module.exports = [require('./part')];` });
  expect(run()).toBe('["a part"]');
  expect(statSync(place.file).size).toBeLessThan(size);
});

test('what some runs load and others do not is kept, if it is about half', () => {
  const parts = Array.from({ length: 20 }, (_, at) => `./parts/${at}`);
  write({
    'dist/main.js': `for (const part of ${JSON.stringify(parts)}) require(part); module.exports = process.argv.slice(3).map((id) => require(id));`,
    ...Object.fromEntries(parts.map((part) => [`dist/${part}.js`, ''])),
  });
  expect(run('./part')).toBe('["a part"]');
  for (const ids of [[], ['./part'], []]) expect(writesNothing(...ids)).toBe(true);
  expect(writesNothing('./part', 'pack')).toBe(false);
  expect(writesNothing('./part', 'pack')).toBe(true);
  const others = Array.from({ length: 40 }, (_, at) => `./other${at}`);
  write(Object.fromEntries(others.map((other) => [`dist/${other}.js`, ''])));
  run(...others.slice(0, 20));
  expect(writesNothing()).toBe(true);
  run(...others);
  expect(writesNothing()).toBe(false);
  expect(writesNothing()).toBe(true);
});

test('a damaged file is none', () => {
  run();
  const content = readFileSync(place.file);
  for (const damaged of [Buffer.alloc(0), content.subarray(0, 100), content.fill(0, content.length - 400)]) {
    writeFileSync(place.file, damaged);
    expect(run()).toBe(all);
    expect(writesNothing()).toBe(true);
  }
});

test('of a file that is damaged in one place, all else is used', () => {
  run();
  const content = readFileSync(place.file);
  content.write('A', content.indexOf(`'a part'`) + 1);
  writeFileSync(place.file, content);
  expect(run()).toBe(all);
  expect(writesNothing()).toBe(true);
});

test('a module is kept that is longer than what is read at once', () => {
  const long = JSON.stringify('long '.repeat(100_000));
  write({ 'dist/part.js': `module.exports = ${long}.length;` });
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, '[500000,"a pack",1]']);
  expect(writesNothing()).toBe(true);
});

test('a file that others may write is not believed', () => {
  run();
  chmodSync(place.file, 0o622);
  expect(writesNothing()).toBe(false);
  expect(statSync(place.file).mode & 0o777).toBe(0o600);
  expect(writesNothing()).toBe(true);
});

test('code that V8 made under other flags is made anew', () => {
  run();
  expect(writesNothing('--no-opt')).toBe(false);
  expect(writesNothing('--no-opt')).toBe(true);
});

test('what others put in the way of modules stays there', () => {
  place.hooked = 'yes';
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, `${all}\ntrue`]);
});

test('nothing is kept where others have a say in how modules are loaded', () => {
  expect(run('--enable-source-maps')).toBe(all);
  expect(existsSync(place.file)).toBe(false);
});

test('a module that is not there is missed at each start, whatever its name', () => {
  write({ 'dist/main.js': `module.exports = [require('./part')]; require('constructor');` });
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, "Error: Cannot find module 'constructor'"]);
});

test('what was left unfinished is removed', () => {
  run();
  const [old, young] = [`${place.file}.old`, `${place.file}.young`];
  for (const path of [old, young]) writeFileSync(path, '');
  utimesSync(old, 0, 0);
  write({ 'dist/part.js': `module.exports = 'new';` });
  run();
  expect([old, young].map((path) => existsSync(path))).toEqual([false, true]);
});

test('one module is one, whoever asks for it, also in a circle', () => {
  write({
    'dist/main.js': `const { part } = require('./part'); part.count++; import('./later.mjs').then(({ default: x }) => console.log(x)); module.exports = require('./part').ends;`,
    'dist/part.js': `exports.part = { count: 1 }; exports.ends = require('./end');`,
    'dist/end.js': `const { part } = require('./part'); module.exports = [part.count, module.parent?.filename.endsWith('part.js'), module.paths[0].endsWith('node_modules')];`,
    'dist/later.mjs': `import { part } from './part.js'; export default part.count;`,
  });
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, '[1,true,true]\n2']);
});

test('a module that fails is tried again', () => {
  write({
    'dist/main.js': `const count = () => { try { return require('./part'); } catch { return 'failed'; } }; module.exports = [count(), count()];`,
    'dist/part.js': `globalThis.times = (globalThis.times ?? 0) + 1; if (times === 1) throw new Error(); module.exports = times;`,
  });
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, '["failed",2]']);
});

test('only what a file holds is kept under its name', () => {
  place.hooked = '';
  write({
    'dist/main.js': `const { Module } = require('node:module'); const file = __dirname + '/part.js';
      const foreign = new Module(file); foreign.filename = file;
      if (!process.env.HOOKED) foreign._compile("module.exports = 'foreign'", file);
      const virtual = new Module('x'); virtual._compile('module.exports = 2', file);
      module.exports = [process.env.HOOKED ? require('./part') : foreign.exports, virtual.exports];`,
  });
  expect(run()).toBe('["foreign",2]');
  place.hooked = 'yes';
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, '["a part",2]\ntrue']);
});

test('text that others have changed is not kept', () => {
  write({
    'dist/main.js': `const { Module } = require('node:module'); const { _compile } = Module.prototype;
      Module.prototype._compile = function (source, ...rest) { return _compile.call(this, source.replace('a part', process.argv[3] ?? 'x'), ...rest); };
      module.exports = require('./part'); Module.prototype._compile = _compile;`,
  });
  for (const word of ['one', 'two', 'two']) expect(run(word)).toBe(JSON.stringify(word));
  write({ 'dist/main.js': `module.exports = require('./part');` });
  expect(run()).toBe('"a part"');
});

/** Whether the code of a part like that is kept; its text is in the file where it is. */
function isCodeKept(part: string): boolean {
  write({ 'dist/part.js': `${part}\nmodule.exports = 'a part';` });
  expect(run()).toBe(all);
  return readFileSync(place.file, 'latin1').includes(part.split('\n').at(-1)!);
}

test.each([
  `/** @type {import('.').Part} */`,
  `/**\n * @param {typeof import ('./part') & {\n *  req: import('http').IncomingMessage }} part\n */ const two = 1 + 1;`,
  `/** @typedef {typeof import ('./part') & {\n *  part: import("./part").Part } } Whole */ const three = 3;`,
  `const part = /** @type {Exclude<import('.'), false>} */ (1);`,
  `// All that one may import.`,
])('code whose notes on types name other files is kept: %s', (part) => {
  expect(isCodeKept(part)).toBe(true);
  expect(writesNothing()).toBe(true);
});

test.each([
  `const later = () => import('./later');`,
  `const later = () => import /* soon */ ('./later');`,
  `/** @type {import('.').Part} */ const later = () => import('./later');`,
  `const later = { *all() { yield import\n('./later'); } };`,
  `const text = '@type {'; const later = () => import('./later'); // }`,
  `const text = '@media {' + (() => import('./later')) + '}';`,
  'const text = `\n/** `; const later = () => import("./later"); // */',
  `const text = \`\n/** a\n * \${() => import("./later")}\n */\`;`,
  `const text = '/** '; const later = () => import('./later'); // */`,
])('code that loads others later is not kept: %s', (part) => {
  expect(isCodeKept(part)).toBe(false);
});

test('modules know what they have loaded', () => {
  write({
    'dist/main.js': `require('./part'); require('./both'); let failure; try { require('./failing'); } catch (error) { failure = error.message; }
      module.exports = [failure, ...module.children.map(({ id, children }) => [id.split('/').at(-1), children.length])];`,
    'dist/both.js': `require('./part');`,
    'dist/failing.js': `throw new Error('on purpose');`,
  });
  for (const round of [1, 2]) expect([round, run()]).toEqual([round, '["on purpose",["part.js",0],["both.js",1]]']);
});

test('mistakes and ES modules are what they are without it', () => {
  write({
    'dist/main.js': `module.exports = [require('./broken')];`,
    'dist/broken.js': 'const x = ;',
  });
  expect(run()).toBe("SyntaxError: Unexpected token ';'");
  write({
    'dist/main.js': `import('./later.mjs').then(({ default: x }) => console.log(x)); module.exports = require('./now.mjs').default;`,
    'dist/now.mjs': `export default import.meta.url.endsWith('now.mjs');`,
    'dist/later.mjs': `export default import.meta.url.endsWith('later.mjs');`,
  });
  for (const round of [1, 2]) expect([round, run().split('\n(node')[0]]).toEqual([round, 'true\ntrue']);
});

test('where nothing can be written, all is as it is without it', () => {
  write({ cache: '' });
  expect(run()).toBe(`${all}\nnot kept: EEXIST`);
});
