import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';

export function count(text: string): number {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  if (digits === undefined || Number(digits) === 0)
    throw new InvalidArgumentError('It must be a whole number above zero, such as 8, 10k or 1M.');
  return Number(digits) * { '': 1, k: 1_000, M: 1_000_000 }[unit as '' | 'k' | 'M'];
}

export const counts = (text: string): number[] => text.split(',').map(count);

const isAllowed = (path: string, mode: number): boolean => {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
};

/** A folder that a peer can be started in. */
export function project(path: string): string {
  const start = join(path, 'start');
  if (!statSync(start, { throwIfNoEntry: false })?.isFile() || !isAllowed(start, constants.X_OK))
    throw new InvalidArgumentError('It is no folder with a script `start` that can be run.');
  return path;
}

/** Told before hours are measured, not behind them. */
export function writable(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new InvalidArgumentError('It is a folder.');
  if (!isAllowed(found ? path : dirname(resolve(path)), constants.W_OK))
    throw new InvalidArgumentError('It can not be written there.');
  return path;
}
