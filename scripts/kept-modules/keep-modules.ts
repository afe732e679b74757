import { statSync } from 'node:fs';
import Module from 'node:module';
import { dirname, isAbsolute, join, sep } from 'node:path';
import { constants, Script } from 'node:vm';
import { discard } from './discard';
import { type KeptFile, type KnownFile, type Meaning, type Meant, nothingKept, readKept, writeKept } from './kept-file';
import {
  type Body,
  type Compile,
  columnOffset,
  importsLater,
  isOthers,
  loader,
  type Resolve,
  requireOf,
  wrapped,
} from './node-loader';
import { type StandIn, standInFor } from './stand-ins';

const stampOf = (path: string): string => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.ctimeMs} ${stat.size}` : '';
};

/** What installs packages writes one of these at the end. */
const records = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

/** To be raised when what is kept comes to be written otherwise. */
const format = 3;

/** What is as before where a module means the same files as before, and V8 the same code. */
const keyOf = (folders: readonly string[]): string =>
  JSON.stringify([
    format,
    process.version,
    process.arch,
    process.execArgv,
    process.env['NODE_OPTIONS'],
    process.env['NODE_PATH'],
    stampOf(__filename),
    folders,
    folders.flatMap((folder) => records.map((record) => stampOf(join(folder, record)))),
  ]);

export interface KeptModules {
  /** Ends with the start: what is loaded later is not kept. Writes what the next start does not find kept already. */
  keep(): Promise<void>;
}

/**
 * The part of what is kept that a start has to load: first requests, which may come during it, load more, or do not come, and
 * a start that makes tables loads nearly twice what later ones do. To keep anew takes time just when first requests come.
 */
const leastUsed = 0.4;

/**
 * Keeps, in a file, modules, the code that V8 made of them and the paths that Node found for them, so that the next start
 * need neither read nor compile nor look for them. Only what lies in those folders is kept; an application's own files may
 * change.
 */
export function keepModules(file: string, folders: readonly string[]): KeptModules {
  if (isOthers()) return { keep: async () => undefined };
  const key = keyOf(folders);
  let kept = readKept(file, key);
  const keptFiles = new Map(kept.files.map((each) => [each.path, each]));
  const stamps = new Map<string, string>();
  const scripts = new Map<string, { readonly script: Script; readonly text: string }>();
  const lookups = new Map<string, string[]>();
  /** What modules were found to mean that was not kept. */
  const news: Meaning[] = [];
  const original = {
    require: loader.prototype.require,
    load: loader._load,
    resolve: loader._resolveFilename,
    compile: loader.prototype._compile,
    script: loader._extensions['.js']!,
  };
  let isAsBefore = true;
  let isOver = false;

  const isOurs = (path: string): boolean => folders.some((folder) => path.startsWith(folder));

  /** Taken before a file is read. */
  function stampNow(path: string): string {
    const stamp = stamps.get(path) ?? stampOf(path);
    stamps.set(path, stamp);
    return stamp;
  }

  /** By the place of a kept file: whether it is what it was. */
  const unchanged: (boolean | undefined)[] = [];

  function isUnchanged({ at, path, stamp }: KeptFile): boolean {
    unchanged[at] ??= stampNow(path) === stamp;
    return unchanged[at];
  }

  /** The file that was meant before, if it still is what it was. */
  function foundBefore(meant: Meant | undefined, request: string): KeptFile | undefined {
    // For `constructor` and its like, `meant` answers a function, which is no place in the list.
    const file = meant && kept.files[meant[request]!];
    return file && isUnchanged(file) ? file : undefined;
  }

  const resolve: Resolve = (request, parent, isMain, options) => {
    const folder = parent?.filename && dirname(parent.filename);
    if (isOver || !folder || options || !isOurs(`${folder}${sep}`))
      return original.resolve.call(Module, request, parent, isMain, options);
    const known = foundBefore(kept.meant[folder], request);
    if (known) return known.path;
    const path = original.resolve.call(Module, request, parent, isMain);
    if (isAbsolute(path) && isOurs(path)) {
      isAsBefore = false;
      news.push([folder, request, path]);
      stampNow(path);
    }
    return path;
  };

  function scriptOf(text: string, filename: string, code: Buffer | undefined): Script | undefined {
    try {
      const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
      return new Script(text, { filename, columnOffset, cachedData: code, importModuleDynamically });
    } catch {
      // An ES module, or a mistake that Node describes better.
      return undefined;
    }
  }

  function run(module: NodeJS.Module, script: Script, text: string): unknown {
    const { filename } = module;
    const folder = dirname(filename);
    isAsBefore &&= script.cachedDataRejected === false;
    scripts.set(filename, { script, text });
    const body = script.runInThisContext() as Body;
    const meant = kept.meant[folder];
    const require = requireOf(module, (id) => load(module, meant, id));
    return body.call(module.exports, module.exports, require, module, filename, folder);
  }

  /** Whether nobody has taken a place since, so that a file's text is what is run. */
  const isAlone = (): boolean =>
    loader.prototype.require === original.require &&
    loader._load === original.load &&
    loader._resolveFilename === resolve &&
    loader.prototype._compile === compile &&
    loader._extensions['.js'] === script;

  /** The module whose file Node is reading; whatever else it is given to compile is no file's text. */
  let read: NodeJS.Module | undefined;

  const compile: Compile = function (source, filename, format) {
    const isFile = this === read && this.filename === filename && !isOver && isAlone();
    read = undefined;
    const isScript = isFile && isOurs(filename) && /\.c?js$/.test(filename) && (!format || format === 'commonjs');
    const isKept = isScript && !importsLater(source);
    const text = wrapped(source);
    const script = isKept ? scriptOf(text, filename, undefined) : undefined;
    return script ? run(this, script, text) : original.compile.call(this, source, filename, format);
  };

  const runNow = (module: NodeJS.Module, filename: string): unknown => {
    const isFile = !isOver && isAlone() && (module as NodeJS.Module & { _compile: Compile })._compile === compile;
    if (isFile) stampNow(filename);
    const file = isFile ? keptFiles.get(filename) : undefined;
    const compiled = file && isUnchanged(file) ? kept.compiled(file) : undefined;
    const text = compiled?.text.toString();
    const script = text && scriptOf(text, filename, compiled!.code);
    if (script) return run(module, script, text);
    // Node would look for the package of the file, to learn which kind of module it is.
    read = isFile ? module : undefined;
    return original.script(module, filename);
  };

  const runWhenUsed = (parent: NodeJS.Module, filename: string, standIn: StandIn): void => {
    parent.exports = standIn(() => {
      const module = made(filename, parent);
      runNow(module, filename);
      return module.exports;
    });
  };

  const script = (module: NodeJS.Module, filename: string): unknown => {
    if (isOver || !isOurs(filename)) return original.script(module, filename);
    const standIn = standInFor(filename);
    return standIn ? runWhenUsed(module, filename, standIn) : runNow(module, filename);
  };

  function lookupsIn(folder: string): string[] {
    const known = lookups.get(folder) ?? loader._nodeModulePaths(folder);
    lookups.set(folder, known);
    return known;
  }

  function made(path: string, parent: NodeJS.Module): NodeJS.Module {
    const module = new loader(path, parent);
    module.filename = path;
    module.paths = lookupsIn(dirname(path));
    return module;
  }

  /** What Node does for a file that is neither loaded nor being loaded. */
  function loaded(path: string, parent: NodeJS.Module): unknown {
    const module = made(path, parent);
    loader._cache[path] = module;
    try {
      script(module, path);
      module.loaded = true;
    } finally {
      if (!module.loaded) {
        delete loader._cache[path];
        parent.children.splice(parent.children.indexOf(module), 1);
      }
    }
    return module.exports;
  }

  /** The quick way to what an earlier start has loaded, too. */
  function load(parent: NodeJS.Module, meant: Meant | undefined, request: string): unknown {
    const file = !isOver && isAlone() ? foundBefore(meant, request) : undefined;
    if (!file) return parent.require(request);
    const cached = loader._cache[file.path];
    const isQuick = cached ? cached.loaded : file.place || standInFor(file.path);
    if (!isQuick) return parent.require(request);
    if (!cached) return loaded(file.path, parent);
    if (!parent.children.includes(cached)) parent.children.push(cached);
    return cached.exports;
  }

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

  function* files(): Iterable<KnownFile> {
    for (const [path, stamp] of stamps) {
      const ran = scripts.get(path);
      const code = ran?.script.createCachedData();
      try {
        yield { path, stamp, compiled: code && { code, text: ran!.text } };
      } finally {
        // Also where it can't be written, and no other is asked for.
        if (code) discard(code);
      }
    }
  }

  /** What was meant before, of the files that were looked at and are what they were, and what is news. */
  function meanings(): Meaning[] {
    const before = Object.entries(kept.meant).flatMap(([folder, meant]) =>
      Object.entries(meant)
        .filter(([, at]) => unchanged[at])
        .map(([request, at]): Meaning => [folder, request, kept.files[at]!.path]),
    );
    return [...before, ...news];
  }

  function forget(): void {
    kept.close();
    kept = nothingKept;
    keptFiles.clear();
    stamps.clear();
    scripts.clear();
    news.length = 0;
  }

  return {
    async keep() {
      stepBack();
      const isNews = !isAsBefore || stamps.size < kept.files.length * leastUsed;
      try {
        if (isNews) await writeKept(file, key, { meanings: meanings(), files: files() });
      } finally {
        forget();
      }
    },
  };
}
