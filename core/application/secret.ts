import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppInfo } from '../kernel/heddle';
import { problem, refuseIfAny } from '../kernel/problems';

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written beside and linked into place, so that of several processes starting at once one wins, wholly. */
function write(file: string): void {
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(own);
  }
}

const folderOf = ({ dataDir }: Pick<AppInfo, 'dataDir'>): string => join(dataDir, 'secrets');

/** Whether an earlier start has made a secret. */
export const hasSecret = (app: Pick<AppInfo, 'dataDir'>, name: string): boolean =>
  read(join(folderOf(app), name)) !== undefined;

/** A secret that the application makes for itself on its first start and keeps under its data folder. */
export function secretOf(app: Pick<AppInfo, 'dataDir'>, name: string): string {
  const dir = folderOf(app);
  const file = join(dir, name);
  const present = read(file);
  if (present) return present;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  write(file);
  const made = read(file);
  if (!made)
    refuseIfAny([problem(file, 'is empty.', 'Remove it, so that a new secret is made, or write the secret into it.')]);
  return made as string;
}
