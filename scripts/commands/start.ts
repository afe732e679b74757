import { join } from 'node:path';
import { keepModules } from '../kept-modules/keep-modules';
import { packageFolders, packageRoot } from '../package-root';
import { type FolderOptions, keepingFoldersOf } from './application-folder';
import { compileSlowly } from './compile-slowly';

export interface StartOptions extends FolderOptions {
  readonly port?: number;
  readonly host?: string;
  /** How many processes serve; one, without others around it, unless given. */
  readonly workers?: number;
}

/** Serves until told to stop. Only what is loaded behind `keepModules` is kept: nearly all, therefore, is loaded here. */
export async function start(options: StartOptions): Promise<number> {
  if (options.workers !== undefined) {
    const { startWorkers } = require('./workers') as typeof import('./workers');
    return startWorkers(options, options.workers);
  }
  const folders = keepingFoldersOf(options);
  const compileQuickly = compileSlowly();
  const modules = keepModules(join(folders.dataDir, 'cache', 'loaded-modules'), packageFolders(packageRoot));
  const { serve } = require('./serve') as typeof import('./serve');
  return serve(options, folders, modules, compileQuickly);
}
