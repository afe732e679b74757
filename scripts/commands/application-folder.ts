import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../../core/make-folder';
import { packageRoot } from '../package-root';

export interface FolderOptions {
  readonly app?: string;
  readonly data?: string;
}

export interface Folders {
  readonly appDir: string;
  readonly dataDir: string;
}

/** What the package of an application depends on: Heddle, or the service whose project it is. */
const served = ['heddle', '@strapi/strapi'];

/** Loads what it refuses with only then: a start finds its data first, and there what it keeps of modules. */
function refuse(where: string, what: string, remedy: string): never {
  const { ProjectError, problem } = require('../../core') as typeof import('../../core');
  throw new ProjectError([problem(where, what, remedy)]);
}

/** Whether a folder says of itself that it is an application; one that can't be read concerns the command where it is given. */
function isApplication(folder: string, isHere: boolean): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return false;
  try {
    const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: Record<string, string> };
    return served.some((name) => dependencies?.[name] !== undefined);
  } catch (error) {
    if (!isHere) return false;
    const what = `can't be read: ${(error as Error).message}.`;
    return refuse(manifest, what, 'Mend it, or name the folder of an application by --app.');
  }
}

/** The application that a folder is, or lies in; the sample, where there is none. */
function unnamed(folder: string, isHere = true): string {
  if (folder === packageRoot || isApplication(folder, isHere)) return folder;
  const around = dirname(folder);
  return around === folder ? packageRoot : unnamed(around, false);
}

/** Refuses what can't be made a folder, since there is something else in its place, or around it. */
function refuseNoFolder(dataDir: string): void {
  const around = dirname(dataDir);
  if (!existsSync(dataDir)) {
    if (around !== dataDir) refuseNoFolder(around);
  } else if (!statSync(dataDir).isDirectory())
    refuse(
      dataDir,
      'is no folder, and data can only be kept in one.',
      'Name another by --data, or remove what is there.',
    );
}

/** Where a command's application lies, and where it may write. */
export function foldersOf({ app, data }: FolderOptions): Folders {
  const appDir = app === undefined ? unnamed(process.cwd()) : resolve(app);
  if (!['config', 'src'].some((folder) => existsSync(join(appDir, folder)))) {
    const what = existsSync(appDir) ? 'holds neither config nor src.' : 'does not exist.';
    refuse(appDir, what, 'Name the folder of an application by --app.');
  }
  const dataDir = data === undefined ? join(appDir, '.data') : resolve(data);
  refuseNoFolder(dataDir);
  return { appDir, dataDir };
}

/** The same for a command that keeps data: the folder for it is made. */
export function keepingFoldersOf(options: FolderOptions): Folders {
  const folders = foldersOf(options);
  try {
    makeFolder(folders.dataDir);
  } catch (error) {
    refuse(folders.dataDir, `can't be made: ${(error as Error).message}.`, 'Name another folder by --data.');
  }
  return folders;
}
