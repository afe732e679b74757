import { featureWords } from './feature-words';
import { fileLengths } from './file-lengths';
import { crossedBoundaries } from './import-boundaries';
import { importCycles } from './import-cycles';
import type { Source } from './sources';

const source = (path: string, ...lines: string[]): Source => ({ path, text: `${lines.join('\n')}\n` });

test('a word of a feature is found in core, outside its tests, in any case', () => {
  const found = featureWords([
    source('core/a.ts', 'const a = 1;', 'const defaultLocale = 2;'),
    source('core/b.ts', '// as Knex has it'),
    source('core/c.test.ts', 'const locale = 1;'),
    source('plugins/sql/d.ts', 'const knex = 1;'),
  ]);
  expect(found).toEqual([
    'core/a.ts:2 says "Locale"; a plugin may, core may not.',
    'core/b.ts:1 says "Knex"; a plugin may, core may not.',
  ]);
});

const tree = [
  source('core/index.ts', "export { a } from './a';"),
  source('core/a.ts'),
  source('core/testing/help.ts'),
  source('plugins/shipped.ts'),
  source('plugins/one/index.ts'),
  source('plugins/one/inside.ts'),
];

test.each([
  ['core/b.ts', "import one from '../plugins/one';", 'core stands on nothing but itself'],
  ['core/b.ts', "const one = require('../plugins/one/inside');", 'core stands on nothing but itself'],
  ['plugins/two/index.ts', "import { a } from '../../core/a';", 'plugins use core through core/index.ts'],
  ['plugins/two/index.ts', "import { a } from '../../core/testing/help';", 'plugins use core through core/index.ts'],
  ['plugins/two/index.ts', "import x from '../one/inside';", "plugins use each other's index.ts"],
  ['plugins/two/index.ts', "import x from '../../conformance/runner/run';", 'plugins use core and each other'],
  ['conformance/runner/run.ts', "import { a } from '../../core';", 'the runner knows no implementation'],
  ['scripts/cli.ts', "import x from '../plugins/one/inside';", 'a plugin is used through its index.ts'],
  [
    'plugins/examples/red/index.ts',
    "import { a } from '../../../core';",
    "examples use Heddle by its name, 'heddle', and no other plugin",
  ],
  [
    'plugins/examples/red/red.test.ts',
    "import one from '../../one';",
    "examples use Heddle by its name, 'heddle', and no other plugin",
  ],
  [
    'plugins/examples/red/index.ts',
    "import blue from '../blue';",
    "examples use Heddle by its name, 'heddle', and no other plugin",
  ],
  ['config/sample/index.ts', "import { a } from '../../core';", "applications use Heddle by its name, 'heddle'"],
])('%s with %s crosses a boundary', (path, line, reason) => {
  expect(crossedBoundaries([...tree, source(path, line)])).toEqual([expect.stringContaining(`: ${reason}.`)]);
});

test.each([
  ['plugins/two/index.ts', "import { a } from '../../core';"],
  ['plugins/two/index.ts', "import one from '../one';"],
  ['plugins/two/index.test.ts', "import { help } from '../../core/testing/help';"],
  ['plugins/one/index.ts', "import x from './inside';"],
  ['plugins/examples/red/index.ts', "import x from './inside';"],
  ['plugins/one/config.ts', "declare module '../../core/types' {}"],
  ['plugins/shipped.ts', "const one = () => require('./one').default;"],
  ['scripts/cli.ts', "import one from '../plugins/one';"],
  ['scripts/cli.ts', "import { shipped } from '../plugins/shipped';"],
  ['scripts/cli.test.ts', "import x from '../plugins/one/inside';"],
  ['conformance/conformance.test.ts', "import { a } from '../core';"],
])('%s with %s crosses none', (path, line) => {
  expect(crossedBoundaries([...tree, source(path, line)])).toEqual([]);
});

test('a cycle of files that load each other is found; types and what is asked for later make none', () => {
  const ring = (last: string) => [
    source('core/a.ts', "import { b } from './b';"),
    source('core/b.ts', "import { c, type C } from './c';"),
    source('core/c.ts', last),
  ];
  expect(importCycles(ring("export { a } from './a';"))).toEqual([
    'core/a.ts → core/b.ts → core/c.ts → core/a.ts: these files import each other.',
  ]);
  expect(importCycles(ring("import type { A } from './a';"))).toEqual([]);
  expect(importCycles(ring("import { type A, type B } from './a';"))).toEqual([]);
  expect(importCycles(ring("const a = () => require('./a');"))).toEqual([]);
});

test('the median length is told, and what is too long', () => {
  const of = (path: string, lines: number) => source(path, ...Array.from({ length: lines }, () => 'x'));
  const report = fileLengths([of('a.ts', 10), of('b.ts', 20), of('c.ts', 301), of('d.test.ts', 900)]);
  expect(report).toEqual({ median: 20, longest: 'c.ts (301)', tooLong: ['c.ts has 301 lines.'] });
});
