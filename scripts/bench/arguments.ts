import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';

export function count(text: string): number {
  const [, digits, unit] = /^(\d+)([kM]?)$/.exec(text) ?? [];
  if (digits === undefined || Number(digits) === 0)
    throw new InvalidArgumentError('It must be a whole number above zero, such as 8, 10k or 1M.');
  return Number(digits) * { '': 1, k: 1_000, M: 1_000_000 }[unit as '' | 'k' | 'M'];
}

export const counts = (text: string): number[] => text.split(',').map(count);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A folder that a peer can be started in. */
export function project(path: string): string {
  if (!existsSync(join(path, 'start'))) throw new InvalidArgumentError('It is no folder with a script `start`.');
  return path;
}

/** Told before hours are measured, not behind them. */
export function writable(path: string): string {
  if (!isFolder(dirname(resolve(path)))) throw new InvalidArgumentError('Its folder is not there.');
  if (isFolder(path)) throw new InvalidArgumentError('It is a folder.');
  return path;
}
