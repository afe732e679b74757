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
  expect(translations.kept(given)).toBeUndefined();
  const code = 'exports.default = [require("heddle").one, require("node:path").sep, __filename, __dirname];';
  translations.keep(given, code);
  expect(translations.kept(given)).toBe(code);
  expect(translations.run(given, code)).toEqual({ default: [1, '/', '/app/config/server.ts', '/app/config'] });
  expect(translations.kept(source('another source'))).toBeUndefined();
  expect(translations.kept(source('a source', '/app/other/server.ts'))).toBeUndefined();
});

test('what a source was before is not kept beside what it is, that of its namesakes is', () => {
  const namesake = source('one', '/app/other/server.ts');
  for (const each of [source('one'), namesake, source('two')]) translations.keep(each, `// ${each.text}`);
  expect(readdirSync(join(folder, 'kept'))).toHaveLength(2);
  expect(translations.kept(source('two'))).toBe('// two');
  expect(translations.kept(namesake)).toBe('// one');
});

test('what asks for what it is given stands alone', () => {
  expect(translations.standsAlone('exports.x = [require("node:path"), require("heddle")];')).toBe(true);
});

test.each([
  'require("./other")',
  'require(name)',
  "require('node:path')",
  'require("constructor")',
  'jitiImport("node:path")',
  'await import("node:path")',
  'exports.__JITI_ERROR__ = {}',
])('what needs the translator or other files does not: %s', (code) => {
  expect(translations.standsAlone(`exports.x = require("node:path"); ${code};`)).toBe(false);
});

test('a translation that a crash cut off is none', () => {
  translations.keep(source('whole'), 'exports.default = 1; exports.other = 2;');
  const [name] = readdirSync(join(folder, 'kept'));
  const place = join(folder, 'kept', name!);
  const content = readFileSync(place, 'utf8');
  for (const length of [0, 10, 20, content.length - 1]) {
    writeFileSync(place, content.slice(0, length));
    expect(translations.kept(source('whole'))).toBeUndefined();
  }
});

test('mistakes are told with their place in the source', () => {
  let stack = '';
  try {
    translations.run(source('throws'), '\n\nthrow new Error("no");');
  } catch (error) {
    stack = (error as Error).stack!;
  }
  expect(stack).toContain('/app/config/server.ts:3:7');
});

test('where nothing can be written, that is told', () => {
  writeFileSync(join(folder, 'kept'), '');
  expect(() => translations.keep(source('x'), 'exports.x = 1;')).toThrow('EEXIST');
});
