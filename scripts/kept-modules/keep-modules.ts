import { readFileSync, statSync } from 'node:fs';
import Module from 'node:module';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import { constants, Script } from 'node:vm';
import { type KeptFile, nothingKept, type Paths, readKept, writeKept } from './kept-file';

type Load = (this: NodeJS.Module, source: string, filename: string, format?: unknown) => unknown;
type Resolve = (request: string, parent: NodeJS.Module | undefined, isMain: boolean, options?: object) => string;

/** What Node lets be replaced, and its types leave out. */
const loader = Module as unknown as {
  _resolveFilename: Resolve;
  _extensions: Record<string, (module: NodeJS.Module, filename: string) => unknown>;
  _cache: NodeJS.Require['cache'];
  prototype: { _compile: Load };
};

const wrapper = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'] as const;
type Body = (...given: [unknown, NodeJS.Require, NodeJS.Module, string, string]) => unknown;

/** Where the files of packages lie, this one's among them. */
export const packageFolders = (root: string): string[] => {
  const packages = `${sep}node_modules${sep}`;
  const at = `${root}${sep}`.indexOf(packages);
  return [`${join(root, 'dist')}${sep}`, at < 0 ? `${root}${packages}` : root.slice(0, at) + packages];
};

const stampOf = (path: string): string => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ctimeMs} ${stat.size}` : '';
};

/** What installs packages writes one of these at the end. */
const records = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

/** What is as before where a module means the same files as before, and V8 the same code. */
const keyOf = (folders: readonly string[]): string =>
  JSON.stringify([
    process.version,
    process.arch,
    process.execArgv,
    process.env['NODE_OPTIONS'],
    process.env['NODE_PATH'],
    stampOf(__filename),
    folders,
    folders.flatMap((folder) => records.map((record) => stampOf(join(folder, record)))),
  ]);

function requireOf(module: NodeJS.Module): NodeJS.Require {
  const require = ((id: string) => module.require(id)) as NodeJS.Require;
  const resolve = (request: string, options?: object) => loader._resolveFilename(request, module, false, options);
  const paths = (request: string) =>
    (
      Module as unknown as { _resolveLookupPaths(request: string, parent: NodeJS.Module): string[] | null }
    )._resolveLookupPaths(request, module);
  require.resolve = Object.assign(resolve, { paths });
  require.main = process.mainModule;
  require.extensions = loader._extensions as NodeJS.Require['extensions'];
  require.cache = loader._cache;
  return require;
}

/** Some versions of V8 forget, of code that they are given, what `import()` in it needs. */
const importsLater = (source: string): boolean => /\bimport\b(?!\s*[\w$*{'"])/.test(source);

export interface KeptModules {
  /** Ends with the start: what is loaded later is not kept. Writes what the next start does not find kept already. */
  keep(): Promise<void>;
}

/** Whether somebody else has a say in how modules are loaded, or the files are not known to be one's own. */
const isOthers = (): boolean =>
  !process.getuid ||
  /(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader|--enable-source-maps)\b/.test(
    [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
  );

/** How many scripts are looked at before requests get their turn. */
const atOnce = 20;

/**
 * Keeps, in a file, the code that V8 made of modules and the paths that Node found for them, so that the next start need
 * neither compile nor look for them. Only what lies in those folders is kept; an application's own files may change.
 */
export function keepModules(file: string, folders: readonly string[]): KeptModules {
  if (isOthers()) return { keep: async () => undefined };
  const key = keyOf(folders);
  let kept = readKept(file, key);
  const stamps = new Map<string, string>();
  const scripts = new Map<string, Script>();
  const paths: Paths = {};
  const original = {
    resolve: loader._resolveFilename,
    compile: loader.prototype._compile,
    script: loader._extensions['.js']!,
  };
  let isAsBefore = true;
  let isOver = false;

  const isOurs = (path: string): boolean => folders.some((folder) => path.startsWith(folder));

  function unchanged(path: string): KeptFile | undefined {
    const stamp = stamps.get(path) ?? stampOf(path);
    stamps.set(path, stamp);
    const known = kept.files.get(path);
    return known?.stamp === stamp ? known : undefined;
  }

  const resolve: Resolve = (request, parent, isMain, options) => {
    const folder = parent?.filename && dirname(parent.filename);
    if (isOver || !folder || options || !isOurs(`${folder}${sep}`))
      return original.resolve.call(Module, request, parent, isMain, options);
    const found = kept.paths[folder];
    const known = found && Object.hasOwn(found, request) ? found[request] : undefined;
    const isGood = known !== undefined && unchanged(known);
    const path = isGood ? known : original.resolve.call(Module, request, parent, isMain);
    if (isAbsolute(path) && isOurs(path)) {
      isAsBefore &&= Boolean(isGood);
      paths[folder] ??= {};
      paths[folder][request] = path;
      unchanged(path);
    }
    return path;
  };

  function scriptOf(source: string, filename: string, code: Buffer | undefined): Script | undefined {
    try {
      return new Script(wrapper.join(source), {
        filename,
        columnOffset: -wrapper[0].length,
        cachedData: code,
        importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
    } catch {
      // An ES module, or a mistake that Node describes better.
      return undefined;
    }
  }

  const compile: Load = function (source, filename, format) {
    const isScript = !isOver && isOurs(filename) && /\.c?js$/.test(filename) && (!format || format === 'commonjs');
    const known = isScript ? unchanged(filename) : undefined;
    const isKept = isScript && (known ? known.code !== undefined : !importsLater(source));
    const script = isKept ? scriptOf(source, filename, known?.code) : undefined;
    if (!script) return original.compile.call(this, source, filename, format);
    isAsBefore &&= script.cachedDataRejected === false;
    scripts.set(filename, script);
    const body = script.runInThisContext() as Body;
    return body.call(this.exports, this.exports, requireOf(this), this, filename, dirname(filename));
  };

  /** Node would look for the package of the file, to learn which kind of module it is. */
  const script = (module: NodeJS.Module, filename: string): unknown => {
    if (isOver || !isOurs(filename) || !unchanged(filename)?.code) return original.script(module, filename);
    return (module as NodeJS.Module & { _compile: Load })._compile(readFileSync(filename, 'utf8'), filename);
  };

  loader._resolveFilename = resolve;
  loader.prototype._compile = compile;
  loader._extensions['.js'] = script;

  /** Who has taken a place since then keeps it, and calls what does nothing any more. */
  function stepBack(): void {
    isOver = true;
    if (loader._resolveFilename === resolve) loader._resolveFilename = original.resolve;
    if (loader.prototype._compile === compile) loader.prototype._compile = original.compile;
    if (loader._extensions['.js'] === script) loader._extensions['.js'] = original.script;
  }

  async function codes(): Promise<Map<string, KeptFile>> {
    const files = new Map<string, KeptFile>();
    for (const [path, stamp] of stamps) {
      const code = scripts.get(path)?.createCachedData();
      files.set(path, { stamp, ...(code && { code }) });
      if (files.size % atOnce === 0) await pause();
    }
    return files;
  }

  return {
    async keep() {
      stepBack();
      const isNews = !isAsBefore || stamps.size !== kept.files.size;
      kept = nothingKept;
      if (isNews) await writeKept(file, key, { paths, files: await codes() });
      scripts.clear();
    },
  };
}
