import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

function manifestAbove(dir: string): string {
  const file = join(dir, 'package.json');
  if (existsSync(file)) return file;
  if (dirname(dir) === dir) throw new Error(`no package.json above ${__dirname}: Heddle runs from its own package`);
  return manifestAbove(dirname(dir));
}

/** Heddle's version, wherever it runs from: sources or build. */
export const version: string = (JSON.parse(readFileSync(manifestAbove(__dirname), 'utf8')) as { version: string })
  .version;
