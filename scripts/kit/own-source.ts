import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { packageRoot, version } from '../package-root';

/** A path as package.json has it, from the folder that it lies in. */
function fileFrom(folder: string, target: string): string {
  const path = relative(folder, target);
  return `file:${isAbsolute(path) ? path : path || '.'}`;
}

/** What npm says that this very package was installed from, where it was installed by npm. */
function installedFrom(root: string): { readonly project: string; readonly from: string } | undefined {
  const modules = dirname(root);
  const lock = join(modules, '.package-lock.json');
  if (!existsSync(lock)) return undefined;
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { packages?: Record<string, { resolved?: string }> };
  const from = packages?.['node_modules/heddle']?.resolved;
  return from === undefined ? undefined : { project: dirname(modules), from };
}

/**
 * How a new application in this folder names the Heddle that made it. Where that came out of a file or a checkout, so will
 * the application's: a version alone would be looked for in a registry, where the name may be somebody else's.
 */
export function ownSource(folder: string, root = packageRoot): string {
  const installed = installedFrom(root);
  if (!installed) return fileFrom(folder, root);
  const { project, from } = installed;
  if (from.startsWith('file:')) return fileFrom(folder, resolve(project, from.slice('file:'.length)));
  return from.startsWith('https://registry.npmjs.org/heddle/') ? `^${version()}` : from;
}
