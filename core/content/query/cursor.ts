import { createHash } from 'node:crypto';
import { HeddleError, validationError } from '../../errors';
import type { Mark } from '../store';

/** To be raised when the same text comes to mean something else. */
const version = 1;

/** Cursors travel in addresses, whose length servers and proxies bound. */
const longest = 4_000;

const base64Url = /^[\w-]+$/;

export const invalidCursor = (): HeddleError =>
  new HeddleError(
    'PaginationError',
    'Invalid cursor. It must be the nextCursor of an answer to the same list: what filters, sorts and chooses its documents has to stay the same',
    {},
  );

/** Which list a cursor belongs to: its type, conditions and order, so that no walk goes on in another one. */
const fingerprint = (list: string): string => createHash('sha256').update(list).digest('base64url').slice(0, 12);

/** Spells a place in a list as an opaque text. It holds nothing but values that the list is ordered by. */
export function cursorOf(list: string, marks: readonly Mark[]): string {
  const text = Buffer.from(JSON.stringify([version, fingerprint(list), ...marks])).toString('base64url');
  if (text.length <= longest) return text;
  throw validationError(
    `The list is ordered by values that are too long for a cursor, which has at most ${longest} characters. Sort by shorter ones.`,
  );
}

const isMark = (value: unknown): value is Mark =>
  value === null || typeof value === 'string' || typeof value === 'number';

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** The place that a cursor means; none for the start. Throws for what is no cursor of this list. */
export function marksIn(cursor: unknown, list: string): readonly Mark[] {
  if (cursor === '' || cursor === null) return [];
  if (typeof cursor !== 'string' || cursor.length > longest || !base64Url.test(cursor)) throw invalidCursor();
  const read = parsed(cursor);
  if (!Array.isArray(read)) throw invalidCursor();
  const [made, of, ...marks] = read as readonly unknown[];
  if (made !== version || of !== fingerprint(list) || marks.length === 0 || !marks.every(isMark)) throw invalidCursor();
  return marks;
}
