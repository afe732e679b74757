import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import { extension } from 'mime-types';
import { HeddleError } from '../../core';

const longestName = 255;
const longestSlug = 120;
const forbidden = /[\u0000-\u001f\u007f<>:"/\\|?*]/;
const plainEnding = /^\.[A-Za-z0-9_-]{0,20}$/;

/** A name as a form gives it: browsers write some characters as codes, and some send a path. */
export function givenName(sent: string): string {
  const name = sent.replaceAll('%22', '"').replaceAll(/%0[ad]/gi, '\n');
  return name.slice(name.lastIndexOf('\\') + 1);
}

/** Refuses what no file can be called. */
export function checkName(name: string): void {
  if (name === '' || name.length > longestName || forbidden.test(name))
    throw new HeddleError('ApplicationError', 'File name contains invalid characters', {});
}

/** The ending of a file: that of its name, else one that goes with its type. */
export function endingOf(name: string, mime: string): string {
  const own = extname(name);
  if (plainEnding.test(own)) return own;
  const known = extension(mime);
  return known ? `.${known}` : '';
}

/** What makes a name one that nobody guesses, and that was never taken. */
export const newMark = (): string => `_${randomBytes(5).toString('hex')}`;

/**
 * The name that files are kept under: readable, and so random that nobody guesses it and none is taken twice. Nothing of it
 * leads out of a folder.
 */
export function newHash(name: string, ending: string): string {
  const slugify = require('@sindresorhus/slugify') as typeof import('@sindresorhus/slugify');
  const words = slugify(basename(basename(name), ending), { separator: '_', lowercase: false, decamelize: true });
  return `${words.replaceAll(/[^A-Za-z0-9_]/g, '').slice(0, longestSlug)}${newMark()}`;
}

/** Kilobytes with two decimals, as files tell their size. */
export const kilobytes = (bytes: number): number => Math.round((bytes / 1000) * 100) / 100;
