import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

const above = (dir: string): string => (existsSync(join(dir, 'package.json')) ? dir : above(dirname(dir)));

/** Heddle's own folder, whether this runs from sources or from a build. */
export const packageRoot = above(__dirname);

export const version = (): string =>
  (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }).version;

/** Where the files of packages lie, this one's among them. */
export const packageFolders = (root: string): string[] => {
  const packages = `${sep}node_modules${sep}`;
  const at = `${root}${sep}`.indexOf(packages);
  return [`${join(root, 'dist')}${sep}`, at < 0 ? `${root}${packages}` : root.slice(0, at) + packages];
};
