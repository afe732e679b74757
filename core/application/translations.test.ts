import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTranslations, type Translations } from './translations';

let folder: string;
let translations: Translations;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-translations-'));
  translations = createTranslations(join(folder, 'kept'), { heddle: () => ({ one: 1 }) });
});
afterEach(() => rmSync(folder, { recursive: true }));

const source = (text: string, file = '/app/config/server.ts') => ({ file, text });

test('a translation is run in place of its source, with what it may ask for', () => {
  const given = source('a source');
  expect(translations.run(given)).toBeUndefined();
  translations.keep(
    given,
    'exports.default = [require("heddle").one, require("node:path").sep, __filename, __dirname];',
  );
  const exported = { default: [1, '/', '/app/config/server.ts', '/app/config'] };
  expect(translations.run(given)).toEqual({ exported });
  expect(translations.run(source('another source'))).toBeUndefined();
  expect(translations.run(source('a source', '/app/other/server.ts'))).toBeUndefined();
});

test('what a source was before is not kept beside what it is, that of its namesakes is', () => {
  const namesake = source('one', '/app/other/server.ts');
  for (const each of [source('one'), namesake, source('two')]) translations.keep(each, 'module.exports = 1;');
  expect(readdirSync(join(folder, 'kept'))).toHaveLength(2);
  expect(translations.run(source('two'))).toEqual({ exported: 1 });
  expect(translations.run(namesake)).toEqual({ exported: 1 });
});

test.each([
  'require("./other")',
  'require(name)',
  "require('node:path')",
  'require("constructor")',
  'jitiImport("node:path")',
  'await import("node:path")',
])('what needs the translator or other files is not kept: %s', (code) => {
  translations.keep(source('needs more'), `exports.x = require("node:path"); ${code};`);
  expect(translations.run(source('needs more'))).toBeUndefined();
});

test('a translation that a crash cut off is none', () => {
  translations.keep(source('whole'), 'exports.default = 1; exports.other = 2;');
  const [name] = readdirSync(join(folder, 'kept'));
  const place = join(folder, 'kept', name!);
  const content = readFileSync(place, 'utf8');
  for (const length of [0, 10, 20, content.length - 1]) {
    writeFileSync(place, content.slice(0, length));
    expect(translations.run(source('whole'))).toBeUndefined();
  }
});

test('mistakes are told with their place in the source', () => {
  translations.keep(source('throws'), '\n\nthrow new Error("no");');
  let stack = '';
  try {
    translations.run(source('throws'));
  } catch (error) {
    stack = (error as Error).stack!;
  }
  expect(stack).toContain('/app/config/server.ts:3:7');
});

test('where nothing can be written, that is told', () => {
  writeFileSync(join(folder, 'kept'), '');
  expect(() => translations.keep(source('x'), 'exports.x = 1;')).toThrow('EEXIST');
});
