import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import { createTranslations, type Source } from './translations';
import { createTranslator, type Translator } from './translator';

/** Reads what a file exports, whatever its language: TypeScript and ES modules are translated by what is loaded late. */
export type ModuleLoader = (file: string) => unknown;

export const moduleExtensions = ['.ts', '.js', '.cjs', '.mjs', '.json'] as const;

const needsTranslation = (error: unknown): boolean => {
  const { name, code } = error as NodeJS.ErrnoException;
  return name === 'SyntaxError' || code === 'ERR_REQUIRE_ESM';
};

/** The default export of an ES module, or what a CommonJS module exports. */
const main = (exported: unknown): unknown => {
  const module = exported as { __esModule?: boolean; default?: unknown } | null | undefined;
  if (module?.default === undefined) return exported;
  const isNamespace = module.__esModule || Object.prototype.toString.call(module) === '[object Module]';
  return isNamespace || Object.keys(module).length === 1 ? module.default : exported;
};

function isStrapiProject(appDir: string): boolean {
  try {
    const { dependencies } = JSON.parse(readFileSync(join(appDir, 'package.json'), 'utf8'));
    return dependencies?.['@strapi/strapi'] !== undefined;
  } catch {
    return false;
  }
}

export function createModuleLoader(appDir: string, dataDir: string): ModuleLoader {
  const native = createRequire(join(appDir, 'package.json'));
  const compiled = isStrapiProject(appDir) ? join(appDir, 'dist') : undefined;
  // `heddle` means this very core, so that a plugin's errors and tokens are ours wherever the plugin lives.
  const heddle = (): object => require('../index');
  const translations = createTranslations(join(dataDir, 'cache', 'translations'), { heddle });
  let translator: Translator | undefined;

  /**
   * Existing projects compile `config/x.ts` to `dist/config/x.js`, and write paths that count from there, up to that of
   * their database.
   */
  function sourceOf(file: string): string {
    const source = readFileSync(file, 'utf8');
    const path = relative(appDir, file);
    if (!compiled || extname(file) !== '.ts' || path.split(sep)[0] !== 'config') return source;
    return `var __dirname = ${JSON.stringify(dirname(join(compiled, path)))}; ${source}`;
  }

  function translate(source: Source): unknown {
    translator ??= createTranslator(appDir, join(dataDir, 'cache', 'modules'), { heddle: heddle() });
    const code = translator.translate(source);
    if (!translations.standsAlone(code)) return translator.run(source);
    try {
      translations.keep(source, code);
    } catch (error) {
      // Where nothing can be written, the next start translates it again.
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    }
    return translations.run(source, code);
  }

  const translated: ModuleLoader = (file) => {
    const source = { file, text: sourceOf(file) };
    const known = translations.kept(source);
    return main(known === undefined ? translate(source) : translations.run(source, known));
  };

  return (file) => {
    if (!['.js', '.cjs', '.json'].includes(extname(file))) return translated(file);
    try {
      return main(native(file));
    } catch (error) {
      if (extname(file) === '.json' || !needsTranslation(error)) throw error;
      return translated(file);
    }
  };
}
