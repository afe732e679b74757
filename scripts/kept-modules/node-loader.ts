import Module from 'node:module';

export type Compile = (this: NodeJS.Module, source: string, filename: string, format?: unknown) => unknown;
export type Resolve = (request: string, parent: NodeJS.Module | undefined, isMain: boolean, options?: object) => string;

/** What Node lets be used and replaced, and its types leave out. */
export const loader = Module as unknown as {
  new (filename: string, parent: NodeJS.Module): NodeJS.Module;
  _load: unknown;
  _resolveFilename: Resolve;
  _resolveLookupPaths(request: string, parent: NodeJS.Module): string[] | null;
  _nodeModulePaths(folder: string): string[];
  _extensions: Record<string, (module: NodeJS.Module, filename: string) => unknown>;
  _cache: NodeJS.Dict<NodeJS.Module>;
  prototype: { require: unknown; _compile: Compile };
};

/** Whether somebody else has a say in how modules are loaded, or the files are not known to be one's own. */
export const isOthers = (): boolean =>
  !process.getuid ||
  /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader|--enable-source-maps)\b/.test(
    [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
  );

const before = '(function (exports, require, module, __filename, __dirname) { ';

/** The function that a module's file is. */
export const wrapped = (source: string): string => `${before}${source}\n});`;
/** By how much that moves its first line. */
export const columnOffset = -before.length;

/**
 * Comments that begin with two stars and describe types, which name other files by `import('…')`. Texts that look like the
 * beginning of one are none: no other quote stands in the first line, and all further ones begin with a star.
 */
const typeNotes =
  /\/\*\*(?=\s)(?:[^*'"`$\n]|import\s*\((?:'[^'"\n]*'|"[^'"\n]*")\))*(?:\n[ \t]*\*(?!\/)(?:(?!\*\/|\$\{)[^\n])*)*(?:\n[ \t]*)?\*\//g;

/** Some versions of V8 forget, of code that they are given, what `import()` in it needs. */
export const importsLater = (source: string): boolean =>
  /\bimport\s*(?:\(|\/[*/]|\.\s*(?:source\b|defer\b|\/))/.test(source.replace(typeNotes, ''));

export type Body = (...given: [unknown, NodeJS.Require, NodeJS.Module, string, string]) => unknown;

/** The `require` of a module that was not compiled by Node. */
export function requireOf(module: NodeJS.Module, load: (id: string) => unknown): NodeJS.Require {
  const require = load as NodeJS.Require;
  const resolve = (request: string, options?: object) => loader._resolveFilename(request, module, false, options);
  const paths = (request: string) => loader._resolveLookupPaths(request, module);
  require.resolve = Object.assign(resolve, { paths });
  require.main = process.mainModule;
  require.extensions = loader._extensions as NodeJS.Require['extensions'];
  require.cache = loader._cache;
  return require;
}
