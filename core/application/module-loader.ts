import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

/** Reads what a file exports, whatever its language: TypeScript and ES modules go through jiti, which is loaded late. */
export type ModuleLoader = (file: string) => unknown;

export const moduleExtensions = ['.ts', '.js', '.cjs', '.mjs', '.json'] as const;

const needsJiti = (error: unknown): boolean => {
  const { name, code } = error as NodeJS.ErrnoException;
  return name === 'SyntaxError' || code === 'ERR_REQUIRE_ESM';
};

/** The default export of an ES module, or what a CommonJS module exports. */
const main = (exported: unknown): unknown => {
  const module = exported as { __esModule?: boolean; default?: unknown } | null | undefined;
  return module?.default !== undefined && (module.__esModule || Object.keys(module).length === 1)
    ? module.default
    : exported;
};

export function createModuleLoader(appDir: string, dataDir: string): ModuleLoader {
  const native = createRequire(join(appDir, 'package.json'));
  let jiti: ReturnType<typeof import('jiti').createJiti> | undefined;

  const throughJiti: ModuleLoader = (file) => {
    // `heddle` means this very core, so that a plugin's errors and tokens are ours wherever the plugin lives.
    jiti ??= (require('jiti') as typeof import('jiti')).createJiti(join(appDir, 'package.json'), {
      fsCache: join(dataDir, 'cache', 'modules'),
      interopDefault: false,
      virtualModules: { heddle: require('../index') },
    });
    return main(jiti(file));
  };

  return (file) => {
    if (!['.js', '.cjs', '.json'].includes(extname(file))) return throughJiti(file);
    try {
      return main(native(file));
    } catch (error) {
      if (extname(file) === '.json' || !needsJiti(error)) throw error;
      return throughJiti(file);
    }
  };
}
