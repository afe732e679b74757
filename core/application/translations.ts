import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Module, { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { version } from '../version';

/** What a file of the application says, in its own words. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Translations of sources that need no other file of the application, kept from one start to the next. */
export interface Translations {
  /** The translation that is kept of a source. */
  kept(source: Source): string | undefined;
  /** Whether a translation needs nothing but what it is given here. */
  standsAlone(code: string): boolean;
  /** Keeps a translation that stands alone, in place of former ones. */
  keep(source: Source, code: string): void;
  /** What a source exports by a translation that stands alone. */
  run(source: Source, code: string): unknown;
}

/** All that a translation may ask for. What else it may have been given, and how mistakes are told, the translator knows. */
const asked = /\brequire\("([^"]+)"\)/g;
const others = /\b(?:require|import|jitiImport|jitiESMResolve|importMeta|__JITI_ERROR__)\b/;

const sumOf = (text: string): string => createHash('sha1').update(text).digest('hex');

/** Tells a whole translation from one that a crash cut off. */
const endOf = (code: string): string => `\n//${sumOf(code)}`;
const endLength = endOf('').length;

/** `provided` are modules that sources may import by these names. */
export function createTranslations(folder: string, provided: Readonly<Record<string, () => unknown>>): Translations {
  const isKnown = (id: string): boolean => Object.hasOwn(provided, id) || isBuiltin(id);

  const startOf = ({ file }: Source): string => `${basename(file)}.${sumOf(file).slice(0, 8)}.`;

  /** Another version of anything has another name. */
  const nameOf = (source: Source): string =>
    `${startOf(source)}${sumOf(JSON.stringify([version, process.version, source.text]))}.cjs`;

  return {
    kept(source) {
      let content: string;
      try {
        content = readFileSync(join(folder, nameOf(source)), 'utf8');
      } catch {
        return undefined;
      }
      const code = content.slice(0, -endLength);
      return content === code + endOf(code) ? code : undefined;
    },

    standsAlone: (code) => !others.test(code.replace(asked, (all, id: string) => (isKnown(id) ? '' : all))),

    run({ file: filename }, code) {
      const module = new Module(filename);
      Object.assign(module, { filename, loaded: true });
      const give = (id: string): unknown => (Object.hasOwn(provided, id) ? provided[id]!() : require(id));
      const body = compileFunction(code, ['exports', 'require', 'module', '__filename', '__dirname'], { filename });
      body.call(module.exports, module.exports, give, module, filename, dirname(filename));
      // Whoever imports the file is to share what is in it.
      require.cache[filename] = module;
      return module.exports;
    },

    keep(source, code) {
      const place = join(folder, nameOf(source));
      const unfinished = `${place}.${process.pid}`;
      mkdirSync(folder, { recursive: true });
      const former = readdirSync(folder).filter((name) => name.startsWith(startOf(source)));
      writeFileSync(unfinished, code + endOf(code), { mode: 0o600 });
      renameSync(unfinished, place);
      for (const name of former) if (join(folder, name) !== place) rmSync(join(folder, name), { force: true });
    },
  };
}
