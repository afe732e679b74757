import { dirname, extname, join, sep } from 'node:path';
import type { Source } from './translations';

type Jiti = ReturnType<typeof import('jiti').createJiti>;

/** Makes of TypeScript and ES modules what Node runs. */
export interface Translator {
  /** What a source says, in JavaScript that requires what it needs. */
  translate(source: Source): string;
  /** What a source exports that needs more than it is given otherwise: what it imports may have to be translated itself. */
  run(source: Source): unknown;
}

/** Where the modules are that were loaded for this. */
let folder: string | undefined;

/** Babel changes how all errors are told, and would stay in memory by that. */
function keepingErrors<T>(work: () => T): T {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    return work();
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

const isTypeScript = /\.[cm]?tsx?$/;

/** `provided` are modules that sources may import by these names. */
export function createTranslator(appDir: string, fsCache: string, provided: Record<string, object>): Translator {
  folder = join(dirname(require.resolve('jiti')), '..', sep);
  const { createJiti } = require('jiti') as typeof import('jiti');
  const jiti: Jiti = createJiti(join(appDir, 'package.json'), { fsCache, virtualModules: provided });
  return {
    translate: ({ file, text }) =>
      keepingErrors(() => jiti.transform({ filename: file, source: text, ts: isTypeScript.test(file), async: false })),
    run: ({ file, text }) => jiti.evalModule(text, { id: file, filename: file, ext: extname(file), async: false }),
  };
}

/** Has Node let go of what translates, 9 MB, once nobody translates any more. Whoever does later has it loaded anew. */
export function forgetTranslator(): void {
  if (folder === undefined) return;
  const isPart = (path: string): boolean => path.startsWith(folder!);
  for (const path of Object.keys(require.cache).filter(isPart)) delete require.cache[path];
  module.children = module.children.filter(({ id }) => !isPart(id));
  folder = undefined;
}
