import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { problem, refuseIfAny } from '../../core';
import { packageRoot } from '../package-root';

export interface FolderOptions {
  readonly app?: string;
  readonly data?: string;
}

export interface Folders {
  readonly appDir: string;
  readonly dataDir: string;
}

/** Where a command's application lies, and where it may write. */
export function foldersOf({ app, data }: FolderOptions): Folders {
  const appDir = app === undefined ? packageRoot : resolve(app);
  if (!['config', 'src'].some((folder) => existsSync(join(appDir, folder)))) {
    const what = existsSync(appDir) ? 'holds neither config nor src.' : 'does not exist.';
    refuseIfAny([problem(appDir, what, 'Name the folder of an application by --app.')]);
  }
  return { appDir, dataDir: data === undefined ? join(appDir, '.data') : resolve(data) };
}
