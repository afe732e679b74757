import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const above = (dir: string): string => (existsSync(join(dir, 'package.json')) ? dir : above(dirname(dir)));

/** Heddle's own folder, whether this runs from sources or from a build. */
export const packageRoot = above(__dirname);

export const version = (): string =>
  (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string }).version;
